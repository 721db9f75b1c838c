import type { JsonObject } from '../../domain/json.ts';
import type { Action } from '../../domain/session/action.ts';
import type { SessionMessage, SessionRecord } from '../../domain/session/session-record.ts';
import type { AuditKind } from './audit.ts';

/** Something for the far side, delivered at least once and in order; its id makes a repeat harmless. */
export interface OutboxMessage {
  readonly id: string;
  /** Who delivers it, such as `work_order`, `mail`, `memory`, `ticket`. */
  readonly channel: string;
  readonly body: JsonObject;
  /** ISO 8601; after it the message is not delivered but told as expired. */
  readonly expiresAt?: string;
}

/** What one step of a session changes, written in one transaction or not at all. */
export interface SessionChange {
  /** Its `version` is the one that was read plus 1. */
  readonly session: SessionRecord;
  /** New or changed entries of the ledger. */
  readonly actions?: readonly Action[];
  readonly messages?: readonly SessionMessage[];
  readonly outbox?: readonly OutboxMessage[];
  readonly memory?: readonly JsonObject[];
  readonly audit?: readonly {
    readonly kind: AuditKind;
    readonly detail: Readonly<Record<string, unknown>>;
  }[];
  /**
   * A turn that has been answered: asked again with the same id, it gets this and nothing happens. The id is unique over all
   * stations: one that a caller chose stands behind the name of its station.
   */
  readonly turn?: { readonly turnId: string; readonly report: JsonObject };
}

export interface StoredSession {
  readonly session: SessionRecord;
  readonly actions: readonly Action[];
  readonly messages: readonly SessionMessage[];
  /** Entries of its ledger and messages that are there and cannot be read: what was done is not wholly known. */
  readonly unreadable: number;
}

/** One entry of a session's own audit. */
export interface SessionEvent {
  readonly at: string;
  readonly kind: string;
  readonly detail: JsonObject;
}

export interface SessionStore {
  /**
   * Resolves when all of it is on disk; `conflict` when somebody else has written that version, and then nothing of it is.
   * The audit entries get the session's id as `session_id`. Rejects with EdgeError STATE_DB_FAILED, or STATE_DB_BUSY when too
   * many changes wait.
   */
  commit(change: SessionChange): Promise<'committed' | 'conflict'>;
  /** Sessions that are not archived, the one used last first, with ledger and messages. */
  live(limit: number): Promise<readonly StoredSession[]>;
  session(id: string): Promise<StoredSession | undefined>;
  /** The report of a turn that was answered before. */
  answeredTurn(turnId: string): Promise<JsonObject | undefined>;
  /** All sessions that are kept, the one used last first. */
  list(limit: number): Promise<readonly SessionRecord[]>;
  /** The newest entries of the audit that came with a session's changes, oldest first. */
  timeline(id: string, limit: number): Promise<readonly SessionEvent[]>;
  /** Removes sessions that were archived before, with their ledgers, messages and turns; resolves with how many. */
  prune(archivedBefore: string): Promise<number>;
}

/** How it is with a message of the outbox; one that is set aside will not be delivered. */
export type OutboxStanding =
  | { readonly state: 'waiting' | 'delivered' }
  | { readonly state: 'set aside'; readonly why: string };

/** What waits to be delivered. Rejects with EdgeError STATE_DB_FAILED or STATE_DB_BUSY. */
export interface OutboxStore {
  /** The oldest undelivered messages of a channel, at most `limit`; those that have expired are among them. */
  waiting(
    channel: string,
    limit: number,
  ): Promise<readonly (OutboxMessage & { readonly attempts: number; readonly queuedAt: string })[]>;
  /**
   * Puts one in the queue outside of any session; one that waits under this id is replaced, one that has ended stays so. Resolves
   * with what it is now.
   */
  add(message: OutboxMessage): Promise<OutboxStanding>;
  delivered(id: string): Promise<void>;
  /** It could not be delivered; `final` sets it aside. */
  failed(id: string, why: string, final: boolean): Promise<void>;
  /** How many wait, by channel. */
  backlog(): Promise<Readonly<Record<string, number>>>;
  /** Forgets messages that were delivered or set aside before, and with them that a repeat is one; resolves with how many. */
  prune(endedBefore: string): Promise<number>;
}
