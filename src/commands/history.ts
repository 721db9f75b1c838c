import { z } from 'zod';
import { findDaemon } from '../composition/plant-watch.ts';
import { EdgeError } from '../runtime/edge-error.ts';
import { postControl } from './control-client.ts';
import { print } from './print.ts';

interface HistoryOptions {
  readonly config?: string;
  readonly period: string;
  readonly json: boolean;
}

const timedSchema = z.object({ value: z.union([z.number(), z.boolean(), z.string()]), at: z.iso.datetime() });
const replySchema = z.object({
  reports: z.array(
    z.object({
      machine: z.string(),
      point: z.string(),
      unit: z.string().optional(),
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
  const socket = await findDaemon(options.config);
  const reply =
    socket === undefined
      ? undefined
      : await postControl(socket, '/history', { machine, point, period: options.period });
  if (reply === undefined)
    throw new EdgeError('NO_DAEMON', 'no daemon is running, and it keeps the history', {
      hint: 'start it first: hermes-edge run',
    });
  const { reports } = replySchema.parse(reply);
  print(options.json, reply, () => linesOf(reports).join('\n'));
}

function linesOf(reports: readonly Report[]): string[] {
  const [first] = reports;
  if (first === undefined) return ['no points'];
  return [
    `${localText(first.from)} to ${localText(first.to)}`,
    ...(first.clock === 'synced' ? [] : ['(the clock of the box is not known to be right)']),
    ...reports.flatMap((report) => [`${report.machine} ${report.point}`, ...detailsOf(report)]),
  ];
}

function detailsOf(report: Report): string[] {
  const unit = report.unit === undefined ? '' : ` ${report.unit}`;
  const timed = (name: string, found: Report['min']): string[] =>
    found === undefined ? [] : [`  ${name} ${String(found.value)}${unit} at ${localText(found.at)}`];
  return [
    ...(report.samples === 0 ? ['  nothing was recorded'] : []),
    ...timed('maximum', report.max),
    ...timed('minimum', report.min),
    ...(report.mean === undefined ? [] : [`  mean    ${Number(report.mean.toPrecision(6))}${unit}`]),
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

function localText(iso: string): string {
  return new Date(iso).toLocaleString('sv-SE');
}
