import { type Evidence, PLAIN_EVIDENCE } from '../../domain/gate/evidence.ts';
import { isOneWordFromStop } from '../../domain/gate/stop-words.ts';
import type { MatchOutcome } from '../../domain/intent/meaning.ts';
import type { Language } from '../../domain/language/language.ts';
import { WRITING_INTENTS } from '../../domain/planning/writing-intents.ts';
import type { PlantModel } from '../../domain/plc/plant-model.ts';
import { type Transcript, UNKNOWN_WORD } from '../ports/recogniser.ts';
import { isValueDoubtful } from './doubtful-write.ts';

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
  const isWrite = meaning !== undefined && WRITING_INTENTS.includes(meaning.intent);
  return {
    source: 'template',
    audioLost: transcript.audioLost || transcript.cut,
    unknownWord: words.includes(UNKNOWN_WORD),
    fuzzyName: false,
    digitsDoubtful: meaning !== undefined && isValueDoubtful(meaning, language, plant),
    nearStop: isWrite && isOneWordFromStop(words, language, book),
  };
}
