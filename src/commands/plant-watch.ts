import { composeWatch, findDaemon } from '../composition/plant-watch.ts';
import { EdgeError } from '../runtime/edge-error.ts';
import { didYouMean } from '../runtime/nearest.ts';
import { getControl } from './control-client.ts';
import { PointTable } from './point-table.ts';
import { type WatchedPoint, watchedPointsSchema } from './watched-point.ts';

interface PlantWatchOptions {
  readonly config?: string;
  readonly machine?: string;
  readonly once: boolean;
  readonly json: boolean;
}

const REFRESH_MS = 1000;
/** A plant whose devices all answer has been read by then; the others are shown with what is wrong. */
const FIRST_LOOK_MS = 3000;

type Source = () => Promise<readonly WatchedPoint[]>;

/**
 * `hermes-edge plant watch [FILE…]`: every point with its value, quality and age, again and again. Without files what the
 * running daemon knows; with files this process polls the PLC itself.
 */
export async function plantWatch(files: readonly string[], options: PlantWatchOptions): Promise<void> {
  const own = files.length > 0 ? composeWatch(files) : undefined;
  const source: Source = own === undefined ? await daemonPoints(options.config) : async () => own.points();
  await own?.start();
  try {
    const points = machineOnly(await source(), options.machine);
    if (options.once) {
      const read = own === undefined ? points : await firstLook(source);
      printOnce(machineOnly(read, options.machine), options.json);
    } else await watch(source, options);
  } finally {
    await own?.stop();
  }
}

async function daemonPoints(config: string | undefined): Promise<Source> {
  const socket = await findDaemon(config);
  const none = (): EdgeError =>
    new EdgeError('NO_DAEMON', 'no daemon is running', {
      hint: 'start it, or name a device map to poll it from here: hermes-edge plant watch FILE',
    });
  if (socket === undefined) throw none();
  return async () => {
    const reply = await getControl(socket, '/points');
    if (reply === undefined) throw none();
    return watchedPointsSchema.parse(reply).points;
  };
}

/** Until every point has been read or has failed, a little while at most. */
async function firstLook(source: Source): Promise<readonly WatchedPoint[]> {
  for (let waitedMs = 0; ; waitedMs += 100) {
    const points = await source();
    if (waitedMs >= FIRST_LOOK_MS || points.every(({ reason }) => reason !== 'not_read')) return points;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function watch(source: Source, options: PlantWatchOptions): Promise<void> {
  const stopped = new AbortController();
  const stop = (): void => stopped.abort();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  const isLive = process.stdout.isTTY && !options.json;
  const table = new PointTable();
  process.stderr.write('Stop with Ctrl-C.\n');
  while (!stopped.signal.aborted) {
    const points = machineOnly(await source(), options.machine);
    const now = Date.now();
    if (options.json)
      for (const point of table.changed(points)) process.stdout.write(`${JSON.stringify(point)}\n`);
    else if (isLive)
      process.stdout.write(
        `\u001b[H\u001b[J${table
          .lines(points, now)
          .slice(0, process.stdout.rows - 1)
          .join('\n')}\n`,
      );
    else for (const line of table.lines(table.changed(points), now, false)) process.stdout.write(`${line}\n`);
    await pause(REFRESH_MS, stopped.signal);
  }
}

function printOnce(points: readonly WatchedPoint[], isJson: boolean): void {
  if (isJson) process.stdout.write(`${JSON.stringify({ points })}\n`);
  else process.stdout.write(`${new PointTable().lines(points, Date.now()).join('\n')}\n`);
}

function machineOnly(points: readonly WatchedPoint[], machine: string | undefined): readonly WatchedPoint[] {
  if (machine === undefined) return points;
  const found = points.filter((point) => point.machine === machine);
  if (found.length > 0) return found;
  const machines = [...new Set(points.map((point) => point.machine))];
  throw new EdgeError('USAGE', `there is no machine "${machine}".${didYouMean(machine, machines)}`);
}

function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, delayMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
