import type { Language } from '../domain/language/language.ts';
import type { PhraseKey } from '../domain/phrases/phrase-keys.ts';
import type { Phrasebook } from '../domain/phrases/phrasebook.ts';
import { spokenAge } from '../domain/phrases/spoken-age.ts';
import { spokenValue } from '../domain/phrases/spoken-value.ts';
import type { BadReason, GoodReading, KnownReading } from '../domain/plc/reading.ts';
import type { Clocks } from '../runtime/clocks.ts';
import type { Announcement } from './announcer.ts';
import type { NodeStatus } from './node-status.ts';
import type { TurnParts } from './turn.ts';
import type { TurnReport } from './turn-report.ts';

const BAD_PHRASES: Readonly<Record<BadReason, PhraseKey>> = {
  unreachable: 'reading_bad_unreachable',
  timeout: 'reading_bad_timeout',
  refused: 'reading_bad_refused',
  unavailable: 'reading_bad_unavailable',
  not_a_number: 'reading_bad_not_a_number',
  unknown_point: 'no_such_point',
  not_read: 'reading_bad_timeout',
};

/** One reading as it is said: a value only when it is good, otherwise why there is none. */
export function sayReading(reading: KnownReading, parts: TurnParts, language: Language): string {
  const machine = parts.plant.machineName(reading.ref.machine)[language];
  const quantity = parts.plant.pointName(reading.ref)[language];
  if (reading.quality === 'bad')
    return parts.phrases.say(language, BAD_PHRASES[reading.reason], { machine, quantity });
  if (reading.quality === 'stale') {
    const age = spokenAge(parts.clocks.monotonicMs() - reading.last.atMs, language);
    return parts.phrases.say(language, 'reading_stale', { machine, quantity, age });
  }
  return parts.phrases.say(language, 'reading', { machine, quantity, ...sayValue(reading, parts, language) });
}

/** All readings of one machine in a line; the ones without a value are named as such. */
export function sayStatus(
  machine: string,
  readings: readonly KnownReading[],
  parts: TurnParts,
  language: Language,
): string {
  const { phrases, plant } = parts;
  const name = plant.machineName(machine)[language];
  if (readings.every((reading) => reading.quality !== 'good'))
    return phrases.say(language, 'machine_unreadable', { machine: name });
  const items = readings.map((reading) => {
    const quantity = plant.pointName(reading.ref)[language];
    if (reading.quality !== 'good') return phrases.say(language, 'status_item_bad', { quantity });
    return phrases.say(language, 'status_item', { quantity, ...sayValue(reading, parts, language) });
  });
  return phrases.say(language, 'machine_status', { machine: name, list: phrases.list(language, items) });
}

export function sayNodeStatus(status: NodeStatus, parts: TurnParts, language: Language): string {
  const troubled = status.parts.filter((part) => part.status === 'down' || part.status === 'degraded');
  if (troubled.length === 0) return parts.phrases.say(language, 'system_status_ok');
  const names = parts.phrases.list(language, [
    ...new Set(troubled.map((part) => parts.phrases.part(language, part.name))),
  ]);
  return parts.phrases.say(language, 'system_status_trouble', { parts: names });
}

function sayValue(
  reading: GoodReading,
  parts: TurnParts,
  language: Language,
): { value: string; unit: string } {
  const text = parts.plant.enumText(reading.ref, reading.value)?.[language];
  if (text !== undefined) return { value: text, unit: '' };
  const decimals = parts.plant.decimals(reading.ref);
  const value = spokenValue(reading.value, language, decimals);
  return parts.phrases.measure(language, value, parts.plant.unit(reading.ref)?.[language] ?? '');
}

/** A value is said within this time of being read, or not at all. */
const VALUE_TRUE_FOR_MS = 5000;

/** The line for an answered turn; one that holds values is replaced when its turn to be said comes too late. */
export function answerLine(
  report: TurnReport,
  language: Language,
  parts: { readonly phrases: Phrasebook; readonly clocks: Clocks },
): Announcement | undefined {
  if (report.answer === undefined) return undefined;
  const line: Announcement = { text: report.answer, language, priority: 'answer' };
  if (report.readings.every(({ quality }) => quality !== 'good')) return line;
  const instead = parts.phrases.say(language, 'value_too_old');
  return { ...line, stale: { atMs: parts.clocks.monotonicMs() + VALUE_TRUE_FOR_MS, instead } };
}
