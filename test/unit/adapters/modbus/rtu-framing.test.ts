import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checksum } from '../../../../src/adapters/modbus/checksum.ts';
import { questionOf } from '../../../../src/adapters/modbus/question.ts';
import { RtuFraming } from '../../../../src/adapters/modbus/rtu-framing.ts';

function framed(...bytes: readonly number[]): Buffer {
  const crc = checksum(Uint8Array.from(bytes), 0, bytes.length);
  return Buffer.from([...bytes, crc & 0xff, crc >> 8]);
}

const byte = fc.integer({ min: 0, max: 0xff });
/** The question for `count` registers of unit 17, function 3. */
const question = (count: number) => framed(17, 3, 0, 107, 0, count);

function inspect(request: Buffer, received: Buffer) {
  const framing = new RtuFraming();
  framing.frame(request);
  return framing.inspect(received, questionOf(request));
}

describe('frames of a serial line', () => {
  it('have the checksums that the specification shows', () => {
    // Modbus over Serial Line V1.02, section 6.2.2: address 02, function 07 gives 12 41, low byte first.
    expect(framed(2, 7)).toEqual(Buffer.from([0x02, 0x07, 0x41, 0x12]));
  });

  it('are found whole behind any noise that does not look like their beginning', () => {
    const noise = fc.array(
      byte.filter((value) => value !== 17),
      { maxLength: 40 },
    );
    const words = fc.array(byte, { minLength: 2, maxLength: 20 }).filter(({ length }) => length % 2 === 0);
    fc.assert(
      fc.property(noise, words, fc.array(byte, { maxLength: 10 }), (before, values, after) => {
        const answer = framed(17, 3, values.length, ...values);
        const received = Buffer.concat([Buffer.from(before), answer, Buffer.from(after)]);
        expect(inspect(question(values.length / 2), received)).toEqual({
          kind: 'answer',
          rtu: answer,
          size: before.length + answer.length,
        });
      }),
    );
  });

  it('are not complete before their last byte', () => {
    const answer = framed(17, 3, 4, 1, 2, 3, 4);
    for (let length = 0; length < answer.length; length += 1)
      expect(inspect(question(2), answer.subarray(0, length))).toEqual({ kind: 'incomplete' });
  });

  it('never yield an answer once a bit of them has flipped', () => {
    const answer = framed(17, 3, 4, 1, 2, 3, 4);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: answer.length * 8 - 1 }), (bit) => {
        const flipped = Buffer.from(answer);
        flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect(inspect(question(2), flipped).kind).not.toBe('answer');
      }),
    );
  });

  it('are not looked for in the values of one that is still coming or damaged', () => {
    const decoy = framed(17, 0x83, 2);
    const answer = framed(17, 3, 6, ...decoy, 0);
    expect(inspect(question(3), answer.subarray(0, 9))).toEqual({ kind: 'incomplete' });
    expect(inspect(question(3), answer)).toMatchObject({ kind: 'answer', rtu: answer });
    const damaged = Buffer.from(answer);
    damaged[8] = 1;
    expect(inspect(question(3), damaged)).toMatchObject({ kind: 'unfit' });
  });

  it('carry exceptions of the function that was asked', () => {
    expect(inspect(question(2), framed(17, 0x83, 2))).toMatchObject({ kind: 'answer', size: 5 });
    expect(inspect(question(2), framed(17, 0x84, 2))).toEqual({ kind: 'incomplete' });
    expect(inspect(question(2), framed(18, 0x83, 2))).toEqual({ kind: 'incomplete' });
  });

  it('answer a write with its own words and no others', () => {
    const write = framed(17, 16, 0, 1, 0, 2, 4, 0, 10, 1, 2);
    expect(inspect(write, framed(17, 16, 0, 1, 0, 2))).toMatchObject({ kind: 'answer' });
    expect(inspect(write, framed(17, 16, 0, 1, 0, 1)).kind).not.toBe('answer');
    expect(inspect(write, framed(17, 16, 0, 2, 0, 2)).kind).not.toBe('answer');
    const mask = framed(17, 22, 0, 4, 0, 0xf2, 0, 0x25);
    expect(inspect(mask, mask)).toMatchObject({ kind: 'answer' });
    expect(inspect(mask, framed(17, 22, 0, 4, 0, 0xf2, 0, 0x24)).kind).not.toBe('answer');
  });
});
