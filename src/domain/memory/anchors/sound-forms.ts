import type { AnchorKind } from '../mention.ts';
import type { NameStep } from './name-forms.ts';
import type { LikenessForm } from './name-index.ts';
import { englishSound, nearSyllable, type Romanise } from './near-sounds.ts';

/** A stretch between numbers: words run together, or characters by their sounds. */
export type Segment =
  | { readonly word: string; readonly sound: string }
  | { readonly syllables: readonly string[]; readonly characters: string };

/** A declared name, cut at its numbers. */
export interface SoundForm {
  readonly id: string;
  readonly kind: AnchorKind;
  readonly segments: readonly Segment[];
  /** Of the last number, where there is one. */
  readonly number: string | undefined;
}

/** Declared names by their shape and numbers: only names with the same numbers in the same places are ever compared. */
export interface SoundIndex {
  readonly bySignature: ReadonlyMap<string, readonly SoundForm[]>;
  /** Numbered names by the word before their number. */
  readonly byStem: ReadonlyMap<string, readonly SoundForm[]>;
}

/** A name of two characters or five letters at least: shorter ones are like too much. */
const FEWEST_CHARACTERS = 2;
const FEWEST_LETTERS = 5;

/** Chinese names are left out without `romanise`. */
export function compileSounds(declared: readonly LikenessForm[], romanise: Romanise | undefined): SoundIndex {
  const bySignature = new Map<string, SoundForm[]>();
  const byStem = new Map<string, SoundForm[]>();
  for (const { id, kind, steps } of declared) {
    const cut = cutSteps(steps, romanise);
    if (cut === undefined || !isLongEnough(cut.segments, cut.numbers.length > 0)) continue;
    const form = { id, kind, segments: cut.segments, number: cut.numbers.at(-1)?.at(-1) };
    for (const signature of cut.signatures)
      bySignature.set(signature, [...(bySignature.get(signature) ?? []), form]);
    const [stem] = cut.segments;
    if (cut.shape === 'W#' && stem !== undefined && 'word' in stem)
      byStem.set(stem.word, [...(byStem.get(stem.word) ?? []), form]);
  }
  return { bySignature, byStem };
}

export function wordSegment(word: string): Segment {
  return { word, sound: englishSound(word) };
}

/** The signature of a name of words alone: those are compared only where they begin with a like sound. */
export function signatureOf(shape: string, segments: readonly Segment[]): string {
  const [first] = segments;
  return shape === 'W' && first !== undefined && 'word' in first ? `W ${first.sound.slice(0, 1)}` : shape;
}

interface Cut {
  readonly segments: readonly Segment[];
  readonly numbers: readonly (readonly string[])[];
  readonly shape: string;
  readonly signatures: readonly string[];
}

function cutSteps(steps: readonly NameStep[], romanise: Romanise | undefined): Cut | undefined {
  const segments: Segment[] = [];
  const numbers: (readonly string[])[] = [];
  let shape = '';
  let signatures = [''];
  for (let at = 0; at < steps.length; ) {
    const step = steps[at];
    if (step === undefined) break;
    if (!('word' in step)) {
      numbers.push(step.numbers);
      shape += '#';
      signatures = signatures.flatMap((before) => step.numbers.map((key) => `${before}#${key}`));
      at += 1;
      continue;
    }
    const run = steps.slice(at, endOfRun(steps, at)).map((each) => ('word' in each ? each.word : ''));
    if (step.isHan && romanise === undefined) return undefined;
    const segment = step.isHan
      ? hanSegment(run.join(''), romanise?.(run.join('')).split(/\s+/u) ?? [])
      : wordSegment(run.join(''));
    segments.push(segment);
    const sign = step.isHan ? 'H' : 'W';
    shape += sign;
    signatures = signatures.map((before) => before + sign);
    at += run.length;
  }
  const whole = numbers.length === 0 ? [signatureOf(shape, segments)] : signatures;
  return { segments, numbers, shape, signatures: whole };
}

export function hanSegment(characters: string, syllables: readonly string[]): Segment {
  return { characters, syllables: syllables.map(nearSyllable) };
}

function endOfRun(steps: readonly NameStep[], from: number): number {
  const first = steps[from];
  const isHan = first !== undefined && 'word' in first && first.isHan;
  const end = steps.findIndex((step, at) => at > from && !('word' in step && step.isHan === isHan));
  return end < 0 ? steps.length : end;
}

function isLongEnough(segments: readonly Segment[], isNumbered: boolean): boolean {
  const characters = segments.reduce(
    (sum, segment) => sum + ('syllables' in segment ? segment.syllables.length : 0),
    0,
  );
  const letters = segments.reduce((sum, segment) => sum + ('word' in segment ? segment.word.length : 0), 0);
  return characters >= FEWEST_CHARACTERS || letters >= (isNumbered ? FEWEST_LETTERS - 1 : FEWEST_LETTERS);
}
