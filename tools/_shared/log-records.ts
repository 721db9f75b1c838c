import type { JsonObject, JsonValue } from '../../src/domain/json.ts';
import type { SayList } from '../../src/domain/tool/say.ts';
import { isObject, objectsOf, optionalText, textOf } from './json.ts';

export interface LogRecord {
  readonly kind: string;
  readonly at: string;
  readonly en: string | undefined;
  readonly zh: string | undefined;
  readonly lost: number;
  /** As the plant file has them for the code, where it does. */
  readonly severity: string | undefined;
  readonly event: string | undefined;
}

/** The records in an answer of `plclog.records`, oldest first. */
export function recordsOf(answer: JsonValue): {
  readonly records: readonly LogRecord[];
  readonly raw: readonly JsonObject[];
} {
  const raw = objectsOf(isObject(answer) ? answer['records'] : undefined, 'records');
  return {
    raw,
    records: raw.map((record) => ({
      kind: textOf(record['kind'], 'the kind of a record'),
      at: textOf(record['at'], 'the time of a record'),
      en: optionalText(record['en']),
      zh: optionalText(record['zh']),
      severity: optionalText(record['severity']),
      event: optionalText(record['event']),
      lost: typeof record['lost'] === 'number' ? record['lost'] : 0,
    })),
  };
}

/** Records as items of a sentence, by the phrase `record`; gaps are not among them. */
export function recordItems(records: readonly LogRecord[]): SayList {
  return {
    kind: 'list',
    items: records.flatMap(({ at, en, zh }) =>
      en === undefined || zh === undefined
        ? []
        : [{ phrase: 'record', values: { time: { kind: 'time', at }, text: { kind: 'text', en, zh } } }],
    ),
  };
}
