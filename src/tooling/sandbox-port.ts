import type { JsonObject } from '../domain/json.ts';
import type { Say } from '../domain/tool/say.ts';
import type { ToolCall, ToolErrorCode } from '../domain/tool/tool-call.ts';
import type { ToolContract } from '../domain/tool/tool-contract.ts';

/** A tool's folder, read and checked. */
export interface ToolPack {
  readonly contract: ToolContract;
  /** Absolute path of the module whose `handle` is the handler. */
  readonly handler: string;
}

export type HandlerOutcome =
  | { readonly ok: true; readonly result: JsonObject; readonly say: Say }
  | {
      readonly ok: false;
      readonly code: ToolErrorCode;
      readonly message: string;
      readonly hint?: string;
      /** What the handler itself wants said of it, instead of what is said of the code. */
      readonly say?: Say;
    };

/** Runs handlers apart from the daemon. */
export interface Sandbox {
  /** Never rejects: a handler that hangs, bursts, forks or lies comes back as an outcome with its code. */
  run(pack: ToolPack, call: ToolCall, signal: AbortSignal): Promise<HandlerOutcome>;
}
