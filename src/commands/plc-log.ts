import { loadNodeOrDemo } from '../composition/node.ts';
import { openKeptPlcLogs } from '../composition/plc-log.ts';
import { describeRecord } from '../domain/plc/log/describe-entry.ts';
import { EdgeError } from '../runtime/edge-error.ts';
import { didYouMean } from '../runtime/nearest.ts';
import { print } from './print.ts';

interface ListOptions {
  readonly config?: string;
  readonly json: boolean;
}

interface ShowOptions extends ListOptions {
  readonly log?: string;
  readonly since?: string;
  readonly limit: number;
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `hermes-edge plclog list`: the event logs of the plant, how much of each is kept and its most frequent codes. */
export async function listPlcLogs(options: ListOptions): Promise<void> {
  const { config, plant } = await loadNodeOrDemo(options.config);
  const kept = await openKeptPlcLogs(config);
  try {
    const logs = await Promise.all(
      plant.logs().map(async (log) => {
        const codes = (await kept?.store.countByCode(log.ref)) ?? [];
        return {
          ...log.ref,
          names: log.names,
          device: log.device,
          records: codes.reduce((sum, { count }) => sum + count, 0),
          last_at: codes.length === 0 ? null : isoOf(Math.max(...codes.map(({ lastAtMs }) => lastAtMs))),
          codes: codes.map(({ code, count }) => ({
            code,
            count,
            text: (code === null ? undefined : log.codes.get(code)?.text) ?? null,
          })),
        };
      }),
    );
    print(options.json, { logs }, () =>
      logs.length === 0
        ? 'The plant has no event logs.'
        : logs
            .map(({ machine, log, records, last_at }) =>
              records === 0
                ? `${machine} ${log}: no records kept`
                : `${machine} ${log}: ${records} records, the last of ${last_at}`,
            )
            .join('\n'),
    );
  } finally {
    await kept?.close();
  }
}

/** `hermes-edge plclog show [MACHINE]`: the newest entries, oldest first; with `--since` the oldest of that time. */
export async function showPlcLog(machine: string | undefined, options: ShowOptions): Promise<void> {
  const fromMs = options.since === undefined ? undefined : sinceMs(options.since, Date.now());
  const { config, plant } = await loadNodeOrDemo(options.config);
  if (machine !== undefined && plant.machine(machine) === undefined)
    throw new EdgeError(
      'USAGE',
      `no machine is called ${machine}.${didYouMean(machine, plant.machines.keys())}`,
    );
  const known = plant.logs().filter(({ ref }) => machine === undefined || ref.machine === machine);
  if (options.log !== undefined && !known.some(({ ref }) => ref.log === options.log))
    throw new EdgeError(
      'USAGE',
      `no log is called ${options.log}.${didYouMean(
        options.log,
        known.map(({ ref }) => ref.log),
      )}`,
    );
  const kept = await openKeptPlcLogs(config);
  try {
    const query = { machine, log: options.log, fromMs, limit: options.limit };
    const found = await (fromMs === undefined ? kept?.store.latest(query) : kept?.store.between(query));
    const entries = (found ?? []).map((entry) => {
      const log = plant.machine(entry.ref.machine)?.logs.get(entry.ref.log);
      const code = entry.kind === 'record' && entry.code !== null ? log?.codes.get(entry.code) : undefined;
      return { ...entry, text: code?.text ?? null, severity: code?.severity ?? null, log };
    });
    print(
      options.json,
      { entries: entries.map(({ log: _, ...entry }) => ({ ...entry, at: isoOf(entry.atMs) })) },
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
                return `${where}  ${describeRecord(entry, entry.log, 'en')}${bad}${source}`;
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

/** A time, or how long ago: `2026-03-01T12:00`, `90m`. Throws EdgeError USAGE. */
function sinceMs(text: string, nowMs: number): number {
  const [, amount, unit = ''] = /^(\d{1,6})([smhd])$/u.exec(text) ?? [];
  const unitMs = UNIT_MS[unit];
  if (amount !== undefined && unitMs !== undefined) return nowMs - Number(amount) * unitMs;
  const at = /^\d{4}-\d\d-\d\d/u.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isFinite(at)) return at;
  throw new EdgeError('USAGE', `--since takes a time such as 2026-03-01T12:00 or 90m, 2h, 7d, not "${text}"`);
}

function isoOf(atMs: number): string {
  return new Date(atMs).toISOString();
}
