import { describe, expect, it } from 'vitest';
import { describeThrown, sayOf } from '../../../../src/adapters/sandbox/worker/describe-thrown.ts';

describe('what a handler threw', () => {
  it('keeps the code, message and hint by which a handler says what went wrong', () => {
    const fault = { code: 'INPUT_INVALID', message: 'no such period', hint: 'say "yesterday"' };
    expect(describeThrown(fault)).toEqual({ ...fault, told: true });
    expect(
      describeThrown(Object.assign(new Error('the server is away'), { code: 'TOOL_UNAVAILABLE' })),
    ).toEqual({
      code: 'TOOL_UNAVAILABLE',
      message: 'the server is away',
      told: true,
    });
  });

  it('is a failure of the tool with any other code: what the daemon says of a call is not for a handler to say', () => {
    for (const code of ['DENIED', 'CANCELLED', 'TOOL_OOM', 'ENOENT'])
      expect(describeThrown(Object.assign(new Error('x'), { code })).code).toBe('TOOL_FAILED');
  });

  it('tells an allocation that was refused from other errors', () => {
    expect(describeThrown(new RangeError('Array buffer allocation failed')).code).toBe('TOOL_OOM');
    expect(describeThrown(new RangeError('Invalid array length')).code).toBe('TOOL_FAILED');
  });

  it.each<[string, unknown, string]>([
    ['a text', 'no more', 'the handler threw no more'],
    ['nothing', undefined, 'the handler threw undefined'],
    ['null', null, 'the handler threw null'],
    ['a symbol', Symbol('odd'), 'the handler threw Symbol(odd)'],
    ['an object without a prototype', Object.create(null), 'the handler threw something that cannot be read'],
  ])('is described when it is %s', (_what, thrown, message) => {
    expect(describeThrown(thrown)).toEqual({ code: 'TOOL_FAILED', message, told: false });
  });

  it('is described when its very reading throws', () => {
    const trap = new Proxy(
      {},
      {
        get() {
          throw new Error('not to be read');
        },
      },
    );
    expect(describeThrown(trap)).toEqual({
      code: 'TOOL_FAILED',
      message: 'the handler threw something that cannot be read',
      told: false,
    });
    expect(sayOf(trap)).toBeUndefined();
  });

  it('may bring what is to be said of it', () => {
    const say = [{ phrase: 'ask_which', values: { name: 'Zhang' } }];
    expect(sayOf(Object.assign(new Error('two'), { say }))).toEqual(say);
    expect(sayOf(new Error('nothing to say'))).toBeUndefined();
    expect(sayOf('a text')).toBeUndefined();
    expect(sayOf({ say: 'x'.repeat(100_000) })).toBeUndefined();
  });

  it('is cut to what a log holds', () => {
    expect(describeThrown(new Error('x'.repeat(100_000))).message).toHaveLength(1000);
  });
});
