import type { PlantPoint } from '../plant-model.ts';
import type { RegisterTable } from '../register-address.ts';

interface Held {
  readonly detail: string;
  readonly retryAtMs: number;
  readonly retryAfterMs: number;
}

const FIRST_RETRY_MS = 60_000;
const LAST_RETRY_MS = 3_600_000;

/** Points whose registers a device refuses: left out of the polls, and tried again ever more rarely. */
export class Quarantine {
  readonly #held = new Map<PlantPoint, Held>();

  get size(): number {
    return this.#held.size;
  }

  has(point: PlantPoint): boolean {
    return this.#held.has(point);
  }

  /** Why each of them is here. */
  entries(): [PlantPoint, string][] {
    return [...this.#held].map(([point, { detail }]) => [point, detail]);
  }

  /** Takes the point in, or holds it for twice as long as before. */
  hold(point: PlantPoint, detail: string, nowMs: number): void {
    const before = this.#held.get(point)?.retryAfterMs;
    const retryAfterMs = before === undefined ? FIRST_RETRY_MS : Math.min(LAST_RETRY_MS, before * 2);
    this.#held.set(point, { detail, retryAtMs: nowMs + retryAfterMs, retryAfterMs });
  }

  clear(): void {
    this.#held.clear();
  }

  release(point: PlantPoint): void {
    this.#held.delete(point);
  }

  /** At most `most` points whose time to be tried again has come, the longest overdue first. */
  due(nowMs: number, most: number): PlantPoint[] {
    if (this.#held.size === 0) return [];
    return [...this.#held]
      .filter(([, { retryAtMs }]) => retryAtMs <= nowMs)
      .sort(([, one], [, other]) => one.retryAtMs - other.retryAtMs)
      .slice(0, most)
      .map(([point]) => point);
  }

  /** Whether a read from `first` to `last` would touch a register that is refused. */
  touches(table: RegisterTable, first: number, last: number): boolean {
    for (const point of this.#held.keys())
      if (point.table === table && point.address <= last && point.address + point.count - 1 >= first)
        return true;
    return false;
  }
}
