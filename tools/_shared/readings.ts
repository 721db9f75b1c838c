import type { JsonObject, JsonValue } from '../../src/domain/json.ts';
import type { SayValue, Sentence } from '../../src/domain/tool/say.ts';
import { isObject, isScalar, objectsOf, textOf } from './json.ts';

/** What is known of one point now: a value only when it is good. */
export interface Reading {
  readonly machine: string;
  readonly point: string;
  readonly quality: 'good' | 'stale' | 'bad';
  readonly value: string | number | boolean | undefined;
  readonly reason: string;
  /** Of a stale one: how old the last good value was when it was asked for, seconds. */
  readonly ageS: number | undefined;
}

/** The readings in an answer of `points.read`. */
export function readingsOf(answer: JsonValue): {
  readonly readings: readonly Reading[];
  readonly raw: readonly JsonObject[];
} {
  const raw = objectsOf(isObject(answer) ? answer['readings'] : undefined, 'readings');
  return { raw, readings: raw.map(readingOf) };
}

function readingOf(raw: JsonObject): Reading {
  const quality = raw['quality'];
  const value = raw['value'];
  const last = raw['last'];
  const at = textOf(raw['at'], 'the time of a reading');
  const lastAt = isObject(last) ? textOf(last['at'], 'the time of the last value') : undefined;
  return {
    machine: textOf(raw['machine'], 'the machine of a reading'),
    point: textOf(raw['point'], 'the point of a reading'),
    quality: quality === 'good' || quality === 'stale' ? quality : 'bad',
    value: quality === 'good' && isScalar(value) ? value : undefined,
    reason: typeof raw['reason'] === 'string' ? raw['reason'] : 'timeout',
    ageS: lastAt === undefined ? undefined : (Date.parse(at) - Date.parse(lastAt)) / 1000,
  };
}

const BAD_PHRASES: Readonly<Record<string, string>> = {
  unreachable: 'bad_unreachable',
  timeout: 'bad_timeout',
  not_read: 'bad_timeout',
  refused: 'bad_refused',
  unavailable: 'bad_unavailable',
  not_a_number: 'bad_not_a_number',
};

/**
 * One reading as it is said: the value when it is good, of a stale one its age alone, else why there is none. The phrases
 * are `reading`, `stale` and `bad_…`.
 */
export function sayReading({ machine, point, quality, value, reason, ageS }: Reading): Sentence {
  const names = { machine: machineName(machine), quantity: pointName(machine, point) };
  if (quality === 'good' && value !== undefined)
    return { phrase: 'reading', values: { ...names, value: { kind: 'value', machine, point, value } } };
  if (quality === 'stale' && ageS !== undefined)
    return { phrase: 'stale', values: { ...names, age: { kind: 'duration', seconds: ageS } } };
  return { phrase: BAD_PHRASES[reason] ?? 'bad_timeout', values: names };
}

export function machineName(id: string): SayValue & object {
  return { kind: 'machine', id };
}

export function pointName(
  machine: string,
  point: string,
): { readonly kind: 'point'; readonly machine: string; readonly point: string } {
  return { kind: 'point', machine, point };
}
