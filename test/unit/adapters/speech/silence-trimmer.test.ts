import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SilenceTrimmer } from '../../../../src/adapters/speech/silence-trimmer.ts';

function samples(...values: number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  values.forEach((value, i) => {
    bytes.writeInt16LE(value, 2 * i);
  });
  return bytes;
}

function trimmed(bytes: Buffer, cuts: readonly number[]): Buffer {
  const trimmer = new SilenceTrimmer();
  const borders = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return Buffer.concat(borders.slice(1).map((end, i) => trimmer.push(bytes.subarray(borders[i], end))));
}

describe('silence around the sound', () => {
  it('is taken off both ends and kept between sounds', () => {
    const spoken = samples(0, 3, 500, 0, 0, -700, 0, 0);
    expect(trimmed(spoken, [])).toEqual(samples(500, 0, 0, -700));
  });

  it('is all there may be', () => {
    expect(trimmed(samples(0, 0, 0), [])).toHaveLength(0);
  });

  it('is found however the bytes are cut into pieces', () => {
    const sample = fc.oneof(fc.constant(0), fc.integer({ min: -32_768, max: 32_767 }));
    fc.assert(
      fc.property(
        fc.array(sample, { maxLength: 60 }),
        fc.array(fc.nat(), { maxLength: 8 }),
        (values, cuts) => {
          const loud = values.map((value) => Math.abs(value) >= 16);
          const expected = values.slice(Math.max(0, loud.indexOf(true)), loud.lastIndexOf(true) + 1);
          expect(trimmed(samples(...values), cuts)).toEqual(samples(...expected));
        },
      ),
    );
  });
});
