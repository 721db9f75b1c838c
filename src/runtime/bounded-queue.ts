/** A first-in first-out queue that never grows past its capacity and counts what it dropped. */
export class BoundedQueue<T> {
  readonly capacity: number;
  readonly #drop: 'oldest' | 'newest';
  readonly #items: T[] = [];
  #dropped = 0;

  /** `drop` says which item gives way when the queue is full. */
  constructor(capacity: number, drop: 'oldest' | 'newest') {
    if (!Number.isInteger(capacity) || capacity < 1)
      throw new RangeError(`capacity must be a whole number from 1, got ${capacity}`);
    this.capacity = capacity;
    this.#drop = drop;
  }

  /** Returns the item that gave way (with `newest` the given one), or undefined when there was room. */
  push(item: T): T | undefined {
    if (this.#items.length < this.capacity) {
      this.#items.push(item);
      return undefined;
    }
    this.#dropped += 1;
    if (this.#drop === 'newest') return item;
    const victim = this.#items.shift();
    this.#items.push(item);
    return victim;
  }

  shift(): T | undefined {
    return this.#items.shift();
  }

  clear(): void {
    this.#items.length = 0;
  }

  get size(): number {
    return this.#items.length;
  }

  get dropped(): number {
    return this.#dropped;
  }
}
