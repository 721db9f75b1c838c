import type { Language } from '../domain/language/language.ts';
import { numberToWords } from '../domain/language/number-to-words.ts';
import type { PhraseKey } from '../domain/phrases/phrasebook.ts';
import { spokenValue } from '../domain/phrases/spoken-value.ts';
import type { BadReason, PointReading } from '../domain/plc/reading.ts';
import type { NodeStatus } from './node-status.ts';
import type { TurnParts } from './turn.ts';

const BAD_PHRASES: Readonly<Record<BadReason, PhraseKey>> = {
  unreachable: 'reading_bad_unreachable',
  timeout: 'reading_bad_timeout',
  refused: 'reading_bad_refused',
  unavailable: 'reading_bad_unavailable',
  not_a_number: 'reading_bad_not_a_number',
  unknown_point: 'no_such_point',
};

/** One reading as it is said: a value only when it is good, otherwise why there is none. */
export function sayReading(reading: PointReading, parts: TurnParts, language: Language): string {
  const machine = parts.plant.machineName(reading.ref.machine)[language];
  const quantity = parts.plant.pointName(reading.ref)[language];
  if (reading.quality === 'bad')
    return parts.phrases.say(language, BAD_PHRASES[reading.reason], { machine, quantity });
  return parts.phrases.say(language, 'reading', { machine, quantity, ...sayValue(reading, parts, language) });
}

/** All readings of one machine in a line; the ones without a value are named as such. */
export function sayStatus(
  machine: string,
  readings: readonly PointReading[],
  parts: TurnParts,
  language: Language,
): string {
  const [first] = readings;
  const silent =
    first !== undefined &&
    readings.every(
      (reading) => reading.quality === 'bad' && reading.reason === (first.quality === 'bad' && first.reason),
    );
  if (first === undefined || silent)
    return first === undefined
      ? parts.phrases.say(language, 'no_such_point', {
          machine: parts.plant.machineName(machine)[language],
          quantity: '',
        })
      : sayReading(first, parts, language);
  const items = readings.map((reading) => {
    const quantity = parts.plant.pointName(reading.ref)[language];
    if (reading.quality === 'bad') return parts.phrases.say(language, 'status_item_bad', { quantity });
    return parts.phrases.say(language, 'status_item', { quantity, ...sayValue(reading, parts, language) });
  });
  const list = items.join(language === 'zh' ? '，' : ', ');
  return parts.phrases.say(language, 'machine_status', {
    machine: parts.plant.machineName(machine)[language],
    list,
  });
}

export function sayNodeStatus(status: NodeStatus, parts: TurnParts, language: Language): string {
  const troubled = status.parts.filter((part) => part.status === 'down' || part.status === 'degraded');
  if (troubled.length === 0) return parts.phrases.say(language, 'system_status_ok', {});
  const names = troubled
    .map((part) => parts.phrases.part(language, part.name))
    .join(language === 'zh' ? '，' : ', ');
  return parts.phrases.say(language, 'system_status_trouble', { parts: names });
}

function sayValue(
  reading: Extract<PointReading, { quality: 'good' }>,
  parts: TurnParts,
  language: Language,
): { value: string; unit: string } {
  const text = parts.plant.enumText(reading.ref, reading.value)?.[language];
  if (text !== undefined) return { value: text, unit: '' };
  const decimals = parts.plant.decimals(reading.ref);
  const value = spokenValue(reading.value, {
    language,
    numberToWords,
    ...(decimals === undefined ? {} : { decimals }),
  });
  const unit = parts.plant.unit(reading.ref)?.[language];
  return { value, unit: unit === undefined ? '' : parts.phrases.unit(language, unit) };
}
