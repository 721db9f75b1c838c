import type { ToolCall, ToolOutcome } from '../../domain/tool/tool-call.ts';
import type { ToolContract } from '../../domain/tool/tool-contract.ts';

export type ToolState = 'READY' | 'TESTING' | 'UNHEALTHY' | 'OPEN' | 'HALF_OPEN';

/** Carries out tool calls under their contracts. */
export interface ToolRunner {
  /** The contract of a tool that may be routed to; undefined when there is none of that name. */
  contract(tool: string): ToolContract | undefined;
  state(tool: string): ToolState | undefined;
  names(): readonly string[];
  /** Checks and normalises arguments without calling: what would be refused is refused here already. */
  check(call: ToolCall): ToolCheck;
  /** Never rejects. The signal cancels what can still be cancelled. */
  call(call: ToolCall, signal?: AbortSignal): Promise<ToolOutcome>;
}

/** Why a call is called off when its turn has no time left: unlike a cancel it counts against the tool. */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime';
}

export type ToolCheck =
  | { readonly ok: true; readonly args: ToolCall['args']; readonly estimateMs: number }
  | { readonly ok: false; readonly error: Extract<ToolOutcome, { status: 'failed' }>['error'] };
