import { KILL_AFTER_MS } from '../domain/tool/check-contract.ts';
import type { ToolCall, ToolErrorCode } from '../domain/tool/tool-call.ts';
import type { Cancel, Clocks, Scheduler } from '../runtime/clocks.ts';
import { messageOf } from '../runtime/edge-error.ts';
import { checkedOutcome } from './checked-outcome.ts';
import type { EffectWatch } from './effect-watch.ts';
import type { HandlerOutcome, Sandbox, ToolPack } from './sandbox-port.ts';

interface Parts {
  readonly sandbox: Sandbox;
  readonly effects: EffectWatch;
  readonly clocks: Clocks;
  readonly scheduler: Scheduler;
}

/** A call may wait so long for its turn in the sandbox before its own limit begins. */
const TURN_WAIT_MS = 10_000;
/** The sandbox ends a call that was called off within so long. */
const END_WITHIN_MS = 1000;

/** An outcome, and whether the sandbox gave it: that knows whether the handler had acted, and has said so. */
interface Ended {
  readonly outcome: HandlerOutcome;
  readonly isOfSandbox: boolean;
}

/** Runs a handler once: never longer than its limit, whatever the sandbox does, and never told as failed when it may have acted. */
export class HandlerRuns {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Never rejects. `untilMs` is monotonic and cuts the limit short. */
  async run(pack: ToolPack, call: ToolCall, signal: AbortSignal, untilMs: number): Promise<HandlerOutcome> {
    const { effects } = this.#parts;
    const { contract } = pack;
    effects.begin(call.callId);
    try {
      const { outcome: given, isOfSandbox } = await this.#bounded(pack, call, signal, untilMs);
      const outcome = checkedOutcome(contract, given);
      const isSettled = outcome.ok || (isOfSandbox && !given.ok);
      const acted = contract.security.risk !== 'none' && effects.mayHaveActed(call.callId);
      if (isSettled || outcome.ok || !acted) return outcome;
      return {
        ok: false,
        code: 'OUTCOME_UNKNOWN',
        message: `it had begun to act when it ended with ${outcome.code}: ${outcome.message}`,
        hint: 'look at what it came to before anything is done again',
      };
    } finally {
      effects.end(call.callId);
    }
  }

  async #bounded(pack: ToolPack, call: ToolCall, signal: AbortSignal, untilMs: number): Promise<Ended> {
    const { sandbox, scheduler, clocks } = this.#parts;
    const limitMs = pack.contract.sla.max_execution_time_ms;
    const longestMs = limitMs + KILL_AFTER_MS + TURN_WAIT_MS;
    const guardMs = Math.max(0, Math.min(longestMs, untilMs - clocks.monotonicMs()));
    /** Reaches the sandbox: only when the call is to end before its time. */
    const cut = new AbortController();
    const over = new AbortController();
    const timers: Cancel[] = [];
    const late = (code: ToolErrorCode, message: string, afterMs: number) =>
      new Promise<Ended>((resolve) => {
        timers.push(
          scheduler.after(afterMs, () => {
            resolve({ outcome: { ok: false, code, message }, isOfSandbox: false });
            cut.abort();
          }),
        );
      });
    const calledOff = new Promise<Ended>((resolve) => {
      const onAbort = (): void => {
        cut.abort();
        void late('CANCELLED', 'called off', END_WITHIN_MS).then(resolve);
      };
      if (signal.aborted) onAbort();
      else signal.addEventListener('abort', onAbort, { once: true, signal: over.signal });
    });
    try {
      return await Promise.race([
        this.#sandboxed(sandbox, pack, call, cut.signal),
        late('TOOL_TIMEOUT', `no answer within ${limitMs} ms`, guardMs),
        calledOff,
      ]);
    } finally {
      over.abort();
      for (const cancel of timers) cancel();
    }
  }

  async #sandboxed(sandbox: Sandbox, pack: ToolPack, call: ToolCall, signal: AbortSignal): Promise<Ended> {
    try {
      return { outcome: await sandbox.run(pack, call, signal), isOfSandbox: true };
    } catch (error) {
      return { outcome: { ok: false, code: 'TOOL_FAILED', message: messageOf(error) }, isOfSandbox: false };
    }
  }
}
