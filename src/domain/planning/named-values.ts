import type { SlotValue } from '../intent/meaning.ts';
import type { SentenceFile, SiteLists } from '../intent/sentence-file.ts';
import { type ValueList, valueList } from '../intent/value-list.ts';
import type { Language } from '../language/language.ts';
import { numbersAt, type SpokenNumber } from '../language/numbers-at.ts';
import { type Token, textOf, tokenise } from '../language/tokens.ts';

/** A text with the values of its lists found, wherever they stand. */
export interface NamedValues {
  /** Its words, with `{list}` where a value was named. */
  readonly words: readonly string[];
  /** What was named, by list, in order. */
  readonly values: ReadonlyMap<string, readonly SlotValue[]>;
}

interface Hit {
  readonly list: string;
  readonly end: number;
  readonly value: SlotValue;
}

/** Most tokens of one date; it bounds the search. */
const MAX_PERIOD_TOKENS = 8;
/** A number of a day alone is as often the number of something else. */
const BARE_NUMBER =
  /^(?:the )?(?:\d+(?:st|nd|rd|th)?|\p{L}+(?:st|nd|rd|th)|may|march|[\d一二三四五六七八九十]+[号日]?)$/u;

/** What words for a time begin with, but for the names of shifts that a site has given: to look further costs a thousand times more. */
const BEGINS_PERIOD =
  /^(?:today|yesterday|tomorrow|the|last|this|past|previous|current|since|day|days|week|month|quarter|year|q[1-4]|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december|night|day|early|late|morning|afternoon|one|two|three|four|five|six|seven|eight|nine|ten|\d.*|[今昨前大上本这当过最周星礼第去从早中晚夜白日一二三四五六七八九十两])$/u;

/** Finds values of a site's and a file's lists in any text, the longest first. `isPeriod` tells words for a time. */
export class ValueFinder {
  readonly #language: Language;
  readonly #lists: ReadonlyMap<string, ValueList>;
  readonly #isPeriod: (words: string) => boolean;

  constructor(file: SentenceFile, siteLists: SiteLists, isPeriod: (words: string) => boolean) {
    this.#language = file.language;
    this.#isPeriod = isPeriod;
    const lists = new Map<string, ValueList>();
    for (const [name, list] of Object.entries(file.lists)) {
      if (!('values' in list)) continue;
      const entries = list.values.map(({ in: spoken, out }) => ({ value: out, spoken: [spoken] }));
      lists.set(name, valueList({ kind: 'entries', entries }, file.language));
    }
    for (const [name, entries] of Object.entries(siteLists))
      lists.set(name, valueList({ kind: 'entries', entries }, file.language));
    this.#lists = lists;
  }

  find(text: string): NamedValues {
    const tokens = tokenise(text, this.#language);
    const words: string[] = [];
    const values = new Map<string, SlotValue[]>();
    for (let at = 0; at < tokens.length; ) {
      const hit = this.#longest(tokens, at);
      if (hit === undefined) {
        words.push(tokens[at]?.text ?? '');
        at += 1;
        continue;
      }
      words.push(`{${hit.list}}`);
      values.set(hit.list, [...(values.get(hit.list) ?? []), hit.value]);
      at = hit.end;
    }
    return { words, values };
  }

  #longest(tokens: readonly Token[], at: number): Hit | undefined {
    const numbers = numbersAt(tokens, at, this.#language);
    const seen = (position: number): readonly SpokenNumber[] =>
      position === at ? numbers : numbersAt(tokens, position, this.#language);
    const hits = [...this.#lists].flatMap(([list, values]) =>
      values.findAt(tokens, at, seen).map(
        ({ end, value }): Hit => ({
          list,
          end,
          value: { value, spoken: textOf(tokens, at, end, this.#language) },
        }),
      ),
    );
    const period = this.#period(tokens, at);
    if (period !== undefined) hits.push(period);
    const number = numbers.reduce<SpokenNumber | undefined>(
      (best, each) => (best === undefined || each.end > best.end ? each : best),
      undefined,
    );
    const named = hits.sort((a, b) => b.end - a.end)[0];
    if (number === undefined || (named !== undefined && named.end >= number.end)) return named;
    const spoken = textOf(tokens, at, number.end, this.#language);
    const { digits } = number;
    return {
      list: 'value',
      end: number.end,
      value: { value: number.value, spoken, ...(digits === undefined ? {} : { digits }) },
    };
  }

  #period(tokens: readonly Token[], at: number): Hit | undefined {
    if (!BEGINS_PERIOD.test(tokens[at]?.text ?? '')) return undefined;
    for (let end = Math.min(tokens.length, at + MAX_PERIOD_TOKENS); end > at; end -= 1) {
      const spoken = textOf(tokens, at, end, this.#language);
      if (BARE_NUMBER.test(spoken) || !this.#isPeriod(spoken)) continue;
      return { list: 'period', end, value: { value: spoken, spoken } };
    }
    return undefined;
  }
}
