import type { Meaning } from '../../domain/intent/meaning.ts';
import type { PhraseKey } from '../../domain/phrases/phrase-keys.ts';
import type { Question } from '../../domain/planning/routed.ts';
import { WRITING_INTENTS } from '../../domain/planning/writing-intents.ts';
import type { PlantModel } from '../../domain/plc/plant-model.ts';
import type { EngineParts } from './engine-parts.ts';
import { OPEN_SLOTS, type OpenQuestion, SLOT_QUESTIONS } from './open-question.ts';

type Parts = Pick<EngineParts, 'plant' | 'understanding'>;

/** More are not named: nobody keeps them in mind. */
const MOST_NAMED = 3;
/** Whoever stands at a station is not told who is in the directory. */
const NEVER_NAMED: readonly string[] = ['person'];

/** The question about a slot that is missing or has several values, where a bare value answers it. */
export function routedQuestion(meaning: Meaning, asked: Question, parts: Parts): OpenQuestion | undefined {
  const slot = OPEN_SLOTS.find((each) => each === asked.slot);
  if (slot === undefined) return undefined;
  const { intent } = meaning;
  if (asked.why === 'missing') {
    const choices = validChoices(meaning, slot, parts);
    const named = choices.length > 1 && choices.length <= MOST_NAMED;
    return {
      kind: 'question',
      meaning: { intent, slots: { ...meaning.slots } },
      slot,
      choices: named ? [...choices] : [],
      named,
    };
  }
  if (asked.why !== 'which' || slot === 'period') return undefined;
  const choices = asked.choices.flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
  const { [slot]: _, ...slots } = meaning.slots;
  return { kind: 'question', meaning: { intent, slots: { ...slots } }, slot, choices, named: true };
}

/** What is said where the whole sentence has to be said again: what it lacks, or what in it is not understood. */
export function sayAgainLine({ slot, why }: Question): PhraseKey {
  if (why === 'doubtful') return 'doubtful';
  if (why === 'unknown_time' || why === 'time_to_come' || why === 'no_such_shift') return 'ask_period';
  return SLOT_QUESTIONS.get(slot) ?? 'gate_say_whole';
}

function validChoices(meaning: Meaning, slot: string, { plant, understanding }: Parts): readonly string[] {
  if (NEVER_NAMED.includes(slot)) return [];
  if (slot === 'machine' || slot === 'other_machine') return machinesFor(meaning, plant);
  if (slot === 'quantity') return quantitiesFor(meaning, plant);
  return [...new Set(understanding.en.valuesOf(slot).map(({ value }) => String(value)))];
}

function machinesFor({ slots }: Meaning, plant: PlantModel): readonly string[] {
  const quantity = slots['quantity']?.value;
  const action = slots['action']?.value;
  return [...plant.machines.values()]
    .filter(({ id }) => id !== slots['machine']?.value)
    .filter(({ points }) => typeof quantity !== 'string' || points.has(quantity))
    .filter(({ commands }) => quantity !== undefined || typeof action !== 'string' || commands.has(action))
    .map(({ id }) => id);
}

function quantitiesFor({ intent, slots }: Meaning, plant: PlantModel): readonly string[] {
  const machine = slots['machine']?.value;
  if (typeof machine !== 'string') return [];
  return [...(plant.machine(machine)?.points.values() ?? [])]
    .filter(({ access }) => !WRITING_INTENTS.includes(intent) || access !== 'read')
    .map(({ ref }) => ref.point);
}
