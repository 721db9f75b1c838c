import { describe, expect, it } from 'vitest';
import { LineQuiet } from '../../../../src/adapters/modbus/line-quiet.ts';
import { questionOf } from '../../../../src/adapters/modbus/question.ts';
import { frameGapMs } from '../../../../src/adapters/modbus/serial-line.ts';

const TIMEOUT_MS = 1_000;
/** Unit 1, function 3. */
const question = questionOf(Buffer.from([1, 3, 0, 10, 0, 1, 0, 0]));

function quiet(gapMs = 4, answerSilenceMs = 0): LineQuiet {
  return new LineQuiet({ frameGapMs: gapMs, answerSilenceMs, timeoutMs: TIMEOUT_MS });
}

describe('a serial line', () => {
  it('is free at first, and after a frame when the gap has passed', () => {
    const line = quiet();
    expect(line.waitMs(1, 3, 0)).toBeLessThanOrEqual(0);
    line.noteBytes(100);
    expect(line.waitMs(1, 3, 101)).toBe(3);
    expect(line.waitMs(1, 3, 104)).toBe(0);
  });

  it('has to be silent for longer after a disturbance, but is not waited for without end', () => {
    const line = quiet();
    line.noteBytes(100);
    line.noteDisturbed(100);
    expect(line.waitMs(1, 3, 110)).toBe(10);
    for (let nowMs = 100; nowMs <= 1_095; nowMs += 5) line.noteBytes(nowMs);
    expect(line.waitMs(1, 3, 1_096)).toBe(4);
    line.noteSent(1_100);
    line.noteBytes(2_000);
    expect(line.waitMs(1, 3, 2_000)).toBe(4);
  });

  it('owes an answer for as long again as it was waited for, to the unit and function it could be mistaken for', () => {
    const line = quiet();
    line.noteUnanswered(question, 0, TIMEOUT_MS);
    expect(line.waitMs(1, 3, TIMEOUT_MS)).toBe(TIMEOUT_MS);
    expect(line.waitMs(1, 4, TIMEOUT_MS)).toBe(0);
    expect(line.waitMs(2, 3, TIMEOUT_MS)).toBe(0);
    expect(line.waitMs(1, 3, 2 * TIMEOUT_MS)).toBe(0);
  });

  it('is not spoken into while a device may still answer a caller that gave up early', () => {
    const line = quiet();
    line.noteUnanswered(question, 0, 100);
    expect(line.waitMs(2, 4, 100)).toBe(TIMEOUT_MS - 100);
    expect(line.waitMs(1, 3, 100)).toBe(2 * TIMEOUT_MS - 100);
  });

  it('is silent behind each answer for as long as it is told', () => {
    const line = quiet(0, 20);
    line.noteAnswer(0, 30);
    expect(line.waitMs(1, 3, 30)).toBe(20);
  });

  it.each([
    ['fast', 5, 50],
    ['slow', 200, 400],
    ['slower than half the limit', 700, TIMEOUT_MS],
  ])(
    'is silent for long behind each answer of a %s device for a minute after trouble',
    (_what, tookMs, silenceMs) => {
      const line = quiet(0, 20);
      line.noteDisturbed(0);
      line.noteSent(100);
      line.noteAnswer(100, 100 + tookMs);
      expect(line.waitMs(1, 3, 100 + tookMs)).toBe(silenceMs);
      line.noteSent(60_000);
      line.noteAnswer(60_000, 60_000 + tookMs);
      expect(line.waitMs(1, 3, 60_000 + tookMs)).toBe(20);
    },
  );

  it('is silent for long once in 32 answers without trouble, unless nothing was asked for as long', () => {
    const line = quiet(0, 20);
    let nowMs = 0;
    const silenceAfterNext = (pauseMs: number): number => {
      nowMs += pauseMs;
      line.noteSent(nowMs);
      line.noteAnswer(nowMs, nowMs + 100);
      nowMs += 100;
      return line.waitMs(1, 3, nowMs);
    };
    silenceAfterNext(0);
    for (let count = 2; count < 32; count += 1) expect(silenceAfterNext(20)).toBe(20);
    expect(silenceAfterNext(20)).toBe(200);
    for (let count = 1; count < 32; count += 1) expect(silenceAfterNext(200)).toBe(20);
    expect(silenceAfterNext(200)).toBe(20);
  });

  it('starts its silence anew with each answer too many, and forgets how long the wrong one took', () => {
    const line = quiet(0, 20);
    line.noteAnswer(0, 400);
    line.noteSurplus(430);
    expect(line.waitMs(1, 3, 430)).toBe(50);
  });

  it('owes nothing more when the late answer has come', () => {
    const line = quiet();
    line.noteUnanswered(question, 0, 100);
    line.noteBytes(300);
    for (const owed of line.owed(300)) line.noteLate(owed);
    expect(line.owed(300)).toEqual([]);
    expect(line.waitMs(1, 3, 300)).toBe(20);
  });

  it.each([
    [9_600, 'even', 1, 4.01],
    [9_600, 'none', 1, 3.646],
    [19_200, 'none', 2, 2.005],
    [115_200, 'even', 1, 1.75],
  ] as const)(
    'at %d baud, parity %s, %d stop bits has a gap of %d ms',
    (baudRate, parity, stopBits, gapMs) => {
      expect(frameGapMs({ path: '', baudRate, parity, stopBits })).toBeCloseTo(gapMs, 2);
    },
  );
});
