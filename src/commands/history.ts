import { z } from 'zod';
import { findDaemon } from '../composition/plant-watch.ts';
import { postControl } from './control-client.ts';
import { noDaemon } from './no-daemon.ts';
import { print } from './print.ts';
import { shownOffset, shownTime } from './shown-time.ts';
import { shownValue } from './shown-value.ts';

interface HistoryOptions {
  readonly config?: string;
  readonly period: string;
  readonly json: boolean;
}

const timedSchema = z.object({
  value: z.union([z.number(), z.boolean(), z.string()]),
  meaning: z.string().optional(),
  at: z.iso.datetime(),
});
const replySchema = z.object({
  reports: z.array(
    z.object({
      machine: z.string(),
      point: z.string(),
      unit: z.string().optional(),
      decimals: z.int().optional(),
      time_zone: z.string(),
      from: z.iso.datetime(),
      to: z.iso.datetime(),
      clock: z.enum(['synced', 'unsynced']),
      samples: z.int(),
      coverage: z.number(),
      changes: z.int().optional(),
      min: timedSchema.optional(),
      max: timedSchema.optional(),
      mean: z.number().optional(),
      last: timedSchema.optional(),
      true_s: z.number().optional(),
      undated_samples: z.int().optional(),
    }),
  ),
});
type Report = z.infer<typeof replySchema>['reports'][number];

/** `hermes-edge history MACHINE [POINT]`: what the running daemon recorded over a period. */
export async function history(
  machine: string,
  point: string | undefined,
  options: HistoryOptions,
): Promise<void> {
  const found = await findDaemon(options.config);
  const reply =
    found === undefined
      ? undefined
      : await postControl(found.socket, '/history', { machine, point, period: options.period });
  if (reply === undefined) throw noDaemon(found);
  const { reports } = replySchema.parse(reply);
  print(options.json, reply, () => linesOf(reports).join('\n'));
}

function linesOf(reports: readonly Report[]): string[] {
  const [first] = reports;
  if (first === undefined) return ['no points'];
  const { from, to, time_zone: timeZone } = first;
  const offset = shownOffset([from, to], timeZone);
  return [
    `${shownTime(from, timeZone)} to ${shownTime(to, timeZone)}  (${timeZone}, ${offset})`,
    ...(first.clock === 'synced' ? [] : ['(no time server has set the clock of this box: see timedatectl)']),
    ...reports.flatMap((report) => [`${report.machine} ${report.point}`, ...detailsOf(report)]),
  ];
}

function detailsOf(report: Report): string[] {
  const { unit, decimals, time_zone: timeZone } = report;
  const timed = (name: string, found: Report['min']): string[] =>
    found === undefined
      ? []
      : [`  ${name} ${shownValue({ ...found, unit, decimals })} at ${shownTime(found.at, timeZone)}`];
  // Numbers that stand for words have no order and no mean.
  const isNamed = report.last?.meaning !== undefined;
  return [
    ...(report.samples === 0 ? ['  nothing was recorded'] : []),
    ...(isNamed ? [] : [...timed('maximum', report.max), ...timed('minimum', report.min)]),
    ...(isNamed || report.mean === undefined
      ? []
      : [`  mean    ${shownValue({ value: meanOf(report.mean, decimals), unit, decimals })}`]),
    ...timed('last   ', report.last),
    ...(report.true_s === undefined ? [] : [`  on for  ${Math.round(report.true_s)} s`]),
    ...(report.samples === 0
      ? []
      : [`  known for ${(report.coverage * 100).toFixed(1)} % of the time, ${report.samples} values`]),
    ...(report.undated_samples === undefined
      ? []
      : [
          `  besides, ${report.undated_samples} values from before the clock was set, whose time is not known`,
        ]),
  ];
}

function meanOf(mean: number, decimals: number | undefined): number {
  return decimals === undefined ? Number(mean.toPrecision(6)) : mean;
}
