import { describe, expect, it } from 'vitest';
import {
  inputTypeOf,
  isOftenCorrected,
  LAST_TURNS,
  markOf,
  type TurnMark,
} from '../../../../src/domain/session/turn-marks.ts';

describe('how well somebody is understood', () => {
  it.each([
    ['cancel_step', 'correction'],
    ['undo', 'correction'],
    ['read_point', 'question'],
    ['export_result', 'command'],
    ['write_request', 'command'],
    [undefined, 'command'],
  ] as const)('%s is a %s', (intent, type) => {
    expect(inputTypeOf(intent)).toBe(type);
  });

  it.each([
    [undefined, false, 'corrected'],
    [undefined, true, 'understood'],
    ['no', false, 'corrected'],
    ['undo', true, 'corrected'],
    ['read_point', true, 'understood'],
    ['yes', true, 'neither'],
    ['stop', false, 'neither'],
  ] as const)('after %s (with steps: %s) it counts as %s', (intent, hasSteps, mark) => {
    expect(markOf(intent, hasSteps)).toBe(mark);
  });

  it('is badly when three of the last ten turns were corrected, and no longer once they are past', () => {
    const corrected: TurnMark[] = ['corrected', 'corrected', 'corrected'];
    expect(isOftenCorrected(corrected.slice(1))).toBe(false);
    expect(isOftenCorrected(corrected)).toBe(true);
    const since = (turns: number): TurnMark[] => Array.from({ length: turns }, () => 'understood');
    expect(isOftenCorrected([...corrected, ...since(LAST_TURNS - 3)])).toBe(true);
    expect(isOftenCorrected([...corrected, ...since(LAST_TURNS - 2)])).toBe(false);
  });
});
