import { loadNodeOrDemo } from '../composition/node.ts';
import { openKeptPlcLogs } from '../composition/plc-log.ts';
import { timeZoneOf } from '../composition/site.ts';
import { parsePeriod } from '../domain/history/parse-period.ts';
import type { PeriodSetting } from '../domain/history/period.ts';
import { shiftCalendarOf } from '../domain/history/shift-calendar.ts';
import { findByName } from '../domain/plc/find-by-name.ts';
import { describeRecord } from '../domain/plc/log/describe-entry.ts';
import { EdgeError, isEdgeError } from '../runtime/edge-error.ts';
import { print } from './print.ts';
import { terminalLine } from './terminal-text.ts';

interface ShowOptions {
  readonly config?: string;
  readonly json: boolean;
  readonly log?: string;
  readonly since?: string;
  readonly period?: string;
  readonly limit: number;
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * `hermes-edge plclog show [MACHINE]`: the newest entries, oldest first; with `--since` or `--period` the oldest of that
 * time. Machine and log are keys or names in any language.
 */
export async function showPlcLog(written: string | undefined, options: ShowOptions): Promise<void> {
  if (options.since !== undefined && options.period !== undefined)
    throw new EdgeError('USAGE', 'say --since or --period, not both');
  const { config, plant } = await loadNodeOrDemo(options.config);
  const { fromMs, toMs } = rangeOf(options, {
    nowMs: Date.now(),
    timeZone: timeZoneOf(config),
    shifts: shiftCalendarOf(config.shifts),
  });
  const machine = written === undefined ? undefined : findByName(written, plant.machineList(), 'machine');
  const log =
    options.log === undefined
      ? undefined
      : findByName(options.log, plant.logList(machine), machine === undefined ? 'log' : `log of ${machine}`);
  const kept = await openKeptPlcLogs(config);
  try {
    const query = { machine, log, fromMs, toMs, limit: options.limit };
    const found = await (fromMs === undefined ? kept?.store.latest(query) : kept?.store.between(query));
    const entries = (found ?? []).map((entry) => {
      const form = plant.machine(entry.ref.machine)?.logs.get(entry.ref.log);
      const code = entry.kind === 'record' && entry.code !== null ? form?.codes.get(entry.code) : undefined;
      return { ...entry, text: code?.text ?? null, severity: code?.severity ?? null, form };
    });
    print(
      options.json,
      { entries: entries.map(({ form: _, ...entry }) => ({ ...entry, at: isoOf(entry.atMs) })) },
      () =>
        entries.length === 0
          ? 'No entries.'
          : entries
              .map((entry) => {
                const where = `${isoOf(entry.atMs)}  ${entry.ref.machine} ${entry.ref.log}`;
                if (entry.kind !== 'record') return `${where}  -- ${lossOf(entry)}`;
                const bad =
                  entry.badFields.length === 0 ? '' : `  [unreadable: ${entry.badFields.join(', ')}]`;
                const source = entry.atSource === 'plc' ? '' : `  [time: ${entry.atSource}]`;
                return terminalLine(`${where}  ${describeRecord(entry, entry.form, 'en')}${bad}${source}`);
              })
              .join('\n'),
    );
  } finally {
    await kept?.close();
  }
}

function lossOf(gap: { readonly kind: string; readonly lost: number; readonly exact: boolean }): string {
  const lost = `${gap.exact ? '' : 'at least '}${gap.lost} records lost`;
  return gap.kind === 'overrun'
    ? `${lost}: overwritten before they could be read`
    : `the PLC began its log anew${gap.lost === 0 ? '' : `, ${lost}`}`;
}

interface Range {
  readonly fromMs?: number;
  readonly toMs?: number;
}

/** Both ends included, as the store takes them. Throws EdgeError USAGE or PERIOD_UNKNOWN. */
function rangeOf({ since, period }: ShowOptions, setting: PeriodSetting): Range {
  if (since !== undefined) return { fromMs: sinceMs(since, setting) };
  if (period === undefined) return {};
  const { fromMs, toMs } = parsePeriod(period, setting);
  return { fromMs, toMs: toMs - 1 };
}

/** A time, how long ago, or the start of a period: `2026-03-01T12:00`, `90m`, `yesterday`. Throws EdgeError USAGE. */
function sinceMs(text: string, setting: PeriodSetting): number {
  const [, amount, unit = ''] = /^(\d{1,6})([smhd])$/u.exec(text) ?? [];
  const unitMs = UNIT_MS[unit];
  if (amount !== undefined && unitMs !== undefined) return setting.nowMs - Number(amount) * unitMs;
  // With a zone of its own, or seconds, it is a moment for machines; all else is as the clocks of the site show it.
  const at = /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:?\d\d|:\d\d:\d\d.*)$/u.test(text)
    ? Date.parse(text)
    : Number.NaN;
  if (Number.isFinite(at)) return at;
  try {
    return parsePeriod(text, setting).fromMs;
  } catch (error) {
    if (!isEdgeError(error, 'PERIOD_UNKNOWN')) throw error;
    throw new EdgeError(
      'USAGE',
      `--since takes a time such as 2026-03-01T12:00, 90m, 2h, 7d, yesterday or "last shift": ${error.message}`,
      { cause: error },
    );
  }
}

function isoOf(atMs: number): string {
  return new Date(atMs).toISOString();
}
