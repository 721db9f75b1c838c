import { CHINESE_DIGIT, CHINESE_RADIO_DIGIT, ENGLISH_DIGIT } from '../../language/number-words.ts';

/** Digits that stand together, typed or said, of a text in `sameLengthForm`. */
export interface DigitGroup {
  readonly start: number;
  readonly end: number;
  readonly digits: string;
  readonly isSpoken: boolean;
  /** What stands between it and the group before, when they can belong to one number. */
  readonly joint: string | undefined;
}

const SAID: ReadonlyMap<string, number> = new Map([
  ...ENGLISH_DIGIT,
  ['oh', 0],
  ...CHINESE_DIGIT,
  ...CHINESE_RADIO_DIGIT,
]);
const ENGLISH = [...ENGLISH_DIGIT.keys(), 'oh'].join('|');
const HAN = [...CHINESE_DIGIT.keys(), ...CHINESE_RADIO_DIGIT.keys()].join('');
const GROUP = new RegExp(
  `[0-9]+|[${HAN}]+|\\b(?:(?<times>double|triple) )?(?<word>${ENGLISH})(?![a-z0-9])`,
  'giu',
);
const TYPED_JOINT = /^(?:[ ]?[-.()][-.() ]{0,3}| {1,3})$/u;
const SPOKEN_JOINT = /^[ ,.，、。-]{0,3}$/u;

/** Groups that can be no part of a longer number because a letter is written against them: `P7`, `6ES7`, `40001a`. */
const LETTER_BEFORE = /[a-z_#$]$/iu;
const LETTER_AFTER = /^[a-z_]/iu;

/** Chains of groups that may be one number, from left to right. `isBarred` tells stretches that are something else, such as dates. */
export function digitChains(
  form: string,
  isBarred: (start: number, end: number) => boolean,
): readonly (readonly DigitGroup[])[] {
  const chains: DigitGroup[][] = [];
  let chain: DigitGroup[] = [];
  for (const match of form.matchAll(GROUP)) {
    const { index: start } = match;
    const end = start + match[0].length;
    const isSpoken = !/^[0-9]/u.test(match[0]);
    const last = chain.at(-1);
    const between = last === undefined ? undefined : form.slice(last.end, start);
    const belongs = between !== undefined && last !== undefined && joins(between, last.isSpoken, isSpoken);
    if (!belongs) chain = [];
    const isAlone =
      isBarred(start, end) ||
      (!isSpoken && LETTER_AFTER.test(form.slice(end)) && !isCheckLetter(form, end)) ||
      (!isSpoken && LETTER_BEFORE.test(form.slice(0, start)) && !CUE_BEFORE.test(form.slice(0, start)));
    if (isAlone) {
      chain = [];
      continue;
    }
    if (chain.length === 0) chains.push(chain);
    chain.push({ start, end, digits: digitsOf(match), isSpoken, joint: belongs ? between : undefined });
  }
  return chains;
}

const CUE_BEFORE = /(?:^|[^a-z])(?:tel|phone|mobile|mob|cell|call|sms|wechat|wx|vx|qq|id|no)$/iu;

function joins(between: string, isSpokenBefore: boolean, isSpoken: boolean): boolean {
  return isSpokenBefore && isSpoken
    ? SPOKEN_JOINT.test(between)
    : between === '' || TYPED_JOINT.test(between);
}

/** The X at the end of a Chinese identity number. */
function isCheckLetter(form: string, at: number): boolean {
  return /^x(?![a-z0-9])/iu.test(form.slice(at));
}

function digitsOf(match: RegExpExecArray): string {
  const { word, times } = match.groups ?? {};
  if (word !== undefined) {
    const digit = String(SAID.get(word.toLowerCase()) ?? 0);
    return digit.repeat(times === undefined ? 1 : times.toLowerCase() === 'double' ? 2 : 3);
  }
  return [...match[0]].map((sign) => SAID.get(sign) ?? sign).join('');
}
