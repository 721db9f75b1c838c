import type { Language } from '../../language/language.ts';
import { numbersAt } from '../../language/numbers-at.ts';
import { isJoined, isNumberToken, type SpannedToken } from './spanned-tokens.ts';

const LONGEST_NUMBER_TOKENS = 20;

/** A number in a text, taken whole: "twenty five" is no 20, and 十七 is neither 十 nor 七. */
export interface NumberRun {
  /** Position after its last token. */
  readonly end: number;
  /** What it may be, by `numberKey`: "one two" is 12. */
  readonly keys: readonly string[];
  /** Written with digits. */
  readonly isTyped: boolean;
}

/**
 * The number that begins at a token. Undefined where there is none, where the token stands inside of one, or where another
 * number follows at once: nobody can tell then which digits belong together.
 */
export function numberRunAt(
  form: string,
  tokens: readonly SpannedToken[],
  at: number,
): NumberRun | undefined {
  const first = tokens[at];
  if (first === undefined || !isNumberToken(first)) return undefined;
  const before = tokens[at - 1];
  if (before !== undefined && isNumberToken(before) && isTogether(form, before, first)) return undefined;
  const language: Language = first.kind === 'han' ? 'zh' : 'en';
  const readings = numbersAt(togetherFrom(form, tokens, at), 0, language);
  const length = Math.max(...readings.map((reading) => reading.end));
  const end = at + length;
  const last = tokens[end - 1];
  const after = tokens[end];
  if (readings.length === 0 || last === undefined) return undefined;
  if (after !== undefined && isNumberToken(after) && isTogether(form, last, after)) return undefined;
  const whole = readings.filter((reading) => reading.end === length);
  const keys = [...new Set(whole.map(({ value, digits }) => numberKey(value, digits)))];
  return { end, keys, isTyped: first.kind === 'number' };
}

/** Equal for one number said or written in different ways; leading zeros count. */
export function numberKey(value: number, digits = 0): string {
  return String(value).padStart(digits, '0');
}

/** The tokens up to the first gap: "pump three, five degrees" does not speak of a thirty-five. */
function togetherFrom(form: string, tokens: readonly SpannedToken[], at: number): readonly SpannedToken[] {
  const together: SpannedToken[] = [];
  for (const token of tokens.slice(at, at + LONGEST_NUMBER_TOKENS)) {
    const before = together.at(-1);
    if (before !== undefined && !isJoined(form, before, token)) break;
    together.push(token);
  }
  return together;
}

function isTogether(form: string, one: SpannedToken, other: SpannedToken): boolean {
  return isJoined(form, one, other) || form.slice(one.end, other.start) === '/';
}
