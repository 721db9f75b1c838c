import { loadNodeOrDemo } from '../composition/node.ts';
import { openKeptPlcLogs } from '../composition/plc-log.ts';
import { timeZoneOf } from '../composition/site.ts';
import { parsePeriod } from '../domain/history/parse-period.ts';
import type { PeriodSetting } from '../domain/history/period.ts';
import { shiftCalendarOf } from '../domain/history/shift-calendar.ts';
import { findByName } from '../domain/plc/find-by-name.ts';
import { describeRecord } from '../domain/plc/log/describe-entry.ts';
import { EdgeError } from '../runtime/edge-error.ts';
import { parseMoment } from './moment.ts';
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
  if (since !== undefined) return { fromMs: parseMoment(since, '--since', setting) };
  if (period === undefined) return {};
  const { fromMs, toMs } = parsePeriod(period, setting);
  return { fromMs, toMs: toMs - 1 };
}

function isoOf(atMs: number): string {
  return new Date(atMs).toISOString();
}
