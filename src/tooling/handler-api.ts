/**
 * What a tool's `handler` module is written against. It runs in a process of its own: nothing of the daemon is in reach but
 * what `tools` offers, and of that only what the tool's contract lists under `capabilities`.
 */
import type { JsonObject, JsonValue } from '../domain/json.ts';
import type { Say } from '../domain/tool/say.ts';
import type { CapabilityName } from '../domain/tool/tool-contract.ts';

export interface HandlerContext {
  /** Uses a capability; rejects with an Error whose `code` says why. */
  use(capability: CapabilityName, args: JsonObject): Promise<JsonValue>;
  /** Fires when the call is cancelled or its time is up. */
  readonly signal: AbortSignal;
  readonly idempotencyKey: string;
}

export interface HandlerResult {
  /** Checked against the contract's response. */
  readonly result: JsonObject;
  readonly say?: Say;
}

/** The export named `handle` of a handler module. Arguments are checked and in the contract's units. */
export type Handle = (args: JsonObject, context: HandlerContext) => Promise<HandlerResult> | HandlerResult;

/** Thrown by a handler to say what went wrong in a way that a person or a planner can act on. */
export interface HandlerFault {
  readonly code: 'INPUT_INVALID' | 'TOOL_UNAVAILABLE' | 'OUTCOME_UNKNOWN' | 'TOOL_FAILED';
  readonly message: string;
  readonly hint?: string;
  /** What is said of it, in the tool's own phrases. */
  readonly say?: Say;
}
