/** Words for numbers in both languages, shared by reading and speaking them. */

const UNITS = 'zero one two three four five six seven eight nine'.split(' ');
const TEENS = 'ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' ');
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

/** Index is the value: "zero" to "nineteen". */
export const ENGLISH_BELOW_TWENTY: readonly string[] = [...UNITS, ...TEENS];
/** Index 0 is "twenty". */
export const ENGLISH_TENS: readonly string[] = TENS;

export const ENGLISH_DIGIT: ReadonlyMap<string, number> = new Map(UNITS.map((word, value) => [word, value]));
export const ENGLISH_TEEN: ReadonlyMap<string, number> = new Map(TEENS.map((word, i) => [word, 10 + i]));
export const ENGLISH_TEN: ReadonlyMap<string, number> = new Map(TENS.map((word, i) => [word, 20 + 10 * i]));
export const ENGLISH_MINUS: ReadonlySet<string> = new Set(['minus', 'negative']);

/** Index is the value. */
export const CHINESE_DIGITS: readonly string[] = [...'零一二三四五六七八九'];
export const CHINESE_DIGIT: ReadonlyMap<string, number> = new Map([
  ...CHINESE_DIGITS.map((word, value): [string, number] => [word, value]),
  ['〇', 0],
  ['两', 2],
]);
/** Digits as called over a radio, where 一 and 七 are mistaken for each other. */
export const CHINESE_RADIO_DIGIT: ReadonlyMap<string, number> = new Map([
  ['洞', 0],
  ['幺', 1],
  ['拐', 7],
]);
export const CHINESE_UNIT: ReadonlyMap<string, number> = new Map([
  ['十', 10],
  ['百', 100],
  ['千', 1000],
]);

/** Every word that can be part of a spoken number, by language. */
export const NUMBER_WORDS: Readonly<Record<'en' | 'zh', ReadonlySet<string>>> = {
  en: new Set([...UNITS, ...TEENS, ...TENS, ...ENGLISH_MINUS, 'hundred', 'thousand', 'point', 'and']),
  zh: new Set([
    ...CHINESE_DIGIT.keys(),
    ...CHINESE_RADIO_DIGIT.keys(),
    ...CHINESE_UNIT.keys(),
    '万',
    '点',
    '负',
  ]),
};
