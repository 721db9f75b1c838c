import type { JsonObject } from '../json.ts';
import type { Lifespan } from './lifespan.ts';
import type { SessionState } from './session-state.ts';

/** Where a part of a session comes from; each has a window of its own. */
export const MESSAGE_SOURCES = ['main', 'voice', 'alarm', 'diagnosis', 'tool'] as const;
export type MessageSource = (typeof MESSAGE_SOURCES)[number];

export interface SessionMessage {
  /** 1, 2, 3, … within the session. */
  readonly seq: number;
  readonly turnId: string;
  readonly role: 'person' | 'assistant' | 'tool';
  readonly source: MessageSource;
  readonly content: string;
  /** ISO 8601, wall clock. */
  readonly at: string;
  readonly tokens: number;
  /** Never trimmed. */
  readonly isProtected: boolean;
}

/** What a session is between two turns: all that has to survive a restart, but its ledger and messages. */
export interface SessionRecord {
  /** UUID; in a header or a user property, never in a URL or a topic that others see. */
  readonly id: string;
  readonly station: string;
  readonly userId: string | undefined;
  /** Counts its commits; a writer that does not know the newest loses. */
  readonly version: number;
  readonly state: SessionState;
  /** The task under way, whose steps are counted from 1; a new one begins when a task has ended and another is asked for. */
  readonly task: number;
  /** Of the task, as its last turn left it. */
  readonly lifespan: Lifespan;
  readonly createdAt: string;
  readonly lastActiveAt: string;
  /** The boot in which it was last changed: what was open in another one is dead. */
  readonly bootId: string;
  /** What was trimmed, as `encodeSummary` writes it; empty when nothing was. */
  readonly summary: string;
  /** What it asked and waits for: a choice or a confirmation, as its owner wrote it. */
  readonly open: JsonObject | undefined;
  readonly memoryRefs: readonly string[];
  readonly meta: JsonObject;
  readonly archivedAt: string | undefined;
}
