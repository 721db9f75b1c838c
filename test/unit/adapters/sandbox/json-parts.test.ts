import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PartsAssembler, partsOf } from '../../../../src/adapters/sandbox/json-parts.ts';
import type { JsonValue } from '../../../../src/domain/json.ts';

function assembled(parts: readonly string[]): JsonValue {
  const assembler = new PartsAssembler();
  for (const part of parts) {
    const value: JsonValue = JSON.parse(part);
    assembler.take(value);
  }
  return assembler.done();
}

const plain = (value: unknown): JsonValue => JSON.parse(JSON.stringify(value));
const json = fc
  .jsonValue({ maxDepth: 5 })
  .map(plain)
  .filter((value) => !JSON.stringify(value).includes('__proto__'));

describe('the parts of a value', () => {
  it('make the same value again, whatever it is', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(assembled([...partsOf(value)])).toEqual(value);
      }),
    );
  });

  it('make large values again: long lists, long texts, wide objects, and texts cut inside a character', () => {
    fc.assert(
      fc.property(json, fc.integer({ min: 1, max: 40_000 }), (value, count) => {
        const large = plain({
          list: Array.from({ length: Math.ceil(count / 10) }, () => value),
          text: '😀'.repeat(count),
          wide: Object.fromEntries(Array.from({ length: Math.ceil(count / 20) }, (_, i) => [`k${i}`, value])),
        });
        expect(assembled([...partsOf(large)])).toEqual(large);
      }),
      { numRuns: 20 },
    );
  });

  it('are small, however large the value', () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => ({ at: i, text: `row ${i}` }));
    const lengths = [...partsOf([rows, 'é'.repeat(500_000)])].map((part) => part.length);
    expect(Math.max(...lengths)).toBeLessThan(40_000);
    expect(lengths.length).toBeGreaterThan(50);
  });

  it.each<[string, JsonValue[]]>([
    ['a close before anything was open', [['close']]],
    [
      'items in an object',
      [
        ['open', null, 'object'],
        ['items', [1]],
      ],
    ],
    [
      'fields in a list',
      [
        ['open', null, 'list'],
        ['fields', { a: 1 }],
      ],
    ],
    ['a key in a list', [['open', null, 'list'], ['open', 'a', 'list'], ['close']]],
    [
      'an unknown part',
      [
        ['open', null, 'list'],
        ['other', [1]],
      ],
    ],
    ['no part at all', [7]],
    [
      'a part after the whole',
      [
        ['whole', 1],
        ['whole', 2],
      ],
    ],
    [
      'a container named __proto__',
      [
        ['open', null, 'object'],
        ['open', '__proto__', 'object'],
      ],
    ],
    ['more levels than any value has', Array.from({ length: 100 }, () => ['open', null, 'list'])],
  ])('are refused: %s', (_what, parts) => {
    const assembler = new PartsAssembler();
    expect(() => {
      for (const part of parts) assembler.take(part);
    }).toThrow(TypeError);
  });

  it('are refused when a field in them is named __proto__', () => {
    const assembler = new PartsAssembler();
    assembler.take(['open', null, 'object']);
    const fields: JsonValue = JSON.parse('["fields", {"__proto__": {"admin": true}}]');
    expect(() => assembler.take(fields)).toThrow(TypeError);
  });

  it('give no value before all of them have come', () => {
    const assembler = new PartsAssembler();
    assembler.take(['open', null, 'list']);
    expect(() => assembler.done()).toThrow(TypeError);
  });
});
