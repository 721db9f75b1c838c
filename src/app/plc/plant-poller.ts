import type { PlantModel } from '../../domain/plc/plant-model.ts';
import type { Cancel, Clocks, Scheduler } from '../../runtime/clocks.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Health, Service } from '../../runtime/service.ts';
import type { PlcBus } from '../ports/plc-bus.ts';
import type { DeviceBackoffs } from './device-backoffs.ts';
import { DevicePoller } from './device-poller.ts';
import type { PointImage } from './point-image.ts';

export interface PlantPollerParts {
  readonly plant: PlantModel;
  readonly bus: Pick<PlcBus, 'read' | 'endCycle'>;
  readonly backoffs: DeviceBackoffs;
  readonly image: PointImage;
  readonly clocks: Clocks;
  readonly scheduler: Scheduler;
  readonly logger: Logger;
}

/** Names of points shown in one line of health; the rest are counted. */
const SHOWN = 5;

interface Round {
  readonly poller: DevicePoller;
  cancel: Cancel;
}

/** Polls every device of the plant at its own interval, from start to stop. */
export class PlantPoller implements Service {
  readonly name = 'polling';
  readonly #parts: PlantPollerParts;
  readonly #rounds: readonly Round[];
  #life: AbortController | undefined;
  /** Devices of each connection that are being read. */
  readonly #running = new Map<string, number>();
  #late = 0;

  constructor(parts: PlantPollerParts) {
    this.#parts = parts;
    const { plant, logger } = parts;
    this.#rounds = [...plant.devices.values()].flatMap((device) => {
      const points = plant
        .points()
        .filter((point) => point.device === device.id && point.access !== 'write' && !device.isBroadcast);
      if (points.length === 0) return [];
      const poller = new DevicePoller(device, points, {
        ...parts,
        logger: logger.child({ device: device.id }),
      });
      return [{ poller, cancel: () => undefined }];
    });
  }

  async start(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    this.#life = new AbortController();
    const nowMs = this.#parts.clocks.monotonicMs();
    for (const round of this.#rounds) this.#run(round, nowMs, this.#life.signal);
  }

  /** Resolves at once: a read that is on its way ends with the bus, and nothing is made of it any more. */
  async stop(_deadlineMs: number): Promise<void> {
    this.#life?.abort();
    this.#life = undefined;
    for (const round of this.#rounds) round.cancel();
  }

  health(): Health {
    const pollers = this.#rounds.map(({ poller }) => poller);
    const silent = pollers.filter(({ trouble }) => trouble !== undefined);
    const refused = pollers.flatMap((poller) => poller.refused);
    const figures = {
      devices: pollers.length,
      silent_devices: silent.length,
      refused_points: refused.length,
      requests_per_cycle: pollers.reduce((sum, { requestsPerCycle }) => sum + requestsPerCycle, 0),
      cycles_total: pollers.reduce((sum, { cycles }) => sum + cycles, 0),
      late_cycles_total: this.#late,
    };
    if (this.#life === undefined) return { status: 'off', detail: 'not started', figures };
    const complaints = [
      ...silent.map(({ device, trouble }) => `${device.id}: ${trouble}`),
      ...pollers.flatMap(({ device, silentReads }) =>
        silentReads === 0 ? [] : [`${device.id}: ${silentReads} of its reads get no answer`],
      ),
      ...refused
        .slice(0, SHOWN)
        .map(([{ ref, device }, detail]) => `${device} refuses ${ref.machine}.${ref.point}: ${detail}`),
      ...(refused.length > SHOWN ? [`and ${refused.length - SHOWN} more points`] : []),
    ];
    if (complaints.length === 0) return { status: 'ok', detail: `${pollers.length} devices answer`, figures };
    const status = silent.length === pollers.length ? 'down' : 'degraded';
    return { status, detail: complaints.join('; '), figures };
  }

  #run(round: Round, dueMs: number, signal: AbortSignal): void {
    void this.#cycle(round, dueMs, signal);
  }

  /** One cycle, then the next at its time; a cycle that took longer than the interval is followed at once. */
  async #cycle(round: Round, dueMs: number, signal: AbortSignal): Promise<void> {
    const { bus, clocks, scheduler } = this.#parts;
    const { pollIntervalMs, connection } = round.poller.device;
    this.#running.set(connection, (this.#running.get(connection) ?? 0) + 1);
    await round.poller.cycle(signal);
    const running = (this.#running.get(connection) ?? 1) - 1;
    this.#running.set(connection, running);
    if (signal.aborted) return;
    if (running === 0) bus.endCycle(connection);
    const nowMs = clocks.monotonicMs();
    let nextMs = dueMs + pollIntervalMs;
    if (nextMs < nowMs) {
      this.#late += 1;
      nextMs = nowMs;
    }
    round.cancel = scheduler.after(nextMs - nowMs, () => this.#run(round, nextMs, signal));
  }
}
