import type { Meaning } from '../../domain/intent/meaning.ts';
import { slotConfidence } from '../../domain/intent/slot-confidence.ts';
import { MIN_SLOT_CONFIDENCE } from '../../domain/planning/argument.ts';
import type { Question } from '../../domain/planning/routed.ts';
import type { OpenQuestion } from './open-question.ts';
import type { TurnScope } from './turn-scope.ts';

/** What a name alone answers. Anything else is a sentence that has to be said again. */
const NAMED_SLOTS = ['machine', 'other_machine', 'person'] as const;

/**
 * The question about the one slot that was heard doubtfully, with all that was heard for certain. Undefined where the whole
 * sentence has to be said again: more than one slot is in doubt, or no name fills it.
 */
export function doubtQuestion(
  meaning: Meaning,
  asked: Question,
  { heard, language }: Pick<TurnScope, 'heard' | 'language'>,
): OpenQuestion | undefined {
  const slot = NAMED_SLOTS.find((each) => each === asked.slot);
  if (asked.why !== 'doubtful' || slot === undefined) return undefined;
  const doubtful = Object.values(slotConfidence(meaning, heard, language)).filter(
    (confidence) => confidence < MIN_SLOT_CONFIDENCE,
  );
  if (doubtful.length > 1) return undefined;
  const { [slot]: _, ...slots } = meaning.slots;
  return { kind: 'question', meaning: { intent: meaning.intent, slots }, slot, choices: [], named: false };
}
