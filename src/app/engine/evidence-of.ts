import { doubtfulDigits, wholeNumber } from '../../domain/gate/digit-count.ts';
import { type Evidence, PLAIN_EVIDENCE } from '../../domain/gate/evidence.ts';
import { isOneWordFromStop } from '../../domain/gate/stop-words.ts';
import type { MatchOutcome, Meaning } from '../../domain/intent/meaning.ts';
import type { Language } from '../../domain/language/language.ts';
import type { PlantModel } from '../../domain/plc/plant-model.ts';
import { type Transcript, UNKNOWN_WORD } from '../ports/recogniser.ts';

/** Intents that may come to a write: only for these is it asked how near the words are to others. */
const CONSEQUENTIAL = ['write_request'];

/** How sure it is that just this was said. What was typed is what was meant. */
export function evidenceOf(
  heard: { readonly language: Language; readonly transcript?: Transcript },
  match: MatchOutcome,
  book: { match(text: string): MatchOutcome },
  plant: PlantModel,
): Evidence {
  const { transcript, language } = heard;
  if (transcript === undefined) return PLAIN_EVIDENCE;
  const words = transcript.words.map(({ text }) => text);
  const meaning = match.kind === 'match' ? match.meaning : undefined;
  const isConsequential = meaning !== undefined && CONSEQUENTIAL.includes(meaning.intent);
  const value = isConsequential ? meaning.slots['value'] : undefined;
  return {
    source: 'template',
    audioLost: transcript.audioLost || transcript.cut,
    unknownWord: words.includes(UNKNOWN_WORD),
    fuzzyName: false,
    digitsDoubtful:
      value !== undefined &&
      doubtfulDigits(
        value,
        { digits: undefined, meantBy: (said) => writableNumber(said, language, meaning, plant) },
        language,
      ) !== undefined,
    nearStop: isConsequential && isOneWordFromStop(words, language, book),
  };
}

/** What other words would mean instead: only a value that could be written there counts. */
function writableNumber(
  said: string,
  language: Language,
  meaning: Meaning | undefined,
  plant: PlantModel,
): number | undefined {
  const value = wholeNumber(said, language);
  const machine = meaning?.slots['machine']?.value;
  const point = meaning?.slots['quantity']?.value;
  const found =
    typeof machine === 'string' && typeof point === 'string' ? plant.point({ machine, point }) : undefined;
  if (value === undefined || found === undefined) return value;
  const isPossible =
    value >= (found.writeMin ?? Number.NEGATIVE_INFINITY) &&
    value <= (found.writeMax ?? Number.POSITIVE_INFINITY);
  return isPossible ? value : undefined;
}
