import { describe, expect, it } from 'vitest';
import { BoundedQueue } from '../../../src/runtime/bounded-queue.ts';

describe('a bounded queue', () => {
  it('drops the oldest, returns it and counts it', () => {
    const queue = new BoundedQueue<number>(2, 'oldest');
    expect([queue.push(1), queue.push(2), queue.push(3)]).toEqual([undefined, undefined, 1]);
    expect([queue.shift(), queue.shift(), queue.shift()]).toEqual([2, 3, undefined]);
    expect(queue.dropped).toBe(1);
  });

  it('drops the newest, returns it and counts it', () => {
    const queue = new BoundedQueue<number>(2, 'newest');
    expect([queue.push(1), queue.push(2), queue.push(3)]).toEqual([undefined, undefined, 3]);
    expect([queue.shift(), queue.shift()]).toEqual([1, 2]);
    expect(queue.dropped).toBe(1);
  });

  it('refuses a capacity that holds nothing', () => {
    expect(() => new BoundedQueue(0, 'oldest')).toThrow(RangeError);
  });
});
