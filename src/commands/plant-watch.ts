import { composeWatch, findDaemon } from '../composition/plant-watch.ts';
import { findByName } from '../domain/plc/find-by-name.ts';
import type { PlantModel } from '../domain/plc/plant-model.ts';
import { EdgeError } from '../runtime/edge-error.ts';
import { getControl } from './control-client.ts';
import { noDaemon } from './no-daemon.ts';
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

/** Where points come from; the plant has the names of their machines. */
interface Source {
  readonly plant: PlantModel;
  points(): Promise<readonly WatchedPoint[]>;
}

/**
 * `hermes-edge plant watch [FILE…]`: every point with its value, quality and age, again and again. Without files what the
 * running daemon knows; with files this process polls the PLC itself. With `--once`, exit status 1 when a point is not good.
 */
export async function plantWatch(files: readonly string[], options: PlantWatchOptions): Promise<void> {
  const own = files.length > 0 ? composeWatch(files) : undefined;
  const source: Source =
    own === undefined
      ? await daemonPoints(options.config)
      : { plant: own.plant, points: async () => own.points() };
  await own?.start();
  try {
    const machine = machineOf(await source.points(), source.plant, options.machine);
    const chosen = async (): Promise<readonly WatchedPoint[]> =>
      (await source.points()).filter((point) => machine === undefined || point.machine === machine);
    if (options.once) {
      const points = own === undefined ? await chosen() : await firstLook(chosen);
      printOnce(points, options.json);
      if (points.some(({ quality }) => quality !== 'good')) process.exitCode = 1;
    } else await watch(chosen, options.json);
  } finally {
    await own?.stop();
  }
}

async function daemonPoints(config: string | undefined): Promise<Source> {
  const found = await findDaemon(config);
  const none = (): EdgeError =>
    noDaemon(found, 'name a device map to poll it from here: hermes-edge plant watch FILE');
  if (found === undefined) throw none();
  return {
    plant: found.site.plant,
    async points() {
      const reply = await getControl(found.socket, '/points');
      if (reply === undefined) throw none();
      return watchedPointsSchema.parse(reply).points;
    },
  };
}

/** Until every point has been read or has failed, a little while at most. */
async function firstLook(source: () => Promise<readonly WatchedPoint[]>): Promise<readonly WatchedPoint[]> {
  for (let waitedMs = 0; ; waitedMs += 100) {
    const points = await source();
    if (waitedMs >= FIRST_LOOK_MS || points.every(({ reason }) => reason !== 'not_read')) return points;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function watch(source: () => Promise<readonly WatchedPoint[]>, isJson: boolean): Promise<void> {
  const stopped = new AbortController();
  const stop = (): void => stopped.abort();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  const isLive = process.stdout.isTTY && !isJson;
  const table = new PointTable();
  process.stderr.write('Stop with Ctrl-C.\n');
  while (!stopped.signal.aborted) {
    const points = await source();
    const now = Date.now();
    if (isJson) for (const point of table.changed(points)) process.stdout.write(`${JSON.stringify(point)}\n`);
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

/** The key of the machine that is asked for; the daemon may know machines that its files no longer have. */
function machineOf(
  points: readonly WatchedPoint[],
  plant: PlantModel,
  written: string | undefined,
): string | undefined {
  if (written === undefined || points.some(({ machine }) => machine === written)) return written;
  const machine = findByName(written, plant.machineList(), 'machine');
  if (points.some((point) => point.machine === machine)) return machine;
  throw new EdgeError('INPUT_INVALID', `no points of ${machine} are read`, {
    hint: 'if it is new in the device map, start the daemon again',
  });
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
