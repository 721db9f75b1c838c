import type { JsonObject } from '../json.ts';
import type { Caller, ToolError } from '../tool/tool-call.ts';

/**
 * `pending` waits for its dependencies; `confirming` for a person's consent; `running`; `done`; `failed`; `cancelled` before
 * it ran, or while it ran with nothing left of it; `held` since something that it depends on was cancelled;
 * `compensated` undone after it was done; `unknown` when it was begun and nobody can say what it did.
 */
export const ACTION_STATUSES = [
  'pending',
  'confirming',
  'running',
  'done',
  'failed',
  'cancelled',
  'held',
  'compensated',
  'unknown',
] as const;
export type ActionStatus = (typeof ACTION_STATUSES)[number];

/** A value that is taken from the result of an earlier action when this one begins. */
export interface Binding {
  readonly action: string;
  /** The field of its result; empty for all of it. */
  readonly field: string;
}

/** One entry of a session's ledger. */
export interface Action {
  /** Unique over all sessions and restarts. */
  readonly id: string;
  readonly sessionId: string;
  readonly turnId: string;
  /** Which of the session's tasks it belongs to. */
  readonly task: number;
  /** 1, 2, 3, … within the task: what "the third step" means. */
  readonly step: number;
  readonly tool: string;
  readonly args: JsonObject;
  /** By argument. */
  readonly bindings: Readonly<Record<string, Binding>>;
  /** Ids of actions that have to be done before. */
  readonly dependsOn: readonly string[];
  readonly status: ActionStatus;
  readonly caller: Caller;
  readonly idempotencyKey: string;
  readonly result?: JsonObject;
  readonly error?: ToolError;
  /** It was to be cancelled while it ran, and what became of it is not known yet. */
  readonly cancelling?: true;
  /** What undoes it, once it is done. */
  readonly compensation?: { readonly tool: string; readonly args: JsonObject };
  /** The action that this one undoes. */
  readonly undoes?: string;
  /** Planned by the roll-back of its turn, which alone runs it. */
  readonly ofRollBack?: true;
}

/** Nothing will become of it any more by itself. */
const OVER: ReadonlySet<ActionStatus> = new Set([
  'done',
  'failed',
  'cancelled',
  'held',
  'compensated',
  'unknown',
]);

export function isOver({ status }: Pick<Action, 'status'>): boolean {
  return OVER.has(status);
}
