import { nearest } from '../../runtime/nearest.ts';
import { RecogniserWords, sayableGraph } from './recogniser-words.ts';
import type { Sentence } from './sentence-graph.ts';
import { wordsOf } from './template.ts';

/** A word the recogniser's model does not know. */
export interface UnknownWord {
  readonly word: string;
  /** Where it stands: a sentence of the file, or a name of the site. */
  readonly where: string;
  /** The known word that is spelled most like it. */
  readonly nearest: string | undefined;
  /** True when the sentence or thing cannot be said at all because of it; false when there is another way to say it. */
  readonly blocking: boolean;
}

/** A value of a list with every way to say it. */
export interface ListedName {
  readonly where: string;
  /** Every way to say one value; each form its words. */
  readonly forms: readonly (readonly string[])[];
}

interface SpokenMaterial {
  readonly skipPhrases: readonly (readonly string[])[];
  readonly sentences: readonly Sentence[];
  readonly names: readonly ListedName[];
}

/** The words of sentences and names that a model with the words `known` cannot recognise, each place once. */
export function findUnknownWords(
  { skipPhrases, sentences, names }: SpokenMaterial,
  known: ReadonlySet<string>,
): readonly UnknownWord[] {
  const words = new RecogniserWords(known);
  const unknown = new Map<string, UnknownWord>();
  const report = (said: Iterable<string>, where: string, blocking: boolean) => {
    for (const word of said)
      for (const missing of words.missingIn(word))
        unknown.set(`${missing}\n${where}`, {
          word: missing,
          where,
          nearest: nearest(missing, known),
          blocking,
        });
  };
  for (const phrase of skipPhrases) report(phrase, 'skip_words', false);
  for (const sentence of sentences)
    report(wordsOf(sentence.template), `${sentence.where}, "${sentence.text}"`, !canBeSaid(sentence, words));
  for (const { where, forms } of names) {
    const blocking = forms.every((form) => words.ofAll(form) === undefined);
    for (const form of forms) report(form, where, blocking);
  }
  return [...unknown.values()];
}

function canBeSaid(sentence: Sentence, words: RecogniserWords): boolean {
  return sayableGraph([sentence], words).places.some((place) => place.intent !== undefined);
}
