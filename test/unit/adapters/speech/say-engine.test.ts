import { describe, expect, it } from 'vitest';
import { failureIn } from '../../../../src/adapters/speech/say-engine.ts';

describe('what festival says on stderr', () => {
  it('is no failure when its voice only lacks a pair of sounds', () => {
    expect(
      failureIn(
        'UniSyn: using default diphone ax-ax for w-v\nUniSyn: using default diphone ax-ax for aa-y\n',
      ),
    ).toBe('');
  });

  it('is one when its player or its Scheme complains, whatever else it remarks', () => {
    const complaint =
      'UniSyn: using default diphone ax-ax for w-v\naplay: main:850: audio open error: No such file or directory\n';
    expect(failureIn(complaint)).toBe('aplay: main:850: audio open error: No such file or directory');
    expect(failureIn('SIOD ERROR: unbound variable : x\n')).toBe('SIOD ERROR: unbound variable : x');
  });
});
