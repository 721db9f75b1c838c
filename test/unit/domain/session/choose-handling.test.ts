import { describe, expect, it } from 'vitest';
import { BUSY_LOAD, chooseHandling } from '../../../../src/domain/session/choose-handling.ts';

const QUIET = { cpu: 0.2, memory: 0.4 };

describe('how a turn is handled', () => {
  it('a correction is worked out on the ledger and read back; no model is asked', () => {
    expect(chooseHandling({ inputType: 'correction', frequentCorrections: false, load: QUIET })).toEqual({
      resolveOn: 'ledger',
      mayAskModel: false,
      readBack: true,
      parallelSteps: 3,
    });
  });

  it('whoever is often misunderstood hears a command again before it is carried out', () => {
    const readBack = (inputType: 'command' | 'question', frequentCorrections: boolean) =>
      chooseHandling({ inputType, frequentCorrections, load: QUIET }).readBack;
    expect(readBack('command', true)).toBe(true);
    expect(readBack('command', false)).toBe(false);
    expect(readBack('question', true)).toBe(false);
  });

  it.each([
    { cpu: BUSY_LOAD, memory: 0.1 },
    { cpu: 0.1, memory: BUSY_LOAD },
  ])('a box under load (%j) asks no model and does one thing at a time', (load) => {
    expect(chooseHandling({ inputType: 'command', frequentCorrections: false, load })).toMatchObject({
      mayAskModel: false,
      parallelSteps: 1,
    });
    expect(
      chooseHandling({ inputType: 'command', frequentCorrections: false, load: QUIET }).mayAskModel,
    ).toBe(true);
  });
});
