import { CHINESE_DIGIT, CHINESE_RADIO_DIGIT, CHINESE_UNIT } from './number-words.ts';
import type { Token } from './tokens.ts';

interface Integer {
  readonly end: number;
  readonly value: number;
  readonly digits?: number;
}

/** Where a cardinal stands while it is read: its value so far and the unit it was last given in. */
interface Progress {
  readonly end: number;
  readonly value: number;
  readonly lastUnit: number;
  readonly afterZero: boolean;
}

const TEN_THOUSAND = 10_000;

export function isChineseDigit(word: string | undefined): number | undefined {
  if (word === undefined) return undefined;
  return CHINESE_DIGIT.get(word) ?? CHINESE_RADIO_DIGIT.get(word);
}

/** Every whole number from 0 to 99,999,999 that the characters from `start` on begin with, with its end. */
export function chineseIntegersAt(tokens: readonly Token[], start: number): Integer[] {
  const first = tokens[start]?.text;
  if (first === undefined) return [];
  const radio = CHINESE_RADIO_DIGIT.get(first);
  if (radio !== undefined) return [{ end: start + 1, value: radio, digits: 1 }];
  if (CHINESE_DIGIT.get(first) === 0) return [{ end: start + 1, value: 0 }];

  const below = cardinalsFrom(tokens, { end: start, value: 0, lastUnit: TEN_THOUSAND, afterZero: false });
  const above = below
    .filter((times) => tokens[times.end]?.text === '万')
    .map((times) => ({ end: times.end + 1, value: times.value * TEN_THOUSAND }))
    .flatMap((base) => [
      base,
      ...cardinalsFrom(tokens, { ...base, lastUnit: TEN_THOUSAND, afterZero: false }),
    ]);
  return [...below, ...above];
}

function cardinalsFrom(tokens: readonly Token[], at: Progress): Integer[] {
  const word = tokens[at.end]?.text ?? '';
  const begins = at.value === 0;

  if (word === '十') {
    // 十二 for 12, and 一百十二 beside 一百一十二.
    const fits = begins || (at.lastUnit === 100 && !at.afterZero);
    return fits
      ? withRest(tokens, { end: at.end + 1, value: at.value + 10, lastUnit: 10, afterZero: false })
      : [];
  }

  const digit = CHINESE_DIGIT.get(word);
  if (digit === undefined) return [];
  if (digit === 0)
    return begins || at.afterZero || at.lastUnit <= 10
      ? []
      : cardinalsFrom(tokens, { ...at, end: at.end + 1, afterZero: true });

  const found: Integer[] = [];
  const last = lastDigitValue(word, digit, at, begins);
  if (last !== undefined) found.push({ end: at.end + 1, value: at.value + last });
  const unit = CHINESE_UNIT.get(tokens[at.end + 1]?.text ?? '');
  if (unit !== undefined && unit < at.lastUnit)
    found.push(
      ...withRest(tokens, {
        end: at.end + 2,
        value: at.value + digit * unit,
        lastUnit: unit,
        afterZero: false,
      }),
    );
  return found;
}

function withRest(tokens: readonly Token[], at: Progress): Integer[] {
  const here = { end: at.end, value: at.value };
  return [here, ...cardinalsFrom(tokens, at)];
}

/** What a digit without a unit adds at the end: 一百零二 is 102, but 一百二 is 120. */
function lastDigitValue(word: string, digit: number, at: Progress, begins: boolean): number | undefined {
  if (begins) return digit;
  if (word === '两') return undefined;
  return at.afterZero || at.lastUnit === 10 ? digit : (digit * at.lastUnit) / 10;
}
