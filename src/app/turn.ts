import type { MatchOutcome, Meaning } from '../domain/intent/meaning.ts';
import type { Language } from '../domain/language/language.ts';
import type { PhraseKey } from '../domain/phrases/phrase-keys.ts';
import type { Phrasebook } from '../domain/phrases/phrasebook.ts';
import type { PlantModel } from '../domain/plc/plant-model.ts';
import type { Clocks } from '../runtime/clocks.ts';
import type { NodeStatus } from './node-status.ts';
import type { PlcReader } from './ports/plc-reader.ts';
import { distinctName } from './read-value.ts';
import type { Session } from './session.ts';
import type { ReadingReport } from './turn-report.ts';

/** What the routing of a turn needs of the rest of the daemon. */
export interface TurnParts {
  readonly plant: PlantModel;
  readonly reader: PlcReader;
  readonly phrases: Phrasebook;
  readonly clocks: Clocks;
  readonly status: () => NodeStatus;
  /** Sentences a person may say, as examples, in each language. */
  readonly examples: Readonly<Record<Language, readonly string[]>>;
}

/** What is to happen for a meaning, before anything happens. */
export type Route =
  | {
      readonly kind: 'answer';
      readonly key: PhraseKey;
      readonly values?: Readonly<Record<string, string>>;
      readonly ends: 'completed' | 'refused';
    }
  | {
      readonly kind: 'ask';
      /** A repeated question may be wanted in the other language. */
      readonly text: (language: Language) => string;
      readonly question: NonNullable<Session['question']>;
    }
  | { readonly kind: 'read'; readonly machine: string; readonly points: readonly string[] }
  | { readonly kind: 'interrupt'; readonly key: PhraseKey }
  | { readonly kind: 'repeat' }
  | { readonly kind: 'status' };

export interface TurnResult {
  /** What to say; undefined keeps silent. */
  readonly answer: string | undefined;
  readonly readings: readonly ReadingReport[];
  readonly ok: boolean;
}

/** Intents that act at once, also while the station's last command still runs. */
const INTERRUPTS: Readonly<Record<string, PhraseKey>> = {
  stop: 'stopped',
  cancel: 'cancelled',
  emergency_stop: 'emergency_stop',
};

/**
 * From readings that fit a sentence to the one route, or a question. A tie is narrowed only by what the plant has
 * (a quantity that the machine lacks cannot be meant); what is left of it is asked about, never chosen by order.
 */
export function routeOf(
  match: MatchOutcome,
  session: Session,
  parts: TurnParts,
  language: Language,
): Route | undefined {
  if (match.kind === 'none') return undefined;
  const meanings = match.kind === 'match' ? [match.meaning] : possible(match.meanings, parts.plant);
  const [first, ...others] = meanings;
  if (first === undefined) return undefined;
  if (others.length === 0) return routeMeaning(first, session, parts, language);
  return askWhich(meanings, parts);
}

function possible(meanings: readonly Meaning[], plant: PlantModel): readonly Meaning[] {
  const there = meanings.filter((meaning) => {
    const machine = slotId(meaning, 'machine');
    const point = slotId(meaning, 'quantity');
    return machine === undefined || point === undefined || plant.point({ machine, point }) !== undefined;
  });
  return there.length > 0 ? there : meanings;
}

function routeMeaning(
  meaning: Meaning,
  session: Session,
  parts: TurnParts,
  language: Language,
): Route | undefined {
  const interrupt = INTERRUPTS[meaning.intent];
  if (interrupt !== undefined) return { kind: 'interrupt', key: interrupt };
  const machine = slotId(meaning, 'machine');
  const quantity = slotId(meaning, 'quantity');
  switch (meaning.intent) {
    case 'read_point':
      return routeRead(machine, quantity, parts, language);
    case 'machine_status':
      return machine === undefined ? undefined : readAll(machine, parts);
    case 'choose':
      return routeChoice(meaning, session, parts, language);
    case 'system_status':
      return { kind: 'status' };
    case 'repeat':
      return { kind: 'repeat' };
    case 'help':
      return {
        kind: 'answer',
        key: 'help',
        values: { examples: parts.phrases.list(language, parts.examples[language]) },
        ends: 'completed',
      };
    case 'yes':
    case 'no':
    case 'confirm_execute':
      return { kind: 'answer', key: 'nothing_to_confirm', ends: 'refused' };
    case 'write_request':
      return { kind: 'answer', key: 'writes_unavailable', ends: 'refused' };
    default:
      return undefined;
  }
}

