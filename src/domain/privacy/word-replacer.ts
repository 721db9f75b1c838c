/** What stands in the place of a word; undefined leaves the word and everything in it alone. */
export type Replacement = string | undefined;

const HAN = /\p{Script=Han}/u;
const WORD = /[\p{L}\p{N}]/u;
const OTHER_SPACE = /[^\S ]/u;
/** A digit or a letter behind one of these belongs to the same number, id or time. */
const JOINTS = '-._:/';

/**
 * Replaces words of a list in texts, the longest first and never a part of a word. Capitals count as small letters. The cost is that of a look-up
 * for each word of the text, however long the list is.
 */
export class WordReplacer {
  /** Lengths of the words that begin with these two UTF-16 units, the longest first. */
  readonly #lengths = new Map<string, readonly number[]>();
  readonly #replacements: ReadonlyMap<string, Replacement>;

  /** Words of fewer than two UTF-16 units are left out. */
  constructor(words: ReadonlyMap<string, Replacement>) {
    const kept = [...words].map(([word, by]) => [folded(word), by] as const);
    this.#replacements = new Map(kept.filter(([word]) => word.length > 1));
    const lengths = new Map<string, Set<number>>();
    for (const word of this.#replacements.keys()) {
      const beginning = word.slice(0, 2);
      lengths.set(beginning, (lengths.get(beginning) ?? new Set<number>()).add(word.length));
    }
    for (const [beginning, each] of lengths)
      this.#lengths.set(
        beginning,
        [...each].sort((one, other) => other - one),
      );
  }

  /** The text itself, when none of the words is in it. */
  replace(text: string): string {
    if (this.#lengths.size === 0 || text.length < 2) return text;
    const low = folded(text);
    let written = '';
    let taken = 0;
    for (let at = 0; at < low.length - 1; ) {
      const length = this.#lengthAt(low, at);
      if (length === 0) {
        at = nextStart(low, at);
        continue;
      }
      const by = this.#replacements.get(low.slice(at, at + length));
      written += text.slice(taken, at) + (by ?? text.slice(at, at + length));
      at += length;
      taken = at;
    }
    return taken === 0 ? text : written + text.slice(taken);
  }

  #lengthAt(low: string, at: number): number {
    for (const length of this.#lengths.get(low.slice(at, at + 2)) ?? []) {
      const word = low.slice(at, at + length);
      if (this.#replacements.has(word) && standsAlone(low, at, word)) return length;
    }
    return 0;
  }
}

/** Of the same length as the text. */
export function folded(text: string): string {
  const low = text.toLowerCase();
  const even = low.length === text.length ? low : text;
  return OTHER_SPACE.test(even) ? even.replaceAll(/\s/gu, ' ') : even;
}

function standsAlone(low: string, at: number, word: string): boolean {
  const end = at + word.length;
  if (isWordUnit(low, end - 1) && isWordUnit(low, end)) return false;
  if (isWordUnit(low, at) && isWordUnit(low, at - 1)) return false;
  // What could be a number or a part of a UUID is one where more of it follows.
  if (!/^[0-9a-f]+$/u.test(word)) return true;
  return !(
    (JOINTS.includes(low.charAt(end) || ' ') && isWordUnit(low, end + 1)) ||
    (JOINTS.includes(low.charAt(at - 1) || ' ') && isWordUnit(low, at - 2))
  );
}

/** The first place behind `at` at which a word may begin. */
function nextStart(low: string, at: number): number {
  let next = at + 1;
  if (isWordUnit(low, at)) while (isWordUnit(low, next)) next += 1;
  return next;
}

/** A letter or a digit of a script that puts spaces between its words. */
function isWordUnit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 128)
    return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90);
  if (Number.isNaN(code)) return false;
  const unit = text.charAt(at);
  return !HAN.test(unit) && WORD.test(unit);
}
