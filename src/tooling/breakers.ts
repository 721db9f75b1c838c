import {
  askBreaker,
  type Breaker,
  type BreakerPolicy,
  CLOSED,
  recordCall,
  recordHealth,
} from '../domain/tool/breaker.ts';
import type { ToolErrorCode } from '../domain/tool/tool-call.ts';
import type { Cancel, Clocks, Scheduler } from '../runtime/clocks.ts';
import { messageOf } from '../runtime/edge-error.ts';
import type { Logger } from '../runtime/logger.ts';

interface Parts {
  readonly clocks: Clocks;
  readonly scheduler: Scheduler;
  readonly logger: Logger;
  /** Asked at the end of a cooldown. */
  readonly isHealthy: (tool: string) => Promise<boolean>;
}

/** A breaker for each tool, with the timers of those that are open. */
export class Breakers {
  readonly #parts: Parts;
  readonly #breakers = new Map<string, Breaker>();
  readonly #timers = new Map<string, Cancel>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  state(tool: string): Breaker['name'] {
    return this.#of(tool).name;
  }

  /** Whether a call may go through; a half-open breaker counts it. */
  admits(tool: string): boolean {
    const { admitted, breaker } = askBreaker(this.#of(tool));
    this.#breakers.set(tool, breaker);
    return admitted;
  }

  record(tool: string, code: ToolErrorCode | undefined, policy: BreakerPolicy): void {
    this.#enter(tool, recordCall(this.#of(tool), code, this.#parts.clocks.monotonicMs(), policy), policy);
  }

  /** Ends all timers. */
  close(): void {
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
  }

  #of(tool: string): Breaker {
    return this.#breakers.get(tool) ?? CLOSED;
  }

  #enter(tool: string, breaker: Breaker, policy: BreakerPolicy): void {
    const before = this.#of(tool);
    this.#breakers.set(tool, breaker);
    if (breaker.name !== before.name || (breaker.name === 'OPEN' && breaker !== before))
      this.#parts.logger.warn(
        { tool, from: before.name, to: breaker.name },
        'the breaker of a tool has changed',
      );
    if (breaker.name !== 'OPEN' || breaker === before) return;
    this.#timers.get(tool)?.();
    const waitMs = breaker.checkAtMs - this.#parts.clocks.monotonicMs();
    this.#timers.set(
      tool,
      this.#parts.scheduler.after(Math.max(0, waitMs), () => void this.#check(tool, policy)),
    );
  }

  async #check(tool: string, policy: BreakerPolicy): Promise<void> {
    const timer = this.#timers.get(tool);
    const isHealthy = await this.#parts.isHealthy(tool).catch((error: unknown) => {
      this.#parts.logger.error({ tool, error: messageOf(error) }, 'a tool could not be checked');
      return false;
    });
    // Closed while it was asked.
    if (timer === undefined || this.#timers.get(tool) !== timer) return;
    this.#timers.delete(tool);
    const nowMs = this.#parts.clocks.monotonicMs();
    this.#enter(tool, recordHealth(this.#of(tool), isHealthy, nowMs, policy), policy);
  }
}
