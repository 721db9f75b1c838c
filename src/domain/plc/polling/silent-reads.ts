import type { RegisterSpan } from '../modbus-request.ts';
import { DeviceBackoff } from './device-backoff.ts';
import type { PlannedRead } from './read-plan.ts';

/**
 * Which reads of a device that answers others get no answer themselves, and whose turn it is. A cycle that ended at one
 * read is followed by one that begins with the next, so that none is kept from its values by another.
 */
export class SilentReads {
  readonly #backoffs = new Map<string, DeviceBackoff>();
  #current: string | undefined;

  /** Reads that are being left alone. */
  get size(): number {
    return this.#backoffs.size;
  }

  /**
   * The reads of one cycle: all but those that are left alone, beginning after the one at which the last cycle ended. One
   * that was silent before comes last.
   */
  inTurn(reads: readonly PlannedRead[], nowMs: number): readonly PlannedRead[] {
    const last = reads.findIndex(({ span }) => keyOf(span) === this.#current);
    this.#current = undefined;
    const turned = last === -1 ? reads : [...reads.slice(last + 1), ...reads.slice(0, last + 1)];
    if (this.#backoffs.size === 0) return turned;
    const planned = new Set(reads.map(({ span }) => keyOf(span)));
    for (const key of this.#backoffs.keys()) if (!planned.has(key)) this.#backoffs.delete(key);
    const isSilent = ({ span }: PlannedRead): boolean => this.#backoffs.has(keyOf(span));
    const due = ({ span }: PlannedRead): boolean =>
      this.#backoffs.get(keyOf(span))?.isWaiting(nowMs) !== true;
    // By the time they are asked the others have shown that the device itself is well.
    return [...turned.filter((read) => !isSilent(read)), ...turned.filter(isSilent).filter(due)];
  }

  begin({ span }: PlannedRead): void {
    this.#current = keyOf(span);
  }

  /** All had their turn. */
  end(): void {
    this.#current = undefined;
  }

  noteAnswer(span: RegisterSpan): void {
    if (this.#backoffs.size > 0) this.#backoffs.delete(keyOf(span));
  }

  /** The read that was begun last got no answer, while others did. */
  noteSilence(nowMs: number): void {
    if (this.#current === undefined) return;
    const backoff = this.#backoffs.get(this.#current) ?? new DeviceBackoff();
    backoff.noteSilence('timeout', nowMs);
    this.#backoffs.set(this.#current, backoff);
  }
}

function keyOf({ table, address, count }: RegisterSpan): string {
  return `${table} ${address}+${count}`;
}
