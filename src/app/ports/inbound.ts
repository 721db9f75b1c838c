import type { AlarmMessage } from '../../domain/alarm/alarm-event.ts';
import type { BadgeMessage } from '../../domain/gate/badge.ts';
import type { Language } from '../../domain/language/language.ts';

/** The outcome of a tool that was asked for by name. */
export type ToolReply =
  | { readonly ok: true; readonly result: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } };

/** A tool that is asked for by name from outside. */
export interface InboundCommand {
  readonly tool: string;
  readonly args: unknown;
  /** The name of the sender's own conversation; undefined for the one that all share who give none. */
  readonly station: string | undefined;
  /** The session that the sender believes to be in. */
  readonly sessionId: string | undefined;
  /** The sender's own id of the command, the same when it is sent again. */
  readonly turnId: string | undefined;
}

/** The session that answered goes with the reply; undefined where none was opened. */
export type CommandReply = ToolReply & { readonly sessionId: string | undefined };

/** What the outside may ask of the daemon, whichever way it comes in. */
export interface Inbound {
  /** Resolves when the event is safely kept; rejects when it could not be, so that the sender may send again. */
  alarm(source: string, name: string, message: AlarmMessage): Promise<void>;
  /** Runs what only looks, and proposes what acts. Never rejects. */
  command(command: InboundCommand): Promise<CommandReply>;
  /** Somebody asked for a tool in a way that cannot be read: for the record. `reason` is a code. */
  unreadable(tool: string, reason: string, payload: string | Uint8Array): void;
  /** Queues a line to be spoken. */
  say(text: string, language: Language | undefined): void;
  /** A badge was read at a station. Rejects when it could not be put on record; then it counts for nothing. */
  badge(message: BadgeMessage): Promise<void>;
}
