import { describe, expect, it } from 'vitest';
import { RequestQueue } from '../../../../src/adapters/modbus/request-queue.ts';

function drained(queue: RequestQueue<string>): string[] {
  const taken: string[] = [];
  for (let next = queue.take(); next !== undefined; next = queue.take()) taken.push(next);
  return taken;
}

describe('the line before a bus', () => {
  it('lets the most urgent go first, and among equals the first that came', () => {
    const queue = new RequestQueue<string>(10);
    queue.push('poll 1', 'poll');
    queue.push('answer 1', 'answer');
    queue.push('confirm 1', 'confirm');
    queue.push('answer 2', 'answer');
    queue.push('verify 1', 'verify');
    expect(queue.size).toBe(5);
    expect(queue.peek()).toBe('verify 1');
    expect(drained(queue)).toEqual(['verify 1', 'confirm 1', 'answer 1', 'answer 2', 'poll 1']);
    expect(queue.size).toBe(0);
  });

  it('lets one poll go after eight others in a row, for as long as polls wait', () => {
    const queue = new RequestQueue<string>(100);
    queue.push('p', 'poll');
    queue.push('p', 'poll');
    for (let index = 0; index < 20; index += 1) queue.push('a', index % 2 === 0 ? 'answer' : 'verify');
    expect(drained(queue).join('')).toBe(`${'a'.repeat(8)}p${'a'.repeat(8)}paaaa`);
  });

  it('owes a poll nothing for the time before it came', () => {
    const queue = new RequestQueue<string>(100);
    for (let index = 0; index < 20; index += 1) queue.push('a', 'answer');
    for (let index = 0; index < 10; index += 1) queue.take();
    queue.push('p', 'poll');
    expect(drained(queue).join('')).toBe(`${'a'.repeat(8)}paa`);
  });

  it('is full at its capacity: the last of the least urgent gives way to one more urgent, and to no other', () => {
    const queue = new RequestQueue<string>(3);
    for (const name of ['poll 1', 'poll 2']) expect(queue.push(name, 'poll')).toBeUndefined();
    expect(queue.push('answer 1', 'answer')).toBeUndefined();
    expect(queue.push('poll 3', 'poll')).toBe('poll 3');
    expect(queue.push('verify 1', 'verify')).toBe('poll 2');
    expect(queue.push('answer 2', 'answer')).toBe('poll 1');
    expect(queue.push('answer 3', 'answer')).toBe('answer 3');
    expect(queue.dropped).toBe(4);
    expect(queue.size).toBe(3);
    expect(drained(queue)).toEqual(['verify 1', 'answer 1', 'answer 2']);
  });

  it('takes one back at the head of its equals, and gives up one that waits no longer', () => {
    const queue = new RequestQueue<string>(2);
    queue.push('answer 1', 'answer');
    queue.push('answer 2', 'answer');
    const first = queue.take() ?? '';
    queue.putBack(first, 'answer');
    queue.remove('answer 2', 'answer');
    queue.remove('answer 2', 'answer');
    expect(queue.size).toBe(1);
    expect(drained(queue)).toEqual(['answer 1']);
  });
});
