import type { Language } from '../language/language.ts';
import type { PointValue } from '../plc/reading.ts';
import type { NumberToWords } from './number-to-words.ts';
import type { Phrasebook } from './phrasebook.ts';

export interface SpokenValueOptions {
  readonly language: Language;
  /** Places after the point, 0 or more. */
  readonly decimals?: number;
  readonly phrasebook: Phrasebook;
  readonly numberToWords: NumberToWords;
}

/** A point's value in words. A number must be finite (RangeError); a text is said as it is, with single spaces. */
export function spokenValue(value: PointValue, options: SpokenValueOptions): string {
  const { language, decimals, phrasebook, numberToWords } = options;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new RangeError(`not a number to say: ${value}`);
    return numberToWords(value, language, decimals);
  }
  if (typeof value === 'boolean') return phrasebook.say(language, value ? 'value_on' : 'value_off', {});
  return value.replace(/\s+/g, ' ').trim();
}
