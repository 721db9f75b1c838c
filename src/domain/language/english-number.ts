import { ENGLISH_DIGIT, ENGLISH_TEEN, ENGLISH_TEN } from './number-words.ts';
import type { Token } from './tokens.ts';

interface Integer {
  readonly end: number;
  readonly value: number;
}

export function isEnglishDigit(word: string | undefined): number | undefined {
  return word === undefined ? undefined : ENGLISH_DIGIT.get(word);
}

/** Every whole number from 0 to 999,999 that the words from `start` on begin with, with its end. */
export function englishIntegersAt(tokens: readonly Token[], start: number): Integer[] {
  const word = (at: number) => tokens[at]?.text ?? '';

  /** 1 to 99; "twenty five" is 20 and 25. */
  const belowHundred = (at: number): Integer[] => {
    const single = ENGLISH_DIGIT.get(word(at)) ?? ENGLISH_TEEN.get(word(at));
    if (single !== undefined) return single === 0 ? [] : [{ end: at + 1, value: single }];
    const tens = ENGLISH_TEN.get(word(at));
    if (tens === undefined) return [];
    const unit = ENGLISH_DIGIT.get(word(at + 1));
    return unit === undefined || unit === 0
      ? [{ end: at + 1, value: tens }]
      : [
          { end: at + 1, value: tens },
          { end: at + 2, value: tens + unit },
        ];
  };

  const restBelowHundred = (base: Integer): Integer[] =>
    belowHundred(word(base.end) === 'and' ? base.end + 1 : base.end).map((rest) => ({
      end: rest.end,
      value: base.value + rest.value,
    }));

  /** "five hundred", "twelve hundred", "five hundred and five"; nobody says "twenty hundred". */
  const hundreds = (at: number): Integer[] =>
    belowHundred(at)
      .filter((times) => word(times.end) === 'hundred' && times.value % 10 !== 0)
      .map((times) => ({ end: times.end + 1, value: times.value * 100 }))
      .flatMap((base) => [base, ...restBelowHundred(base)]);

  const belowTenThousand = [...belowHundred(start), ...hundreds(start)];
  const thousands = belowTenThousand
    .filter((times) => word(times.end) === 'thousand' && times.value < 1000)
    .map((times) => ({ end: times.end + 1, value: times.value * 1000 }))
    .flatMap((base) => [
      base,
      ...restBelowHundred(base),
      ...hundreds(base.end)
        .filter((rest) => rest.value < 1000)
        .map((rest) => ({ end: rest.end, value: base.value + rest.value })),
    ]);

  const zero = word(start) === 'zero' ? [{ end: start + 1, value: 0 }] : [];
  return [...zero, ...belowTenThousand, ...thousands];
}
