import type { z } from 'zod';
import type { JsonValue } from '../domain/json.ts';
import type { ToolCall } from '../domain/tool/tool-call.ts';
import type { CapabilityName } from '../domain/tool/tool-contract.ts';

/** What surrounds one use of a capability. */
export interface CapabilityContext {
  /** The call on whose behalf it is used: its caller is who asks, whatever the arguments say. */
  readonly call: ToolCall;
  readonly signal: AbortSignal;
}

/** Something that the daemon does for a handler in the sandbox. */
export interface Capability<A = unknown> {
  readonly name: CapabilityName;
  /** What comes out of the sandbox is untrusted. */
  readonly args: z.ZodType<A>;
  /** Rejects with an EdgeError whose code and message the handler gets. */
  run(args: A, context: CapabilityContext): Promise<JsonValue>;
}

/** Checks and carries out one use; rejects with EdgeError INPUT_INVALID, or as `run` does. */
export type CapabilityHost = (
  name: CapabilityName,
  args: unknown,
  context: CapabilityContext,
) => Promise<JsonValue>;
