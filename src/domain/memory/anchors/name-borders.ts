import type { Language } from '../../language/language.ts';
import { COUNTED, lookAlikesIn, WORDS_AND_NAMES } from './look-alike-words.ts';
import type { NamedHere } from './name-index.ts';
import { type NumberRun, numberRunAt } from './number-run.ts';
import { isJoined, type SpannedToken, sameLengthForm, spannedTokens } from './spanned-tokens.ts';

/** A text taken apart once, with what is asked of its places more than once. */
export class TakenText {
  /** As long as the text. */
  readonly form: string;
  readonly tokens: readonly SpannedToken[];
  readonly #language: Language;
  readonly #lookAlikes: readonly (readonly [number, number])[];
  readonly #runs = new Map<number, NumberRun | undefined>();

  constructor(text: string, language: Language) {
    this.form = sameLengthForm(text);
    this.tokens = spannedTokens(this.form);
    this.#language = language;
    this.#lookAlikes = lookAlikesIn(this.form);
  }

  /** The number that begins at a token, as `numberRunAt`. */
  numberAt(at: number): NumberRun | undefined {
    if (!this.#runs.has(at)) this.#runs.set(at, numberRunAt(this.form, this.tokens, at));
    return this.#runs.get(at);
  }

  isJoinedToNext(at: number): boolean {
    const token = this.tokens[at];
    const next = this.tokens[at + 1];
    return token !== undefined && next !== undefined && isJoined(this.form, token, next);
  }

  /** Whether a name may begin at a token; `free` is the end of the mention before. */
  mayBegin(at: number, free: number): boolean {
    const token = this.tokens[at];
    if (token === undefined) return false;
    const { start } = token;
    if (start === free) return true;
    const before = this.form.slice(Math.max(0, start - 2), start);
    if (isLatin(this.form[start]) && /[a-z0-9]$|[\p{L}\p{N}][-_]$/iu.test(before)) return false;
    // 十月七号 is a day.
    return !(this.tokens[at - 1]?.text === '月' && this.numberAt(at) !== undefined);
  }

  /** Whether the tokens from `at` up to, without, `end` are a name of this thing, and not a part of something else. */
  isWhole(at: number, end: number, named: NamedHere, free: number): boolean {
    const first = this.tokens[at];
    const last = this.tokens[end - 1];
    if (first === undefined || last === undefined || this.#runsOn(last)) return false;
    if (this.#lookAlikes.some(([from, to]) => cuts(from, to, first.start, last.end))) return false;
    if (named.kind === 'person') return !this.#isOnlyAWord(at, end);
    if (this.#endsWithNumber(at, end)) return !COUNTED.test(this.form.slice(last.end));
    if (named.kind === 'point' || this.#holdsNumber(at, end)) return true;
    return !this.#isNumberedAfter(end) && !(first.start !== free && this.#isNumberedBefore(at));
  }

  /** P7a, P7-2 and pump-7-b are not P7. */
  #runsOn(last: SpannedToken): boolean {
    if (!isLatin(this.form[last.end - 1])) return false;
    return /^(?:[a-z0-9]|[-_](?:\d|[a-z](?![a-z])))/iu.test(this.form.slice(last.end, last.end + 3));
  }

  #endsWithNumber(at: number, end: number): boolean {
    for (let begin = end - 1; begin >= at; begin--) if (this.numberAt(begin)?.end === end) return true;
    return false;
  }

  #holdsNumber(at: number, end: number): boolean {
    for (let within = at; within < end; within++) if (this.numberAt(within) !== undefined) return true;
    return false;
  }

  /** "Oven 2" is not the oven, and 烤炉二号 not the 烤炉; in 烤炉一直很热 nobody counts. */
  #isNumberedAfter(end: number): boolean {
    if (!this.isJoinedToNext(end - 1)) return false;
    const isMarked = this.tokens[end]?.kind === 'mark';
    const from = isMarked ? end + 1 : end;
    const run = this.numberAt(from);
    if (run === undefined) return this.tokens[from]?.kind === 'number';
    const last = this.tokens[run.end - 1];
    if (last === undefined || COUNTED.test(this.form.slice(last.end))) return false;
    if (isMarked || this.tokens[from]?.kind !== 'han') return true;
    const after = this.isJoinedToNext(run.end - 1) ? this.tokens[run.end]?.text : undefined;
    return after === undefined || after === '号';
  }

  /** 七号泵 is not the 泵, and "number 7 pump" not the pump. */
  #isNumberedBefore(at: number): boolean {
    let before = at - 1;
    if (!this.isJoinedToNext(before)) return false;
    const text = this.tokens[before]?.text;
    if (text === '号' || this.tokens[before]?.kind === 'mark') before -= 1;
    const token = this.tokens[before];
    return token !== undefined && isNumberWritten(token);
  }

  /** "He said" means nobody called He. */
  #isOnlyAWord(at: number, end: number): boolean {
    const token = this.tokens[at];
    if (token === undefined || end !== at + 1 || this.#language !== 'en') return false;
    if (!WORDS_AND_NAMES.has(token.text)) return false;
    const isSentenceStart = at === 0 || /[.!?:;\n]\s*$/u.test(this.form.slice(0, token.start));
    return isSentenceStart || !/^\p{Lu}/u.test(this.form.slice(token.start));
  }
}

function isNumberWritten(token: SpannedToken): boolean {
  return token.kind === 'number' || numberRunAt('', [token], 0) !== undefined;
}

function isLatin(sign: string | undefined): boolean {
  return sign !== undefined && /[a-z0-9]/iu.test(sign);
}

function cuts(from: number, to: number, start: number, end: number): boolean {
  return from < end && to > start && !(from >= start && to <= end);
}
