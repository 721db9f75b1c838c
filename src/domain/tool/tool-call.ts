import type { JsonObject } from '../json.ts';
import type { Say } from './say.ts';

/** How a wish reached the daemon. */
export const ORIGINS = [
  'voice',
  'ask',
  'panel',
  'mqtt',
  'mcp',
  'rule',
  'workflow',
  'model',
  'alarm',
] as const;
export type Origin = (typeof ORIGINS)[number];

/** What a person at a station may do; each includes those before it. */
export const ROLES = ['guest', 'operator', 'maintainer', 'supervisor'] as const;
export type Role = (typeof ROLES)[number];

/** Who wants something, as the session knows it: never taken from arguments. */
export interface Caller {
  readonly origin: Origin;
  readonly station: string;
  readonly sessionId: string;
  readonly turnId: string;
  readonly role: Role;
  /** Known from a badge or a login; undefined for whoever stands at the station. */
  readonly person: { readonly id: string; readonly name: string } | undefined;
}

export interface ToolCall {
  /** Of this call alone; `sessionId` and `turnId` of the caller tie it to the rest. */
  readonly callId: string;
  readonly tool: string;
  /** Untrusted until it has been checked against the tool's contract. */
  readonly args: JsonObject;
  readonly caller: Caller;
  /** The tools that are being carried out around this call, the outermost first. */
  readonly path: readonly string[];
  /** Equal for repeats of one intent, also after a restart: a far side that knows it does nothing twice. */
  readonly idempotencyKey: string;
  /** Set when a person confirmed just this call. */
  readonly consent: Consent | undefined;
}

/** What a person said yes to. */
export interface Consent {
  readonly confirmationId: string;
  /** Who said it: the person, or the station. */
  readonly by: string;
  /** The values that the read-back named: if one has changed, nothing happens. */
  readonly ground: readonly GroundValue[];
}

export interface GroundValue {
  readonly machine: string;
  readonly point: string;
  readonly value: number | string | boolean;
}

export const TOOL_ERROR_CODES = [
  'UNKNOWN_TOOL',
  'INPUT_INVALID',
  'DENIED',
  'NOT_CONFIRMED',
  'TOOL_UNAVAILABLE',
  /** The box has no worker free for it: nothing was begun, and nothing is wrong with the tool. */
  'TOOL_BUSY',
  'TOOL_TIMEOUT',
  'TOOL_OOM',
  'TOOL_CPU',
  'TOOL_FAILED',
  'OUTPUT_INVALID',
  'RECURSIVE_CALL',
  'CALL_DEPTH_EXCEEDED',
  'REPEATED_CALL',
  'TOO_MANY_STEPS',
  'CANCELLED',
  /** Something was sent and nobody knows what it did: it is looked at, never repeated. */
  'OUTCOME_UNKNOWN',
] as const;
export type ToolErrorCode = (typeof TOOL_ERROR_CODES)[number];

/** So that whoever asked, a person or a planner, can do it right the next time. */
export interface ToolError {
  readonly tool: string;
  readonly code: ToolErrorCode;
  readonly message: string;
  /** The argument at fault. */
  readonly field?: string;
  readonly hint?: string;
}

/** What had to stand in for the proper way. */
export const DEGRADATIONS = ['nlu', 'route', 'tool', 'mcp', 'canned'] as const;
export type DegradedBy = (typeof DEGRADATIONS)[number];

export type ToolOutcome =
  | {
      readonly status: 'ok';
      readonly tool: string;
      readonly result: JsonObject;
      readonly say: Say;
      readonly durationMs: number;
      readonly degradedBy?: DegradedBy;
    }
  | {
      readonly status: 'failed';
      readonly tool: string;
      readonly error: ToolError;
      /** What the tool itself wants said of it, instead of what is said of the code. */
      readonly say?: Say;
      readonly durationMs: number;
      readonly degradedBy?: DegradedBy;
      /** The ticket that asks a person to look at it. */
      readonly ticketId?: string;
    };
