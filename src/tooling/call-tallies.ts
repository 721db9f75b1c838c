import { type CallTally, countCall, isToolError, NO_CALLS } from '../domain/tool/call-guards.ts';
import type { ToolCall, ToolError } from '../domain/tool/tool-call.ts';

/** Turns whose calls are remembered; the one that has called least recently is forgotten first. */
const KEPT_TURNS = 512;

/** Counts the calls of each turn. */
export class CallTallies {
  readonly #byTurn = new Map<string, CallTally>();

  /** What counting it would be refused for. */
  faultOf(call: ToolCall): ToolError | undefined {
    const found = countCall(this.#of(call), call);
    return isToolError(found) ? found : undefined;
  }

  /** Counts a call in, or says why it is not carried out. */
  count(call: ToolCall): ToolError | undefined {
    const found = countCall(this.#of(call), call);
    if (isToolError(found)) return found;
    const key = keyOf(call);
    this.#byTurn.delete(key);
    this.#byTurn.set(key, found);
    const [oldest] = this.#byTurn.keys();
    if (this.#byTurn.size > KEPT_TURNS && oldest !== undefined) this.#byTurn.delete(oldest);
    return undefined;
  }

  #of(call: ToolCall): CallTally {
    return this.#byTurn.get(keyOf(call)) ?? NO_CALLS;
  }
}

function keyOf({ caller: { sessionId, turnId } }: ToolCall): string {
  return JSON.stringify([sessionId, turnId]);
}
