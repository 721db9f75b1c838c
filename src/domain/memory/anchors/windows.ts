import type { TakenText } from './name-borders.ts';
import { nearSyllable, type Romanise } from './near-sounds.ts';
import { hanSegment, type Segment, wordSegment } from './sound-forms.ts';
import { isNumberToken } from './spanned-tokens.ts';

/** A stretch of a text as names are cut for likeness: at its numbers, which stand in the shape (`W#7`). */
export interface Window {
  /** Position after the last token. */
  readonly end: number;
  /** `W?` for a word with what only sounds like a number. */
  readonly shape: string;
  readonly segments: readonly Segment[];
}

/** Words that a recogniser writes for numbers. They are no numbers: what they leave open has to be asked. */
export const SOUNDS_LIKE_NUMBER: ReadonlyMap<string, string> = new Map(
  Object.entries({
    won: '1',
    to: '2',
    too: '2',
    tree: '3',
    free: '3',
    for: '4',
    fore: '4',
    sicks: '6',
    ate: '8',
  }),
);
const LONGEST_TOKENS = 8;

/** The stretches from a token on, shortest first, cut at their numbers. */
export function windowsAt(
  taken: TakenText,
  at: number,
  limit: number,
  syllables: ReadonlyMap<number, string>,
): readonly Window[] {
  const windows: Window[] = [];
  const segments: Segment[] = [];
  let shape = '';
  for (let here = at; here < Math.min(taken.tokens.length, at + LONGEST_TOKENS); ) {
    const token = taken.tokens[here];
    if (token === undefined || token.end > limit || (here > at && !taken.isJoinedToNext(here - 1))) break;
    const run = taken.numberAt(here);
    if (run !== undefined) {
      const [key] = run.keys;
      // More than one reading is more than one number.
      if (key === undefined || run.keys.length > 1) break;
      shape += `#${key}`;
      here = run.end;
    } else if (token.kind === 'mark' && here > at) {
      here += 1;
      continue;
    } else if (token.kind === 'mark' || isNumberToken(token)) break;
    else {
      if (shape === 'W' && SOUNDS_LIKE_NUMBER.has(token.text))
        windows.push({ end: here + 1, shape: 'W?', segments: [...segments] });
      const sound = syllables.get(here);
      if (token.kind === 'han' && sound === undefined) break;
      shape = withWord(shape, segments, token.kind === 'han' ? 'H' : 'W', token.text, sound ?? '');
      here += 1;
    }
    windows.push({ end: here, shape, segments: [...segments] });
  }
  return windows;
}

function withWord(shape: string, segments: Segment[], sign: 'H' | 'W', text: string, sound: string): string {
  const last = segments.at(-1);
  if (last === undefined || !shape.endsWith(sign)) {
    segments.push(sign === 'H' ? hanSegment(text, [sound]) : wordSegment(text));
    return shape + sign;
  }
  const longer =
    'word' in last
      ? wordSegment(last.word + text)
      : { characters: last.characters + text, syllables: [...last.syllables, nearSyllable(sound)] };
  segments.splice(-1, 1, longer);
  return shape;
}

/** The sound of each character by the place of its token, read in the company of its neighbours. */
export function syllablesOf(taken: TakenText, romanise: Romanise | undefined): ReadonlyMap<number, string> {
  const sounds = new Map<number, string>();
  if (romanise === undefined) return sounds;
  for (let at = 0; at < taken.tokens.length; ) {
    let end = at;
    while (
      taken.tokens[end]?.kind === 'han' &&
      (end === at || taken.tokens[end]?.start === taken.tokens[end - 1]?.end)
    )
      end += 1;
    if (end > at) {
      const run = taken.form.slice(taken.tokens[at]?.start, taken.tokens[end - 1]?.end);
      const read = romanise(run).split(/\s+/u);
      if (read.length === end - at)
        for (const [index, sound] of read.entries()) sounds.set(at + index, sound);
    }
    at = Math.max(end, at + 1);
  }
  return sounds;
}
