import { z } from 'zod';
import { loadNodeOrDemo } from '../composition/node.ts';
import { openKeptPlcLogs } from '../composition/plc-log.ts';
import { controlSocketOf } from '../composition/site.ts';
import type { PlantLog } from '../domain/plc/log/plant-log.ts';
import { getControl } from './control-client.ts';
import { print } from './print.ts';

interface ListOptions {
  readonly config?: string;
  readonly json: boolean;
}

const partsSchema = z.object({
  parts: z.array(
    z.object({
      name: z.string(),
      detail: z.string(),
      figures: z.record(z.string(), z.number()).default({}),
    }),
  ),
});
type LogsPart = z.infer<typeof partsSchema>['parts'][number];

/** What the running daemon says of one log. */
interface Following {
  readonly followed: boolean;
  /** Node minus PLC, milliseconds; null when it is not known. */
  readonly clock_offset_ms: number | null;
  /** The offset is the most it can be and not measured. */
  readonly clock_offset_is_bound: boolean;
}

/** `hermes-edge plclog list`: the event logs of the plant, how much of each is kept, its most frequent codes, and whether it is followed now. */
export async function listPlcLogs(options: ListOptions): Promise<void> {
  const { config, plant } = await loadNodeOrDemo(options.config);
  const status = await getControl(controlSocketOf(config), '/healthz');
  const part =
    status === undefined
      ? undefined
      : partsSchema.parse(status).parts.find(({ name }) => name === 'plc logs');
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
          last_at:
            codes.length === 0
              ? null
              : new Date(Math.max(...codes.map(({ lastAtMs }) => lastAtMs))).toISOString(),
          ...followingOf(log, part),
          codes: codes.map(({ code, count }) => ({
            code,
            count,
            text: (code === null ? undefined : log.codes.get(code)?.text) ?? null,
          })),
        };
      }),
    );
    print(options.json, { daemon_runs: status !== undefined, logs }, () =>
      logs.length === 0
        ? 'The plant has no event logs.'
        : [
            ...logs.map((log) => {
              const kept =
                log.records === 0 ? 'no records kept' : `${log.records} records, the last of ${log.last_at}`;
              return `${log.machine} ${log.log}: ${kept}, ${log.followed ? 'followed now' : 'not followed'}${clockText(log)}`;
            }),
            ...(status === undefined
              ? ['No daemon is running with this configuration: hermes-edge run starts it.']
              : logs.every(({ followed }) => followed)
                ? []
                : [
                    `The daemon says: ${part?.detail ?? 'it was started without event logs; start it again'}`,
                  ]),
          ].join('\n'),
    );
  } finally {
    await kept?.close();
  }
}

function followingOf({ ref: { machine, log }, timestamp }: PlantLog, part: LogsPart | undefined): Following {
  const figure = (name: string): number | undefined => part?.figures[`${machine}.${log}.${name}`];
  // Time since a start has no right or wrong.
  const hasClock = timestamp.format !== 'uptime_ms';
  const measured = figure('clock_offset_ms');
  const bound = figure('clock_offset_at_most_ms');
  return {
    followed: figure('followed') === 1,
    clock_offset_ms: hasClock ? (measured ?? bound ?? null) : null,
    clock_offset_is_bound: measured === undefined && bound !== undefined,
  };
}

function clockText({ clock_offset_ms: offsetMs, clock_offset_is_bound: isBound }: Following): string {
  if (offsetMs === null) return '';
  const seconds = (Math.abs(offsetMs) / 1000).toFixed(1);
  const isBehind = offsetMs >= 0;
  const limit = isBound ? `${isBehind ? 'at most' : 'at least'} ` : '';
  return `, the PLC's clock is ${limit}${seconds} s ${isBehind ? 'behind' : 'ahead'}`;
}
