import { describe, expect, it } from 'vitest';
import { WORKING_TTL_MS, WorkingMemory } from '../../../../src/domain/memory/working-memory.ts';

describe('what a session holds in mind', () => {
  it('is the newest value, with the one before it deprecated', () => {
    const memory = new WorkingMemory();
    memory.put('s', 'opened', 'a', 1);
    memory.put('s', 'opened', 'b', 2);
    memory.put('s', 'opened', 'c', 3);
    expect(memory.get('s', 'opened', 4)).toBe('c');
    expect(memory.slots('s', 4).map(({ value, isDeprecated }) => [value, isDeprecated])).toEqual([
      ['c', false],
      ['b', true],
    ]);
  });

  it('never changes a value that was handed out', () => {
    const memory = new WorkingMemory();
    memory.put('s', 'opened', 'a', 1);
    const [before] = memory.slots('s', 1);
    memory.put('s', 'opened', 'b', 2);
    expect(before).toEqual({ name: 'opened', value: 'a', putAtMs: 1, isDeprecated: false });
  });

  it('is gone after two hours', () => {
    const memory = new WorkingMemory();
    memory.put('s', 'opened', 'a', 0);
    expect(memory.get('s', 'opened', WORKING_TTL_MS - 1)).toBe('a');
    expect(memory.get('s', 'opened', WORKING_TTL_MS)).toBeUndefined();
    expect(memory.figures).toEqual({ sessions: 0, bytes: 0 });
  });

  it('gives way where it was unused for longest, and takes nothing larger than all there may be', () => {
    const memory = new WorkingMemory(60);
    for (const session of ['one', 'two', 'three']) memory.put(session, 'x', 'a'.repeat(20), 0);
    expect(memory.get('one', 'x', 1)).toBeUndefined();
    expect(memory.get('three', 'x', 1)).toBe('a'.repeat(20));
    expect(memory.figures.bytes).toBeLessThanOrEqual(60);
    expect(memory.put('four', 'x', 'a'.repeat(100), 1)).toBe(false);
    expect(memory.get('three', 'x', 1)).toBe('a'.repeat(20));
  });

  it('is bounded in one session too, and forgotten without being looked at', () => {
    const memory = new WorkingMemory(100);
    for (const name of ['a', 'b', 'c', 'd', 'e']) memory.put('s', name, 'x'.repeat(30), 0);
    expect(memory.figures.bytes).toBeLessThanOrEqual(100);
    expect(memory.get('s', 'e', 1)).toBe('x'.repeat(30));
    memory.put('t', 'a', 'x', WORKING_TTL_MS);
    expect(memory.figures.sessions).toBe(1);
  });

  it('is of its session alone, and forgotten with it', () => {
    const memory = new WorkingMemory();
    memory.put('s', 'x', 1, 0);
    expect(memory.get('t', 'x', 0)).toBeUndefined();
    memory.forget('s');
    expect(memory.figures).toEqual({ sessions: 0, bytes: 0 });
  });
});