function routeRead(
  machine: string | undefined,
  quantity: string | undefined,
  parts: TurnParts,
  language: Language,
): Route | undefined {
  if (quantity === undefined) return machine === undefined ? undefined : readAll(machine, parts);
  if (machine !== undefined) {
    if (parts.plant.point({ machine, point: quantity }) !== undefined)
      return { kind: 'read', machine, points: [quantity] };
    const values = {
      machine: parts.plant.machineName(machine)[language],
      quantity: quantityName(quantity, parts.plant, language),
    };
    return { kind: 'answer', key: 'no_such_point', values, ends: 'refused' };
  }
  const machines = [...parts.plant.machines.values()]
    .filter((each) => each.points.has(quantity))
    .map((each) => each.id);
  const [only, ...more] = machines;
  if (only !== undefined && more.length === 0) return { kind: 'read', machine: only, points: [quantity] };
  return {
    kind: 'ask',
    text: (spoken) =>
      parts.phrases.say(spoken, 'ask_machine', { quantity: quantityName(quantity, parts.plant, spoken) }),
    question: { machines, named: false, intent: 'read_point', quantity },
  };
}

function readAll(machine: string, parts: TurnParts): Route {
  const points = [...(parts.plant.machine(machine)?.points.values() ?? [])].filter(
    ({ inStatus }) => inStatus,
  );
  return { kind: 'read', machine, points: points.map(({ ref }) => ref.point) };
}

/** The answer to an open question: a machine by name, or by its place among the ones named. */
function routeChoice(
  meaning: Meaning,
  session: Session,
  parts: TurnParts,
  language: Language,
): Route | undefined {
  const question = session.question;
  if (question === undefined) return undefined;
  const ordinal = question.named ? meaning.slots['ordinal']?.value : undefined;
  const byPlace = ordinal === 'last' ? question.machines.at(-1) : question.machines[Number(ordinal ?? 0) - 1];
  const machine = slotId(meaning, 'machine') ?? byPlace;
  if (machine === undefined) return undefined;
  return question.quantity === undefined
    ? readAll(machine, parts)
    : routeRead(machine, question.quantity, parts, language);
}

function askWhich(meanings: readonly Meaning[], parts: TurnParts): Route | undefined {
  const intents = new Set(meanings.map((meaning) => meaning.intent));
  const quantities = new Set(meanings.map((meaning) => slotId(meaning, 'quantity')));
  const machines = [...new Set(meanings.flatMap((meaning) => slotId(meaning, 'machine') ?? []))];
  const [intent] = intents;
  const [quantity] = quantities;
  if (intents.size === 1 && intent === 'write_request')
    return { kind: 'answer', key: 'writes_unavailable', ends: 'refused' };
  const answerable = intent === 'read_point' || intent === 'machine_status' || intent === 'choose';
  if (intents.size !== 1 || quantities.size !== 1 || machines.length < 2 || !answerable) return undefined;
  return {
    kind: 'ask',
    text: (spoken) => {
      const names = machines.map((machine) => distinctName(machine, machines, parts.plant, spoken));
      return parts.phrases.say(spoken, 'ask_which', { choices: parts.phrases.choices(spoken, names) });
    },
    question: { machines, named: true, intent, quantity },
  };
}

export function quantityName(quantity: string, plant: PlantModel, language: Language): string {
  return plant.quantityList().find((entry) => entry.value === quantity)?.spoken[language][0] ?? quantity;
}

function slotId(meaning: Meaning, slot: string): string | undefined {
  const value = meaning.slots[slot]?.value;
  return typeof value === 'string' ? value : undefined;
}
