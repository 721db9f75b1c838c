import { BUS_PRIORITIES, type BusPriority } from '../../app/ports/plc-bus.ts';

/** So many more urgent ones in a row go before a waiting poll, and then one poll goes. */
const URGENT_IN_A_ROW = 8;

/**
 * Who is next on a bus: the most urgent, among equals the first that came, and a poll after `URGENT_IN_A_ROW` others.
 * Never holds more than its capacity; when it is full, the last of the least urgent gives way to one more urgent.
 */
export class RequestQueue<T> {
  readonly #capacity: number;
  readonly #lanes: Readonly<Record<BusPriority, T[]>> = { verify: [], confirm: [], answer: [], poll: [] };
  #size = 0;
  #urgentInARow = 0;
  #dropped = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#size;
  }

  /** How many have given way or were turned away. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Returns the one that gave way, which may be the given one; undefined when there was room. */
  push(item: T, priority: BusPriority): T | undefined {
    let victim: T | undefined;
    if (this.#size >= this.#capacity) {
      this.#dropped += 1;
      const least = BUS_PRIORITIES.findLast((lane) => this.#lanes[lane].length > 0);
      if (least === undefined || BUS_PRIORITIES.indexOf(least) <= BUS_PRIORITIES.indexOf(priority))
        return item;
      victim = this.#lanes[least].pop();
      this.#size -= 1;
    }
    this.#lanes[priority].push(item);
    this.#size += 1;
    return victim;
  }

  /** Back to the head of its equals; it has been in line before, and there is always room for it. */
  putBack(item: T, priority: BusPriority): void {
    this.#lanes[priority].unshift(item);
    this.#size += 1;
  }

  /** The one that `take` would return. */
  peek(): T | undefined {
    const lane = this.#nextLane();
    return lane === undefined ? undefined : this.#lanes[lane][0];
  }

  take(): T | undefined {
    const lane = this.#nextLane();
    if (lane === undefined) return undefined;
    const passesPoll = lane !== 'poll' && this.#lanes.poll.length > 0;
    this.#urgentInARow = passesPoll ? this.#urgentInARow + 1 : 0;
    this.#size -= 1;
    return this.#lanes[lane].shift();
  }

  /** Takes out one that waits no longer; nothing happens when it is not there. */
  remove(item: T, priority: BusPriority): void {
    const lane = this.#lanes[priority];
    const index = lane.indexOf(item);
    if (index < 0) return;
    lane.splice(index, 1);
    this.#size -= 1;
  }

  #nextLane(): BusPriority | undefined {
    if (this.#urgentInARow >= URGENT_IN_A_ROW && this.#lanes.poll.length > 0) return 'poll';
    return BUS_PRIORITIES.find((lane) => this.#lanes[lane].length > 0);
  }
}
