import { distance } from 'fastest-levenshtein';
import type { Mention } from '../mention.ts';
import type { TakenText } from './name-borders.ts';
import type { Romanise } from './near-sounds.ts';
import { type Segment, type SoundForm, type SoundIndex, signatureOf } from './sound-forms.ts';
import { SOUNDS_LIKE_NUMBER, syllablesOf, type Window, windowsAt } from './windows.ts';

const MOST_CANDIDATES = 5;

interface Like {
  readonly form: SoundForm;
  /** Less is more like. */
  readonly unlike: number;
}

/**
 * What is only like a name, in letters or in sound, in the stretches that no mention takes; never exact. Numbers have to be equal:
 * likeness is for the words around them.
 */
export function likeMentions(
  taken: TakenText,
  text: string,
  sounds: SoundIndex,
  mentions: readonly Mention[],
  romanise: Romanise | undefined,
): readonly Mention[] {
  const syllables = syllablesOf(taken, romanise);
  const found: Mention[] = [];
  for (let at = 0; at < taken.tokens.length; ) {
    const first = taken.tokens[at];
    if (first === undefined) break;
    const inside = mentions.find(({ start, end }) => first.start >= start && first.start < end);
    const limit = mentions.find(({ start }) => start >= first.start)?.start ?? text.length;
    const like =
      inside === undefined && taken.mayBegin(at, -1)
        ? likeAt(taken, at, limit, sounds, syllables)
        : undefined;
    const last = like === undefined ? undefined : taken.tokens[like.end - 1];
    if (like === undefined || last === undefined) {
      at += 1;
      continue;
    }
    const { start } = first;
    const candidates = like.forms.map(({ id }) => id);
    const kind = like.forms[0]?.kind ?? 'machine';
    found.push({ kind, text: text.slice(start, last.end), start, end: last.end, candidates, exact: false });
    at = like.end;
  }
  return found;
}

interface LikeHere {
  readonly end: number;
  readonly forms: readonly SoundForm[];
}

function likeAt(
  taken: TakenText,
  at: number,
  limit: number,
  sounds: SoundIndex,
  syllables: ReadonlyMap<number, string>,
): LikeHere | undefined {
  let best: LikeHere | undefined;
  for (const window of windowsAt(taken, at, limit, syllables)) {
    const forms =
      window.shape === 'W?' ? numbered(taken, window, sounds) : likeForms(taken, at, window, sounds);
    if (forms.length > 0) best = { end: window.end, forms };
  }
  return best;
}

function likeForms(taken: TakenText, at: number, window: Window, sounds: SoundIndex): readonly SoundForm[] {
  const likes: Like[] = [];
  for (const form of sounds.bySignature.get(signatureOf(window.shape, window.segments)) ?? []) {
    const unlike = unlikeness(form.segments, window.segments);
    if (unlike === undefined) continue;
    const named = { id: form.id, kind: form.kind, rank: 'declared', digitsOnly: false, exact: true } as const;
    if (taken.isWhole(at, window.end, named, -1)) likes.push({ form, unlike });
  }
  const least = Math.min(...likes.map(({ unlike }) => unlike));
  return distinct(likes.filter(({ unlike }) => unlike === least).map(({ form }) => form));
}

/** "Pump for" may be pump four and may be any pump: only where there are several, so that somebody has to say which. */
function numbered(
  taken: TakenText,
  { end, segments: [stem] }: Window,
  sounds: SoundIndex,
): readonly SoundForm[] {
  if (stem === undefined || !('word' in stem)) return [];
  const heard = SOUNDS_LIKE_NUMBER.get(taken.tokens[end - 1]?.text ?? '');
  const all = sounds.byStem.get(stem.word) ?? [];
  const [meant] = all.filter(({ number }) => number === heard);
  if (meant === undefined) return [];
  const forms = distinct([meant, ...all]);
  return forms.length > 1 ? forms : [];
}

/** 0 for the same; undefined for what is not like it. */
function unlikeness(one: readonly Segment[], other: readonly Segment[]): number | undefined {
  let sum = 0;
  for (const [index, segment] of one.entries()) {
    const heard = other[index];
    const unlike = heard === undefined ? undefined : segmentUnlikeness(segment, heard);
    if (unlike === undefined) return undefined;
    sum += unlike;
  }
  return sum;
}

function segmentUnlikeness(segment: Segment, heard: Segment): number | undefined {
  if ('word' in segment) {
    if (!('word' in heard)) return undefined;
    const most = mostEdits(segment.word.length);
    const byLength = Math.abs(segment.word.length - heard.word.length);
    if (byLength > 3) return undefined;
    const edits = distance(segment.word, heard.word);
    if (edits <= most) return edits;
    return segment.sound.length >= 3 && segment.sound === heard.sound ? edits : undefined;
  }
  if (!('syllables' in heard) || heard.syllables.length !== segment.syllables.length) return undefined;
  if (segment.characters === heard.characters) return 0;
  return segment.syllables.every((syllable, index) => syllable === heard.syllables[index]) ? 1 : undefined;
}

function mostEdits(letters: number): number {
  if (letters <= 3) return 0;
  if (letters <= 5) return 1;
  return letters <= 8 ? 2 : 3;
}

function distinct(forms: readonly SoundForm[]): readonly SoundForm[] {
  const seen = new Set<string>();
  return forms.filter(({ id }) => !seen.has(id) && seen.add(id)).slice(0, MOST_CANDIDATES);
}
