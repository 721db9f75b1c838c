import { describe, expect, it } from 'vitest';
import {
  type CallTally,
  countCall,
  isToolError,
  NO_CALLS,
  pathFault,
} from '../../../../src/domain/tool/call-guards.ts';

const call = (tool: string, args: Record<string, number> = {}, path: readonly string[] = []) => ({
  tool,
  args,
  path,
});

function counted(calls: readonly ReturnType<typeof call>[]): CallTally {
  return calls.reduce<CallTally>((tally, next) => {
    const found = countCall(tally, next);
    if (isToolError(found)) throw new Error(found.message);
    return found;
  }, NO_CALLS);
}

describe('calls within calls', () => {
  it('are stopped at the second occurrence of a tool', () => {
    expect(pathFault(call('compare', {}, ['report']))).toBeUndefined();
    expect(pathFault(call('report', {}, ['report']))).toMatchObject({
      code: 'RECURSIVE_CALL',
      message: 'report -> report goes in a circle',
    });
    expect(pathFault(call('report', {}, ['report', 'compare']))).toMatchObject({ code: 'RECURSIVE_CALL' });
  });

  it('go three deep; the fourth is refused', () => {
    expect(pathFault(call('c', {}, ['a', 'b']))).toBeUndefined();
    expect(pathFault(call('d', {}, ['a', 'b', 'c']))).toMatchObject({
      code: 'CALL_DEPTH_EXCEEDED',
      message: 'a -> b -> c -> d is deeper than 3 calls',
    });
  });
});

describe('calls of one command', () => {
  it('with the same tool and arguments run twice; the third is blocked', () => {
    const twice = counted([call('read', { a: 1, b: 2 }), call('read', { b: 2, a: 1 })]);
    expect(countCall(twice, call('read', { a: 1, b: 2 }))).toMatchObject({ code: 'REPEATED_CALL' });
    expect(isToolError(countCall(twice, call('read', { a: 1, b: 3 })))).toBe(false);
    expect(isToolError(countCall(twice, call('write', { a: 1, b: 2 })))).toBe(false);
  });

  it('are ten at most, whoever planned them', () => {
    const ten = counted(Array.from({ length: 10 }, (_, index) => call('read', { index })));
    expect(countCall(ten, call('read', { index: 10 }))).toMatchObject({ code: 'TOO_MANY_STEPS' });
  });

  it('that tools make of other tools are no steps, but are bounded too', () => {
    const hundred = counted(Array.from({ length: 100 }, (_, index) => call('read', { index }, ['report'])));
    expect(hundred.steps).toBe(0);
    expect(countCall(hundred, call('read', { index: 100 }, ['report']))).toMatchObject({
      code: 'TOO_MANY_STEPS',
    });
  });

  it('that were refused do not count', () => {
    const twice = counted([call('read'), call('read')]);
    countCall(twice, call('read'));
    expect(twice.steps).toBe(2);
  });
});
