import { z } from 'zod';
import type { SentenceBook } from '../../domain/intent/sentence-book.ts';
import type { Language } from '../../domain/language/language.ts';
import type { PhraseKey } from '../../domain/phrases/phrase-keys.ts';
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

/** Slots that a bare value fills. */
export const OPEN_SLOTS = [
  'machine',
  'other_machine',
  'person',
  'quantity',
  'value',
  'step',
  'period',
  'statistic',
  'format',
  'document',
  'ordinal',
  'number',
  'topic',
] as const;

/** What is asked for a slot; for one that is not here, the whole sentence has to be said again. */
export const SLOT_QUESTIONS: ReadonlyMap<string, PhraseKey> = new Map([
  ['machine', 'ask_which_machine'],
  ['other_machine', 'ask_other_machine'],
  ['person', 'ask_person'],
  ['quantity', 'ask_quantity'],
  ['value', 'ask_value'],
  ['step', 'ask_step'],
  ['ordinal', 'ask_step'],
  ['tool', 'ask_step'],
  ['period', 'ask_period'],
  ['statistic', 'ask_statistic'],
  ['format', 'ask_format'],
  ['document', 'ask_document'],
  ['number', 'ask_number'],
  ['topic', 'ask_topic'],
  ['text', 'ask_text'],
  ['action', 'ask_action'],
  ['event', 'gate_say_whole'],
  ['note', 'ask_text'],
  ['remark', 'ask_text'],
  ['condition', 'gate_say_whole'],
  ['shift', 'gate_say_whole'],
  ['verdict', 'gate_say_whole'],
]);

/** A question that was asked aloud, and what its answer completes. */
export const openQuestionSchema = z.object({
  kind: z.literal('question'),
  /** What was understood so far. */
  meaning: z.object({ intent: z.string(), slots: slotsSchema }),
  /** The slot that the answer fills. */
  slot: z.enum(OPEN_SLOTS),
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
  readonly understanding: Readonly<Record<Language, Pick<SentenceBook, 'valuesOf'>>>;
}

/** The question in the listener's language; a repeated one may be wanted in the other. */
export function questionText(question: OpenQuestion, parts: Parts, language: Language): string {
  const { phrases, plant } = parts;
  const { slot } = question;
  const quantity = question.meaning.slots['quantity']?.value;
  if (question.named) {
    const names = question.choices.map((id) => choiceName(id, question, parts, language));
    const choices = phrases.choices(language, names);
    const asked = LISTED_SLOTS.includes(slot) ? SLOT_QUESTIONS.get(slot) : undefined;
    return asked === undefined
      ? phrases.say(language, 'ask_which', { choices })
      : phrases.say(language, 'ask_naming', { question: phrases.say(language, asked), choices });
  }
  return slot === 'machine' && quantity !== undefined
    ? phrases.say(language, 'ask_machine', { quantity: quantityName(String(quantity), plant, language) })
    : phrases.say(language, SLOT_QUESTIONS.get(slot) ?? 'gate_say_whole');
}

/** Slots whose choices do not tell by themselves what is asked. */
const LISTED_SLOTS: readonly string[] = ['quantity', 'statistic', 'format', 'document', 'topic'];

function choiceName(id: string, { slot, choices }: OpenQuestion, parts: Parts, language: Language): string {
  const { plant, people, understanding } = parts;
  switch (slot) {
    case 'machine':
    case 'other_machine':
      return distinctName(id, choices, plant, language);
    case 'person':
      return people.nameOf(id, language);
    case 'quantity':
      return quantityName(id, plant, language);
    default:
      return understanding[language].valuesOf(slot).find(({ value }) => String(value) === id)?.spoken ?? id;
  }
}

export function quantityName(quantity: string, plant: PlantModel, language: Language): string {
  return plant.quantityList().find((entry) => entry.value === quantity)?.spoken[language][0] ?? quantity;
}
