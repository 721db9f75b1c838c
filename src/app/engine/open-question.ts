import { z } from 'zod';
import type { Language } from '../../domain/language/language.ts';
import type { Phrasebook } from '../../domain/phrases/phrasebook.ts';
import type { PlantModel } from '../../domain/plc/plant-model.ts';
import { distinctName } from '../read-value.ts';
import type { PeopleNames } from './people-names.ts';

/** The slots of a meaning, as they are kept over a restart. */
const slotsSchema = z.record(
  z.string(),
  z.object({
    value: z.union([z.string(), z.number()]),
    spoken: z.string(),
    digits: z.number().exactOptional(),
  }),
);

/** A question that was asked aloud, and what its answer completes. */
export const openQuestionSchema = z.object({
  kind: z.literal('question'),
  /** What was understood so far. */
  meaning: z.object({ intent: z.string(), slots: slotsSchema }),
  /** The slot that the answer fills. */
  slot: z.enum(['machine', 'other_machine', 'person', 'quantity', 'value', 'step']),
  /** Ids to choose from, in the order they were named if they were. */
  choices: z.array(z.string()),
  /** Whether the question named them aloud: only then is there a first and a second. */
  named: z.boolean(),
});
export type OpenQuestion = z.infer<typeof openQuestionSchema>;

interface Parts {
  readonly plant: PlantModel;
  readonly phrases: Phrasebook;
  readonly people: PeopleNames;
}

/** The question in the listener's language; a repeated one may be wanted in the other. */
export function questionText(question: OpenQuestion, parts: Parts, language: Language): string {
  const { phrases, plant } = parts;
  if (question.named) {
    const names = question.choices.map((id) =>
      question.slot === 'person'
        ? parts.people.nameOf(id, language)
        : question.slot === 'step'
          ? id
          : distinctName(id, question.choices, plant, language),
    );
    return phrases.say(language, 'ask_which', { choices: phrases.choices(language, names) });
  }
  const quantity = question.meaning.slots['quantity']?.value;
  switch (question.slot) {
    case 'machine':
    case 'other_machine':
      return quantity === undefined
        ? phrases.say(language, 'ask_which_machine')
        : phrases.say(language, 'ask_machine', { quantity: quantityName(String(quantity), plant, language) });
    case 'person':
      return phrases.say(language, 'ask_person');
    case 'quantity':
      return phrases.say(language, 'ask_quantity');
    case 'value':
      return phrases.say(language, 'ask_value');
    case 'step':
      return phrases.say(language, 'ask_step');
  }
}

export function quantityName(quantity: string, plant: PlantModel, language: Language): string {
  return plant.quantityList().find((entry) => entry.value === quantity)?.spoken[language][0] ?? quantity;
}
