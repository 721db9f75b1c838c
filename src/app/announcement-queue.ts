/** From least to most important. */
export const ANNOUNCE_PRIORITIES = ['low', 'normal', 'high', 'critical'] as const;
export type AnnouncePriority = (typeof ANNOUNCE_PRIORITIES)[number];

/** One bounded first-in first-out queue a priority; when all are full together the least important oldest gives way. */
export class AnnouncementQueue<T extends { readonly priority: AnnouncePriority }> {
  readonly #capacity: number;
  readonly #items: Readonly<Record<AnnouncePriority, T[]>> = { low: [], normal: [], high: [], critical: [] };
  #dropped = 0;

  constructor(capacity: number) {
    if (!Number.isInteger(capacity) || capacity < 1)
      throw new RangeError(`capacity must be a whole number from 1, got ${capacity}`);
    this.#capacity = capacity;
  }

  /** Returns the item that gave way, which may be the given one, or undefined when there was room. */
  push(item: T): T | undefined {
    this.#items[item.priority].push(item);
    if (this.size <= this.#capacity) return undefined;
    this.#dropped += 1;
    return ANNOUNCE_PRIORITIES.map((priority) => this.#items[priority])
      .find((items) => items.length > 0)
      ?.shift();
  }

  peek(): T | undefined {
    return this.#foremost()?.[0];
  }

  shift(): T | undefined {
    return this.#foremost()?.shift();
  }

  /** Empties the queue and returns what was in it. */
  clear(): readonly T[] {
    return ANNOUNCE_PRIORITIES.flatMap((priority) => this.#items[priority].splice(0));
  }

  get size(): number {
    return ANNOUNCE_PRIORITIES.reduce((sum, priority) => sum + this.#items[priority].length, 0);
  }

  get dropped(): number {
    return this.#dropped;
  }

  #foremost(): T[] | undefined {
    return ANNOUNCE_PRIORITIES.map((priority) => this.#items[priority]).findLast((items) => items.length > 0);
  }
}
