import type { JsonObject } from '../../src/domain/json.ts';
import type { SayValue, Sentence } from '../../src/domain/tool/say.ts';
import type { Handle, HandlerContext } from '../../src/tooling/handler-api.ts';
import { codeOf } from '../_shared/fault.ts';
import { historiesOf, type PointHistory } from '../_shared/history.ts';
import { textOf } from '../_shared/json.ts';
import { type LogRecord, recordItems, recordsOf } from '../_shared/log-records.ts';
import { describeMachine } from '../_shared/plant.ts';
import { machineName, pointName, type Reading, readingsOf } from '../_shared/readings.ts';

/** With what the present is compared: the first of these that is recorded well enough. */
const REFERENCES = ['yesterday', 'last week', 'last 24 hours'] as const;
/** Of a period that is less known than this nobody can say what its range was. */
const MIN_COVERAGE = 0.2;
const MIN_SAMPLES = 10;
/** Beyond the range by this share of its width: a value that just touches it is not unusual. */
const MARGIN = 0.1;
const MAX_POINTS = 40;
const FINDINGS_SAID = 4;
const EVENTS_SAID = 3;
const RECENT = 'last 2 hours';

interface Finding {
  readonly point: string;
  readonly finding: 'above' | 'below' | 'unreadable';
  readonly value: string | number | boolean | null;
  /** The end of the usual range that was passed. */
  readonly limit: number | undefined;
  readonly en: string;
  readonly zh: string;
}

export const handle: Handle = async (args, context) => {
  const { id: machine, points, hasLog } = await describeMachine(context, textOf(args['machine'], 'machine'));
  const refs = points
    .filter(({ isReadable }) => isReadable)
    .slice(0, MAX_POINTS)
    .map(({ id: point }) => ({ machine, point }));
  const { readings } = readingsOf(await context.use('points.read', { points: refs }));
  const reference = await referenceOf(machine, context);
  const events = hasLog ? await recentEvents(machine, context) : [];
  const findings = readings.flatMap((reading) => findingOf(reading, reference?.histories ?? []) ?? []);
  const compared = readings.filter(
    (reading) =>
      typeof reading.value === 'number' && usualRange(reading, reference?.histories ?? []) !== undefined,
  ).length;
  return {
    result: {
      machine,
      findings: findings.map((finding) => findingJson(machine, finding)),
      compared_points: compared,
      reference: reference?.period ?? null,
      events: events.map(({ at, en, zh }) => ({ at, en: en ?? null, zh: zh ?? null })),
    },
    say: sayDiagnosis(machine, findings, compared, events, reference?.period),
  };
};

interface Reference {
  readonly period: string;
  readonly histories: readonly PointHistory[];
}

async function referenceOf(machine: string, { use }: HandlerContext): Promise<Reference | undefined> {
  for (const period of REFERENCES) {
    try {
      const { histories } = historiesOf(await use('history.over', { machine, period }));
      if (histories.some(isKnown)) return { period, histories };
    } catch (error) {
      // Without history the present can still be read, and is.
      if (codeOf(error) !== 'TOOL_UNAVAILABLE') throw error;
      return undefined;
    }
  }
  return undefined;
}

async function recentEvents(machine: string, { use }: HandlerContext): Promise<readonly LogRecord[]> {
  try {
    const { records } = recordsOf(await use('plclog.records', { machine, period: RECENT, limit: 20 }));
    return records.filter(({ kind }) => kind === 'record');
  } catch (error) {
    if (codeOf(error) !== 'TOOL_UNAVAILABLE') throw error;
    return [];
  }
}

function isKnown({ samples, coverage }: PointHistory): boolean {
  return samples >= MIN_SAMPLES && coverage >= MIN_COVERAGE;
}

function usualRange(
  { point }: Pick<Reading, 'point'>,
  histories: readonly PointHistory[],
): { readonly min: number; readonly max: number } | undefined {
  const history = histories.find((each) => each.point === point);
  if (history === undefined || !isKnown(history)) return undefined;
  const min = history.min?.value;
  const max = history.max?.value;
  return typeof min === 'number' && typeof max === 'number' ? { min, max } : undefined;
}

function findingOf(reading: Reading, histories: readonly PointHistory[]): Finding | undefined {
  const { point, quality, value } = reading;
  if (quality !== 'good')
    return {
      point,
      finding: 'unreadable',
      value: null,
      limit: undefined,
      en: `${point} cannot be read (${reading.reason})`,
      zh: `${point} 读不到（${reading.reason}）`,
    };
  const range = usualRange(reading, histories);
  if (range === undefined || typeof value !== 'number') return undefined;
  const margin = (range.max - range.min) * MARGIN;
  if (value > range.max + margin)
    return {
      point,
      finding: 'above',
      value,
      limit: range.max,
      en: `${point} is ${value}, above ${range.max}`,
      zh: `${point} 为 ${value}，高于 ${range.max}`,
    };
  if (value < range.min - margin)
    return {
      point,
      finding: 'below',
      value,
      limit: range.min,
      en: `${point} is ${value}, below ${range.min}`,
      zh: `${point} 为 ${value}，低于 ${range.min}`,
    };
  return undefined;
}

function findingJson(machine: string, { limit, ...finding }: Finding): JsonObject {
  return { machine, ...finding, limit: limit ?? null };
}

function sayDiagnosis(
  machine: string,
  findings: readonly Finding[],
  compared: number,
  events: readonly LogRecord[],
  period: string | undefined,
): Sentence[] {
  const name = machineName(machine);
  const said: Sentence[] = findings.slice(0, FINDINGS_SAID).map((finding) => sayFinding(machine, finding));
  if (findings.length > FINDINGS_SAID)
    said.push({ phrase: 'more', values: { count: findings.length - FINDINGS_SAID } });
  if (findings.length === 0)
    said.push(
      compared === 0
        ? { phrase: 'nothing_to_compare', values: { machine: name } }
        : { phrase: 'no_finding', values: { machine: name, count: compared, period: periodWords(period) } },
    );
  if (events.length > 0)
    said.push({ phrase: 'events', values: { list: recordItems(events.slice(-EVENTS_SAID)) } });
  return said;
}

function sayFinding(machine: string, { point, finding, value, limit }: Finding): Sentence {
  const quantity = pointName(machine, point);
  if (finding === 'unreadable' || value === null || limit === undefined)
    return { phrase: 'unreadable', values: { quantity } };
  return {
    phrase: finding,
    values: {
      quantity,
      value: { kind: 'value', machine, point, value },
      limit: { kind: 'value', machine, point, value: limit },
    },
  };
}

const PERIOD_WORDS: Readonly<Record<string, { readonly en: string; readonly zh: string }>> = {
  yesterday: { en: 'yesterday', zh: '昨天' },
  'last week': { en: 'last week', zh: '上周' },
  'last 24 hours': { en: 'the last 24 hours', zh: '过去24小时' },
};

function periodWords(period: string | undefined): SayValue {
  const words = PERIOD_WORDS[period ?? ''];
  return words === undefined ? (period ?? '') : { kind: 'text', ...words };
}
