import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ARITHMETIC,
  COMPARISONS,
  type Expression,
} from '../../../../../src/domain/plc/writing/interlock-expression.ts';
import { parseInterlock } from '../../../../../src/domain/plc/writing/parse-interlock.ts';
import { interlockText } from '../../../../support/interlock-text.ts';

function shapeOf(text: string): string {
  const parsed = parseInterlock(text);
  return parsed.ok ? interlockText(parsed.expression) : `column ${parsed.fault.at}: ${parsed.fault.message}`;
}

describe('the conditions for a write', () => {
  it.each([
    ['mode == "stopped" and pressure < 2', '((mode == "stopped") and (pressure < 2))'],
    ['guard_door', 'guard_door'],
    ['a or b and not c == d', '(a or (b and (not (c == d))))'],
    ['a - b - c * d / e < -2.50', '(((a - b) - ((c * d) / e)) < (-2.50))'],
    ['not not (a or b) and c', '((not (not (a or b))) and c)'],
    ["oven.state != '停止'", '(oven.state != "停止")'],
    ["text == 'it\\'s \\\\'", '(text == "it\'s \\\\")'],
    ['a<=b', '(a <= b)'],
    ['  a\n>\tb ', '(a > b)'],
  ])('reads %s with the bindings of arithmetic and logic', (text, shape) => {
    expect(shapeOf(text)).toBe(shape);
  });

  it.each([
    ['machine-12.temperature < 3', '(machine-12.temperature < 3)'],
    ['2-stage.3-way_valve', '2-stage.3-way_valve'],
    ['a-b', 'a-b'],
    ['a - b', '(a - b)'],
    ['a -b', '(a - b)'],
    ['(a)-b', '(a - b)'],
    ['7.5 < a', '(7.5 < a)'],
    ['12.and', '12.and'],
    ['1 -2', '(1 - 2)'],
  ])('takes %s apart where the spaces are, since names hold dashes and digits', (text, shape) => {
    expect(shapeOf(text)).toBe(shape);
  });

  it.each([
    ['a < b < c', 'column 7: comparisons cannot be chained: write a < b and b < c'],
    ['a == b != c', 'column 8: comparisons cannot be chained: write a < b and b < c'],
    ['a &&& b', 'column 3: & means nothing here: write and'],
    ['a = 1', 'column 3: = means nothing here: write == for "is equal"'],
    ['!a', 'column 1: ! means nothing here: write not, or != for "is not equal"'],
    ['mode == “stopped”', 'column 9: “ means nothing here: use straight quotes: "'],
    ['（a）', 'column 1: （ means nothing here: use plain parentheses: ('],
    ['mode == 停止', 'column 9: 停 cannot begin a name: points go by their keys, texts go in quotes'],
    [
      'a AND b',
      'column 3: "AND" is no number and no name of a point: names are point or machine.point, in lower case; write and',
    ],
    [
      'a.b.c',
      'column 1: "a.b.c" is no number and no name of a point: names are point or machine.point, in lower case',
    ],
    ['a == "open', 'column 6: this text has no closing "'],
    ['(a or b', 'column 8: the ( of column 1 needs its ) before the end'],
    ['a b', 'column 3: b is not expected here'],
    ['a and', 'column 6: a point, a value or ( is expected, not the end'],
    ['a and or b', 'column 7: a point, a value or ( is expected, not or'],
    ['', 'column 1: a point, a value or ( is expected, not the end'],
    ['a < 1234567890.123456', 'column 5: a number has 15 digits at most'],
  ])('refuses %s with the column and what to write instead', (text, message) => {
    expect(shapeOf(text)).toBe(message);
  });

  it('refuses what is too long or too deep', () => {
    expect(shapeOf(`${'a + '.repeat(75)}a`)).toBe('column 301: a condition has 300 characters at most');
    expect(shapeOf(`${'('.repeat(20)}a${')'.repeat(20)}`)).toBe('a');
    expect(shapeOf(`${'('.repeat(21)}a${')'.repeat(21)}`)).toBe('column 21: nested deeper than 20');
    expect(shapeOf(`${'not '.repeat(21)}a`)).toBe('column 81: nested deeper than 20');
    expect(shapeOf(`a < ${'- '.repeat(21)}1`)).toBe('column 45: nested deeper than 20');
  });

  it('never throws, whatever it is given', () => {
    const words = fc.constantFrom(
      'a',
      'b.c',
      'and',
      'or',
      'not',
      '(',
      ')',
      '<',
      '==',
      '-',
      '"x"',
      "'",
      '2',
      '.',
      '停',
    );
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.array(words, { maxLength: 80 }).map((parts) => parts.join(' ')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const parsed = parseInterlock(text);
        if (parsed.ok) return;
        expect(parsed.fault.at).toBeGreaterThanOrEqual(1);
        expect(parsed.fault.at).toBeLessThanOrEqual(text.length + 1);
      }),
      { numRuns: 3_000 },
    );
  });

  it('reads back every condition that it is shown as', () => {
    fc.assert(
      fc.property(expressions, (expression) => {
        const text = interlockText(expression);
        fc.pre(text.length <= 300);
        expect(shapeOf(text)).toBe(text);
        const parsed = parseInterlock(text);
        expect(parsed.ok && withoutColumns(parsed.expression)).toEqual(withoutColumns(expression));
      }),
      { numRuns: 2_000 },
    );
  });
});

const at = 1;
const keys = fc
  .stringMatching(/^[a-z0-9][a-z0-9_-]{0,6}$/)
  .filter((key) => !/^\d+$/.test(key) && !['and', 'or', 'not', 'true', 'false'].includes(key));

const { expressions } = fc.letrec<{ expressions: Expression }>((tie) => ({
  expressions: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.nat(1e9).map((value): Expression => ({ kind: 'number', digits: String(value), at })),
    fc.string({ unit: 'grapheme', maxLength: 8 }).map((text): Expression => ({ kind: 'text', text, at })),
    fc.boolean().map((value): Expression => ({ kind: 'boolean', value, at })),
    fc
      .tuple(fc.option(keys, { nil: undefined }), keys)
      .map(([machine, point]): Expression => ({ kind: 'point', machine, point, at })),
    fc
      .tuple(fc.constantFrom('not' as const, 'negative' as const), tie('expressions'))
      .map(([kind, operand]): Expression => ({ kind, operand, at })),
    fc
      .tuple(
        fc.constantFrom(...COMPARISONS, ...ARITHMETIC, 'and' as const, 'or' as const),
        tie('expressions'),
        tie('expressions'),
      )
      .map(([operator, left, right]): Expression => ({ kind: 'binary', operator, left, right, at })),
  ),
}));

function withoutColumns(expression: Expression): unknown {
  return JSON.parse(JSON.stringify(expression, (key, value: unknown) => (key === 'at' ? undefined : value)));
}
