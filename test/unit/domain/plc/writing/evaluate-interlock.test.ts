import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BadReason, KnownReading, PointValue } from '../../../../../src/domain/plc/reading.ts';
import {
  checkInterlock,
  type InterlockPoint,
  type InterlockScope,
} from '../../../../../src/domain/plc/writing/check-interlock.ts';
import {
  evaluateInterlock,
  type InterlockVerdict,
} from '../../../../../src/domain/plc/writing/evaluate-interlock.ts';

const NO_ENUM: InterlockPoint['texts'] = new Map();
const MODES: InterlockPoint['texts'] = new Map([
  [0, { en: 'stopped', zh: '停止' }],
  [1, { en: 'running', zh: '运行' }],
]);
const point = (type: InterlockPoint['type'], texts = NO_ENUM): InterlockPoint => ({
  type,
  texts,
  isReadable: true,
});

const SCOPE: InterlockScope = new Map([
  [
    'm',
    new Map([
      ['x', point('int32')],
      ['y', point('int32')],
      ['t', point('float64')],
      ['p', point('bool')],
      ['q', point('bool')],
      ['mode', point('uint16', MODES)],
      ['door', point('bool', MODES)],
      ['batch', point('string')],
    ]),
  ],
]);

type Known = PointValue | { readonly bad: BadReason } | 'stale';

function verdictOf(text: string, values: Readonly<Record<string, Known>>): InterlockVerdict {
  const checked = checkInterlock(text, 'm', SCOPE);
  if (!checked.ok) throw new Error(`${text}: ${checked.fault.message}`);
  const readings = Object.entries(values).map(([key, value]): KnownReading => {
    const base = { ref: { machine: 'm', point: key }, atMs: 0, bootId: 'b', seq: 1 };
    if (value === 'stale')
      return {
        ...base,
        quality: 'stale',
        reason: 'timeout',
        detail: '',
        last: { ...base, quality: 'good', value: true },
      };
    return typeof value === 'object'
      ? { ...base, quality: 'bad', reason: value.bad, detail: '' }
      : { ...base, quality: 'good', value };
  });
  return evaluateInterlock(checked.interlock, readings);
}

describe('a condition for a write', () => {
  it.each([
    ['mode == "停止"', { mode: 0 }, 'met'],
    ['mode == "stopped"', { mode: 1 }, 'unmet'],
    ['"stopped" != mode', { mode: 1 }, 'met'],
    ['door == "running"', { door: true }, 'met'],
    ['batch == "A7"', { batch: 'A7' }, 'met'],
    ['batch != "A7"', { batch: 'a7' }, 'met'],
    ['x / 10 + 0.2 == 0.3', { x: 1 }, 'met'],
    ['-t < -1', { t: 1.5 }, 'met'],
    ['p or q', { p: false, q: true }, 'met'],
  ] as const)('%s over %j is %s', (text, values, verdict) => {
    expect(verdictOf(text, values).verdict).toBe(verdict);
  });

  it.each<[string, string, Record<string, Known>]>([
    ['a point that could not be read', 'p', { p: { bad: 'timeout' } }],
    ['an old value', 'p', { p: 'stale' }],
    ['no reading at all', 'p', {}],
    ['a bad point beside one that would decide alone', 'p or q', { p: true, q: { bad: 'refused' } }],
    ['a negated bad point', 'not p', { p: { bad: 'unreachable' } }],
    ['a comparison that a bad point is not equal in', 'x != 3', { x: { bad: 'unavailable' } }],
    ['two points that could both not be read', 'x == y', { x: { bad: 'timeout' }, y: { bad: 'timeout' } }],
    ['a state that has no name', 'mode != "stopped"', { mode: 7 }],
    ['a division by zero', '1 / x < 2', { x: 0 }],
    ['an infinite number beside what decides alone', 'p or 1 / x < 2', { p: true, x: 0 }],
    ['a value of another type than its point', 'x < 3', { x: 'low' }],
    ['a text where a state should be', 'x == y', { x: 'low', y: 2 }],
  ])('is not met over %s', (_, text, values) => {
    expect(verdictOf(text, values).verdict).toBe('unknown');
  });

  it('says what it saw of each point, once', () => {
    expect(verdictOf('x < 3 and (x > y or p)', { x: 5, y: { bad: 'timeout' }, p: true }).saw).toEqual([
      { ref: { machine: 'm', point: 'x' }, value: 5 },
      { ref: { machine: 'm', point: 'y' }, bad: 'timeout' },
      { ref: { machine: 'm', point: 'p' }, value: true },
    ]);
  });

  it('agrees with what the language of this program makes of the same words', () => {
    fc.assert(
      fc.property(conditions, values, (condition, { x, y, p, q }) => {
        fc.pre(condition.length <= 280);
        const translated = condition
          .replaceAll('==', '===')
          .replaceAll('!=', '!==')
          .replaceAll(' and ', ' && ')
          .replaceAll(' or ', ' || ')
          .replaceAll('not ', '!');
        const reference: unknown = new Function('x', 'y', 'p', 'q', `return ${translated}`)(x, y, p, q);
        expect(verdictOf(`(${condition}) and p == p`, { x, y, p, q }).verdict).toBe(
          reference === true ? 'met' : 'unmet',
        );
      }),
      { numRuns: 2_000 },
    );
  });
});

const values = fc.record({
  x: fc.integer({ min: -9, max: 9 }),
  y: fc.integer({ min: -9, max: 9 }),
  p: fc.boolean(),
  q: fc.boolean(),
});

/** Numbers stay small and whole, where rounding to fifteen digits changes nothing. */
const { conditions } = fc.letrec<{ numbers: string; conditions: string }>((tie) => ({
  numbers: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('x', 'y', '2', '7'),
    fc
      .tuple(tie('numbers'), fc.constantFrom('+', '-', '*'), tie('numbers'))
      .map(([one, operator, other]) => `${one} ${operator} ${other}`),
    tie('numbers').map((inner) => `(${inner})`),
    tie('numbers').map((inner) => `-(${inner})`),
  ),
  conditions: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('p', 'q'),
    fc
      .tuple(tie('numbers'), fc.constantFrom('<', '<=', '>', '>=', '==', '!='), tie('numbers'))
      .map(([one, operator, other]) => `${one} ${operator} ${other}`),
    fc
      .tuple(tie('conditions'), fc.constantFrom('and', 'or'), tie('conditions'))
      .map(([one, operator, other]) => `${one} ${operator} ${other}`),
    tie('conditions').map((inner) => `(${inner})`),
    tie('conditions').map((inner) => `not (${inner})`),
  ),
}));
