import type { DegradedBy, Origin, ToolErrorCode } from '../domain/tool/tool-call.ts';

/** One call as an observer may know it: nothing of its arguments but a digest. */
export interface ToolEvent {
  readonly callId: string;
  readonly tool: string;
  readonly sessionId: string;
  readonly turnId: string;
  readonly origin: Origin;
  readonly path: readonly string[];
  /** Of the arguments without what the contract keeps back: equal for equal calls. */
  readonly inputDigest: string;
}

/** Is told of every call. What it throws is logged and changes nothing. */
export interface ToolObserver {
  onStart(event: ToolEvent): void;
  onSuccess(event: ToolEvent & { readonly durationMs: number; readonly degradedBy?: DegradedBy }): void;
  onFailure(event: ToolEvent & { readonly durationMs: number; readonly code: ToolErrorCode }): void;
}
