import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  encodeFrame,
  FrameDecoder,
  type WorkerFrame,
} from '../../../../src/adapters/recogniser/worker-frames.ts';

const text = fc.string().map((line) => line.replaceAll('\n', ' '));
const frame: fc.Arbitrary<WorkerFrame> = fc.oneof(
  fc.record({ kind: fc.constant('audio' as const), pcm: fc.int16Array(), lostBefore: fc.boolean() }),
  fc.constantFrom('discard' as const, 'rest' as const, 'cut' as const).map((kind) => ({ kind })),
  fc.record({
    kind: fc.constantFrom('grammar' as const, 'knownWords' as const),
    id: fc.nat(),
    items: fc.array(text),
  }),
);

describe('frames to the child', () => {
  it('come out as they went in, wherever the bytes are cut', () => {
    fc.assert(
      fc.property(fc.array(frame), fc.array(fc.nat({ max: 64 })), (frames, cuts) => {
        const bytes = Buffer.concat(frames.map(encodeFrame));
        const decoder = new FrameDecoder();
        const out: WorkerFrame[] = [];
        let at = 0;
        for (const cut of cuts) {
          out.push(...decoder.push(bytes.subarray(at, at + cut)));
          at = Math.min(bytes.length, at + cut);
        }
        out.push(...decoder.push(bytes.subarray(at)));
        expect(out).toEqual(frames);
      }),
    );
  });

  it('are refused when they are none', () => {
    expect(() => new FrameDecoder().push(Buffer.from([9, 0, 0, 0, 0, 0]))).toThrow(/unknown kind 9/);
    expect(() => new FrameDecoder().push(Buffer.from([1, 0, 255, 255, 255, 255]))).toThrow(RangeError);
  });
});
