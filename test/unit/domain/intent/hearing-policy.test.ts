import { describe, expect, it } from 'vitest';
import { decideHearing, type Hearing } from '../../../../src/domain/intent/hearing-policy.ts';

const hearing = (text: string, more: Partial<Hearing> = {}): Hearing => ({
  words: text
    .split(' ')
    .filter(Boolean)
    .map((word) => ({ text: word, confidence: 1 })),
  audioLost: false,
  cut: false,
  snrDb: 20,
  fits: true,
  ...more,
});

describe('what becomes of an utterance', () => {
  it('acts on a whole sentence that fits', () => {
    expect(decideHearing(hearing('read the temperature of machine twelve'))).toBe('act');
  });

  it('never acts when audio was lost, and says so when it was meant for the box', () => {
    expect(decideHearing(hearing('read the temperature of machine twelve', { audioLost: true }))).toBe(
      'ask_again_lost',
    );
    expect(decideHearing(hearing('stop the', { audioLost: true, fits: false }))).toBe('ignore');
  });

  it('never acts on an utterance that was cut at its length limit', () => {
    expect(decideHearing(hearing('read the temperature of machine twelve', { cut: true }))).toBe('ask_again');
  });

  it('never acts on an unknown word, even where the rest would fit', () => {
    expect(decideHearing(hearing('read the temperature [unk]'))).toBe('ask_again');
  });

  it('asks again for several known words that fit nothing', () => {
    expect(decideHearing(hearing('temperature the machine read', { fits: false }))).toBe('ask_again');
  });

  it.each(['', '[unk]', '[unk] [unk] [unk]'])('keeps silent for %j', (text) => {
    expect(decideHearing(hearing(text, { fits: false }))).toBe('ignore');
  });

  it.each(['the', 'no', 'stop of'])('keeps silent for the fillers that noise turns into: %j', (text) => {
    expect(decideHearing(hearing(text, { fits: false }))).toBe('ignore');
  });

  it('keeps silent for talk in which the unknown words are the most', () => {
    expect(decideHearing(hearing('read [unk] the [unk] of [unk] [unk]', { fits: false }))).toBe('ignore');
  });

  it('keeps silent for what is hardly louder than the hall', () => {
    expect(decideHearing(hearing('read the temperature of machine twelve', { snrDb: 3 }))).toBe('ignore');
  });

  it('wants a lone word to be sure', () => {
    const unsure = hearing('stop', { words: [{ text: 'stop', confidence: 0.6 }] });
    expect(decideHearing(unsure)).toBe('ignore');
    expect(decideHearing(hearing('stop'))).toBe('act');
  });
});
