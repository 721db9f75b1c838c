import type { JsonObject, JsonValue } from '../../src/domain/json.ts';
import { isObject, isScalar, numberOf, objectsOf, textOf } from './json.ts';

export interface TimedValue {
  readonly value: string | number | boolean;
  readonly at: string;
}

/** What was recorded of one point over a period. */
export interface PointHistory {
  readonly machine: string;
  readonly point: string;
  readonly samples: number;
  /** Share of the period for which a good value is known, 0 to 1. */
  readonly coverage: number;
  readonly unit: string | undefined;
  readonly mean: number | undefined;
  readonly min: TimedValue | undefined;
  readonly max: TimedValue | undefined;
  readonly last: TimedValue | undefined;
  readonly changes: number;
  readonly trueS: number | undefined;
}

/** The reports in an answer of `history.over`. */
export function historiesOf(answer: JsonValue): {
  readonly histories: readonly PointHistory[];
  readonly raw: readonly JsonObject[];
} {
  const raw = objectsOf(isObject(answer) ? answer['reports'] : undefined, 'reports');
  return { raw, histories: raw.map(historyOf) };
}

function historyOf(report: JsonObject): PointHistory {
  const optional = (name: string): number | undefined => {
    const value = report[name];
    return typeof value === 'number' ? value : undefined;
  };
  const unit = report['unit'];
  return {
    machine: textOf(report['machine'], 'the machine of a report'),
    point: textOf(report['point'], 'the point of a report'),
    samples: numberOf(report['samples'], 'samples'),
    coverage: numberOf(report['coverage'], 'coverage'),
    unit: typeof unit === 'string' ? unit : undefined,
    mean: optional('mean'),
    min: timedOf(report['min']),
    max: timedOf(report['max']),
    last: timedOf(report['last']),
    changes: optional('changes') ?? 0,
    trueS: optional('true_s'),
  };
}

function timedOf(value: JsonValue | undefined): TimedValue | undefined {
  if (!isObject(value)) return undefined;
  const held = value['value'];
  return isScalar(held) ? { value: held, at: textOf(value['at'], 'the time of a value') } : undefined;
}
