import type { Language } from '../domain/language/language.ts';
import { numberToWords } from '../domain/language/number-to-words.ts';
import type { PhraseKey } from '../domain/phrases/phrase-keys.ts';
import type { Phrasebook } from '../domain/phrases/phrasebook.ts';
import { spokenAge, wholeUnitsOf } from '../domain/phrases/spoken-age.ts';
import type { PlantModel } from '../domain/plc/plant-model.ts';
import type { EscalationTicket } from '../domain/tool/ticket.ts';
import type { ToolErrorCode } from '../domain/tool/tool-call.ts';
import type { Clocks } from '../runtime/clocks.ts';
import type { ToolRunner } from './ports/tool-runner.ts';

interface Parts {
  readonly phrases: Phrasebook;
  readonly plant: PlantModel;
  readonly tools: Pick<ToolRunner, 'contract'>;
  readonly clocks: Pick<Clocks, 'bootId'>;
}

/** So many are named; how many there are is said before. */
const MOST_NAMED = 3;
const SHORTEST_ID = 4;

/**
 * How many tickets are open, and the newest three of them, those about safety first. In: the open ones, the oldest first, with
 * their ages of now. Out: sentences.
 */
export function ticketWords(
  open: readonly EscalationTicket[],
  parts: Parts,
  language: Language,
): readonly string[] {
  const { phrases } = parts;
  if (open.length === 0) return [phrases.say(language, 'tickets_none')];
  const newestFirst = open.toReversed();
  const named = [
    ...newestFirst.filter(({ safety }) => safety),
    ...newestFirst.filter(({ safety }) => !safety),
  ].slice(0, MOST_NAMED);
  const count = language === 'zh' && open.length === 2 ? '两' : numberToWords(open.length, language);
  return [
    open.length === 1
      ? phrases.say(language, 'tickets_one')
      : phrases.say(language, 'tickets_open', { count }),
    ...named.map((ticket) =>
      phrases.say(language, ticket.safety ? 'ticket_of_safety' : 'ticket_line', {
        number: shortId(ticket, open),
        what: whatOf(ticket, parts, language),
        why: phrases.say(language, KINDS[ticket.code]),
        age: ageOf(ticket, parts, language),
      }),
    ),
  ];
}

/** The beginning of its id, as long as it takes to tell it from the others, letter by letter. */
function shortId({ id }: EscalationTicket, open: readonly EscalationTicket[]): string {
  const own = bareId(id);
  const others = open.filter((each) => each.id !== id).map((each) => bareId(each.id));
  let length = SHORTEST_ID;
  while (length < own.length && others.some((other) => other.startsWith(own.slice(0, length)))) length += 1;
  return [...own.slice(0, length).toUpperCase()].join(' ');
}

function bareId(id: string): string {
  return id.replace(/^tk_/u, '');
}

function whatOf({ tool, input }: EscalationTicket, parts: Parts, language: Language): string {
  const { phrases, plant, tools } = parts;
  const deed =
    tool === 'session'
      ? phrases.say(language, 'ticket_of_session')
      : (tools.contract(tool)?.deed[language] ?? tool);
  const { machine } = input;
  return typeof machine === 'string' && plant.machine(machine) !== undefined
    ? phrases.say(language, 'ticket_of_machine', { machine: plant.machineName(machine)[language], deed })
    : deed;
}

/** A ticket of an earlier boot is older than what is counted, by as long as the box was off. */
function ageOf(
  { age_ms: ageMs, boot_id: bootId }: EscalationTicket,
  parts: Parts,
  language: Language,
): string {
  const { phrases, clocks } = parts;
  return bootId === clocks.bootId
    ? phrases.say(language, 'ticket_age', { age: spokenAge(ageMs, language) })
    : phrases.say(language, 'ticket_age_at_least', { age: spokenAge(wholeUnitsOf(ageMs), language) });
}

const KINDS: Readonly<Record<ToolErrorCode, PhraseKey>> = {
  UNKNOWN_TOOL: 'ticket_unavailable',
  INPUT_INVALID: 'ticket_failed',
  DENIED: 'ticket_failed',
  NOT_CONFIRMED: 'ticket_failed',
  TOOL_UNAVAILABLE: 'ticket_unavailable',
  TOOL_BUSY: 'ticket_unavailable',
  TOOL_TIMEOUT: 'ticket_slow',
  TOOL_OOM: 'ticket_failed',
  TOOL_CPU: 'ticket_slow',
  TOOL_FAILED: 'ticket_failed',
  OUTPUT_INVALID: 'ticket_failed',
  RECURSIVE_CALL: 'ticket_failed',
  CALL_DEPTH_EXCEEDED: 'ticket_failed',
  REPEATED_CALL: 'ticket_failed',
  TOO_MANY_STEPS: 'ticket_failed',
  CANCELLED: 'ticket_failed',
  OUTCOME_UNKNOWN: 'ticket_unknown',
};
