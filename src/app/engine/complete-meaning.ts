import type { MatchOutcome, Meaning } from '../../domain/intent/meaning.ts';
import type { PhraseKey } from '../../domain/phrases/phrase-keys.ts';
import type { PlantModel } from '../../domain/plc/plant-model.ts';
import type { OpenQuestion } from './open-question.ts';

/** What one utterance means at this plant, or what has to be asked before that can be said. */
export type Completed =
  | { readonly kind: 'meaning'; readonly meaning: Meaning }
  | { readonly kind: 'ask'; readonly question: OpenQuestion }
  | { readonly kind: 'refuse'; readonly key: PhraseKey; readonly machine: string; readonly quantity: string }
  | { readonly kind: 'none' };

/**
 * From readings that fit a sentence to the one meaning, or a question. A tie is narrowed only by what the plant has
 * (a quantity that the machine lacks cannot be meant); what is left of it is asked about, never chosen by order.
 */
export function completeMeaning(match: MatchOutcome, plant: PlantModel): Completed {
  if (match.kind === 'none') return { kind: 'none' };
  const meanings = match.kind === 'match' ? [match.meaning] : possible(match.meanings, plant);
  const [first, ...others] = meanings;
  if (first === undefined) return { kind: 'none' };
  return others.length === 0 ? completeOne(first, plant) : askWhich(meanings);
}

function possible(meanings: readonly Meaning[], plant: PlantModel): readonly Meaning[] {
  const there = meanings.filter((meaning) => {
    const machine = slotId(meaning, 'machine');
    const point = slotId(meaning, 'quantity');
    return machine === undefined || point === undefined || plant.point({ machine, point }) !== undefined;
  });
  return there.length > 0 ? there : meanings;
}

/** Intents whose `quantity` is a point of their `machine`. */
const OF_A_MACHINE = ['read_point', 'read_history', 'write_request', 'compare'];

function completeOne(meaning: Meaning, plant: PlantModel): Completed {
  if (!OF_A_MACHINE.includes(meaning.intent)) return { kind: 'meaning', meaning };
  const machine = slotId(meaning, 'machine');
  const quantity = slotId(meaning, 'quantity');
  if (quantity === undefined) {
    if (meaning.intent === 'read_point')
      return machine === undefined
        ? { kind: 'none' }
        : { kind: 'meaning', meaning: { intent: 'machine_status', slots: meaning.slots } };
    return { kind: 'meaning', meaning };
  }
  if (machine !== undefined)
    return plant.point({ machine, point: quantity }) === undefined
      ? { kind: 'refuse', key: 'no_such_point', machine, quantity }
      : { kind: 'meaning', meaning };
  const machines = [...plant.machines.values()]
    .filter((each) => each.points.has(quantity))
    .map((each) => each.id);
  const [only, ...more] = machines;
  if (only !== undefined && more.length === 0)
    return {
      kind: 'meaning',
      meaning: { ...meaning, slots: { ...meaning.slots, machine: { value: only, spoken: '' } } },
    };
  return {
    kind: 'ask',
    question: { kind: 'question', meaning: kept(meaning), slot: 'machine', choices: machines, named: false },
  };
}

/** Readings that differ in one name are a choice between names; readings that differ in more are no sentence. */
function askWhich(meanings: readonly Meaning[]): Completed {
  const [first] = meanings;
  if (first === undefined) return { kind: 'none' };
  const intents = new Set(meanings.map(({ intent }) => intent));
  if (intents.size !== 1) return { kind: 'none' };
  const names = new Set(meanings.flatMap(({ slots }) => Object.keys(slots)));
  const differing = [...names].filter(
    (name) => new Set(meanings.map(({ slots }) => slots[name]?.value)).size > 1,
  );
  const [slot, ...more] = differing;
  if (more.length > 0 || (slot !== 'machine' && slot !== 'person' && slot !== 'other_machine'))
    return { kind: 'none' };
  const choices = [...new Set(meanings.flatMap((meaning) => slotId(meaning, slot) ?? []))];
  if (choices.length < 2) return { kind: 'none' };
  const { [slot]: _, ...rest } = first.slots;
  return {
    kind: 'ask',
    question: { kind: 'question', meaning: kept({ ...first, slots: rest }), slot, choices, named: true },
  };
}

function kept({ intent, slots }: Meaning): OpenQuestion['meaning'] {
  return { intent, slots: { ...slots } };
}

export function slotId(meaning: Meaning, slot: string): string | undefined {
  const value = meaning.slots[slot]?.value;
  return typeof value === 'string' ? value : undefined;
}
