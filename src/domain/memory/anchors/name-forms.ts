import type { AnchorKind } from '../mention.ts';
import { numberRunAt } from './number-run.ts';
import { NUMBER_MARK, type SpannedToken, sameLengthForm, spannedTokens } from './spanned-tokens.ts';

/** A step of a name: a word, a character or a mark as it stands, or a number in any of its forms. */
export type NameStep =
  | { readonly word: string; readonly isHan: boolean }
  /** Keys of `numberKey`, each of which is the number. */
  | { readonly numbers: readonly string[] };

/** One way of saying a name. */
export interface NameForm {
  readonly steps: readonly NameStep[];
  /** `declared`: as the site writes it. `derived`: built from that by rule; only counts where nothing is declared so. */
  readonly rank: 'declared' | 'derived';
  /** Only with the number in digits: 泵7 is pump seven, but in 泵一直响 nobody counts. */
  readonly digitsOnly: boolean;
  /** False where the same words often mean something else. */
  readonly exact: boolean;
}

type Number = Extract<NameStep, { numbers: readonly string[] }>;

const ARTICLES: ReadonlySet<string> = new Set(['the', 'a', 'an']);
const ORDINAL = '号';
/** What is a word by itself: the code of agitator one is said "A one" by nobody, for "a one" is said by everybody. */
const LETTER_WORDS: ReadonlySet<string> = new Set(['a', 'i', 'o', 'u']);

/** What a name is made of. A person's name has no numbers in it: 张三 is not called 张3. */
function nameSteps(name: string, hasNumbers: boolean): readonly NameStep[] {
  const form = sameLengthForm(name);
  const tokens = spannedTokens(form);
  const steps: NameStep[] = [];
  for (let at = 0; at < tokens.length; ) {
    const run = hasNumbers ? numberRunAt(form, tokens, at) : undefined;
    const token = tokens[at];
    if (token === undefined) break;
    steps.push(run === undefined ? wordStep(token) : { numbers: namedNumbers(run.keys) });
    at = run?.end ?? at + 1;
  }
  return steps;
}

/**
 * Every form that a name is looked for in; none for a name without a word. A machine or a line is also called by codes:
 * P7, no. 7 pump, 泵7, 7#泵.
 */
export function nameForms(name: string, kind: AnchorKind): readonly NameForm[] {
  const steps = nameSteps(name, kind !== 'person');
  if (steps.every((step) => isNumber(step) || step.word === NUMBER_MARK)) return [];
  const forms: NameForm[] = [form(steps, {})];
  const [first, ...rest] = steps;
  // "The pump" stays whole: without its article it would be any pump.
  if (rest.length > 1 && first !== undefined && 'word' in first && ARTICLES.has(first.word))
    forms.push(form(rest, {}));
  if (kind === 'machine' || kind === 'line') forms.push(...englishCodes(steps), ...chineseCodes(steps));
  return forms;
}

function form(
  steps: readonly NameStep[],
  { rank = 'declared', digitsOnly = false, exact = true }: Partial<NameForm>,
): NameForm {
  return { steps, rank, digitsOnly, exact };
}

function englishCodes(steps: readonly NameStep[]): NameForm[] {
  const number = steps.at(-1);
  const words = steps
    .slice(0, -1)
    .filter((step) => 'word' in step && !step.isHan && step.word !== NUMBER_MARK);
  if (number === undefined || !isNumber(number) || words.length === 0 || words.length < steps.length - 1)
    return [];
  const initials = words.map((step) => ('word' in step ? (step.word[0] ?? '') : '')).join('');
  return [
    form([latin(initials), number], { rank: 'derived', digitsOnly: LETTER_WORDS.has(initials) }),
    form([mark(), number, ...words], { rank: 'derived' }),
  ];
}

function chineseCodes(steps: readonly NameStep[]): NameForm[] {
  const numbered = numberAndNoun(steps);
  if (numbered !== undefined) {
    const { number, noun } = numbered;
    const derived = { rank: 'derived' } as const;
    return [
      form([number, han(ORDINAL), ...noun], derived),
      form([number, mark(), ...noun], derived),
      form([...noun, number], { ...derived, digitsOnly: true }),
      // 泵三号停了 may also say on which day it stopped.
      form([...noun, number, han(ORDINAL)], { ...derived, exact: false }),
    ];
  }
  const letter = steps.find(isLetter);
  const noun = steps.filter((step) => !isLetter(step));
  if (letter === undefined || noun.length !== steps.length - 1 || !noun.every(isHanWord)) return [];
  return [
    form([letter, ...noun], { rank: 'derived' }),
    form([letter, han(ORDINAL), ...noun], { rank: 'derived' }),
    form([...noun, letter], { rank: 'derived' }),
  ];
}

/** 三号泵, 3#泵, 泵3, 泵3号 and 3泵 are a number and a noun. */
function numberAndNoun(
  steps: readonly NameStep[],
): { number: Number; noun: readonly NameStep[] } | undefined {
  const at = steps.findIndex(isNumber);
  const number = steps[at];
  if (number === undefined || !isNumber(number) || (at > 0 && at < steps.length - 2)) return undefined;
  const noun = steps.filter(
    (step, index) =>
      index !== at &&
      !(Math.abs(index - at) === 1 && 'word' in step && [ORDINAL, NUMBER_MARK].includes(step.word)),
  );
  return noun.length > 0 && noun.every(isHanWord) ? { number, noun } : undefined;
}

/** A written "01" is also called one; a heard "zero one" is never taken for a plain 1. */
function namedNumbers(keys: readonly string[]): readonly string[] {
  return [...new Set(keys.flatMap((key) => [key, String(Number(key))]))];
}

function wordStep({ text, kind }: SpannedToken): NameStep {
  return { word: text, isHan: kind === 'han' };
}

function isNumber(step: NameStep): step is Number {
  return 'numbers' in step;
}

function isHanWord(step: NameStep): boolean {
  return 'word' in step && step.isHan;
}

function isLetter(step: NameStep): boolean {
  return 'word' in step && !step.isHan && step.word.length === 1 && step.word !== NUMBER_MARK;
}

function han(word: string): NameStep {
  return { word, isHan: true };
}

function latin(word: string): NameStep {
  return { word, isHan: false };
}

function mark(): NameStep {
  return { word: NUMBER_MARK, isHan: false };
}
