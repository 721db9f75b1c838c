import type { Language } from '../../language/language.ts';
import type { Mention } from '../mention.ts';
import { likeMentions } from './likeness.ts';
import { TakenText } from './name-borders.ts';
import type { NamedHere, NameIndex, NameNode } from './name-index.ts';
import type { Romanise } from './near-sounds.ts';
import { compileSounds, type SoundIndex } from './sound-forms.ts';

/** Names that end at one token. */
interface FoundHere {
  readonly end: number;
  readonly named: readonly NamedHere[];
}

export interface FindOptions {
  /** Also what is only like a name, where no name is. */
  readonly likeness?: boolean;
}

/**
 * Finds what a text names, from left to right: the longest name at each place, without overlaps. A name of several things brings
 * all of them. A number is always taken whole and equal: "pump seventeen" is never pump seven.
 */
export class MentionFinder {
  readonly #index: NameIndex;
  readonly #romanise: () => Romanise | undefined;
  #aliases: NameIndex | undefined;
  #sounds: { readonly romanise: Romanise | undefined; readonly index: SoundIndex } | undefined;

  /** `romanise` may give nothing until its dictionary is loaded: Chinese names have no likeness until then. */
  constructor(index: NameIndex, romanise: () => Romanise | undefined = () => undefined) {
    this.#index = index;
    this.#romanise = romanise;
  }

  /** Names besides those of the site, in place of those given before; nothing is only like one of them. */
  learn(aliases: NameIndex): void {
    this.#aliases = aliases;
  }

  find(text: string, language: Language, { likeness = false }: FindOptions = {}): readonly Mention[] {
    const taken = new TakenText(text, language);
    const roots = [this.#index.root, ...(this.#aliases === undefined ? [] : [this.#aliases.root])];
    const mentions = exactMentions(taken, text, this.#index, roots);
    if (!likeness) return mentions;
    const { romanise, index } = this.#soundsNow();
    const like = likeMentions(taken, text, index, mentions, romanise);
    return [...mentions, ...like].toSorted((one, other) => one.start - other.start);
  }

  /** Made when likeness is first asked for, and once more when characters get their sounds. */
  #soundsNow(): { readonly romanise: Romanise | undefined; readonly index: SoundIndex } {
    const romanise = this.#romanise();
    if (this.#sounds === undefined || this.#sounds.romanise !== romanise)
      this.#sounds = { romanise, index: compileSounds(this.#index.declared, romanise) };
    return this.#sounds;
  }
}

function exactMentions(
  taken: TakenText,
  text: string,
  index: NameIndex,
  roots: readonly NameNode[],
): readonly Mention[] {
  const mentions: Mention[] = [];
  let free = 0;
  for (let at = 0; at < taken.tokens.length; ) {
    const found = taken.mayBegin(at, free) ? longestAt(taken, at, free, roots) : undefined;
    const first = taken.tokens[at];
    const last = found === undefined ? undefined : taken.tokens[found.end - 1];
    if (found === undefined || first === undefined || last === undefined) {
      at += 1;
      continue;
    }
    mentions.push(mentionOf(found.named, index, text, first.start, last.end));
    at = found.end;
    free = last.end;
  }
  return mentions;
}

function longestAt(
  taken: TakenText,
  at: number,
  free: number,
  roots: readonly NameNode[],
): FoundHere | undefined {
  const byEnd = new Map<number, NamedHere[]>();

  function walk(node: NameNode, here: number, isTyped: boolean): void {
    const named = node.named.filter(
      (each) => (isTyped || !each.digitsOnly) && taken.isWhole(at, here, each, free),
    );
    if (named.length > 0) byEnd.set(here, [...(byEnd.get(here) ?? []), ...named]);
    const token = taken.tokens[here];
    if (token === undefined || (here > at && !taken.isJoinedToNext(here - 1))) return;
    const next = node.words.get(token.text) ?? singularsOf(token.text, node);
    if (next !== undefined) walk(next, here + 1, isTyped);
    if (node.numbers.size === 0) return;
    if (token.kind === 'mark' && here > at && next === undefined) walk(emptied(node), here + 1, isTyped);
    const run = taken.numberAt(here);
    for (const key of run?.keys ?? []) {
      const after = node.numbers.get(key);
      if (run !== undefined && after !== undefined) walk(after, run.end, isTyped && run.isTyped);
    }
  }

  for (const root of roots) walk(root, at, true);
  const end = Math.max(...byEnd.keys());
  const named = byEnd.get(end);
  return named === undefined ? undefined : { end, named };
}

/** A mark stands before a number alone: what "pump no." names already is not named by it again. */
function emptied({ numbers }: NameNode): NameNode {
  return { words: new Map(), numbers, named: [] };
}

/** Pumps, presses and batteries. */
function singularsOf(word: string, { words }: NameNode): NameNode | undefined {
  if (word.length < 4 || !word.endsWith('s')) return undefined;
  const singulars = [word.slice(0, -1), word.slice(0, -2), `${word.slice(0, -3)}y`];
  const isPossible = [!word.endsWith('ss'), word.endsWith('es'), word.endsWith('ies')];
  for (const [index, singular] of singulars.entries()) {
    const node = isPossible[index] === true ? words.get(singular) : undefined;
    if (node !== undefined) return node;
  }
  return undefined;
}

function mentionOf(
  named: readonly NamedHere[],
  index: NameIndex,
  text: string,
  start: number,
  end: number,
): Mention {
  const declared = named.filter(({ rank }) => rank === 'declared');
  const meant = (declared.length > 0 ? declared : named).toSorted(
    (one, other) => (index.rankOf.get(one.id) ?? 0) - (index.rankOf.get(other.id) ?? 0),
  );
  return {
    kind: meant[0]?.kind ?? 'machine',
    text: text.slice(start, end),
    start,
    end,
    candidates: [...new Set(meant.map(({ id }) => id))],
    exact: meant.every(({ exact }) => exact),
  };
}
