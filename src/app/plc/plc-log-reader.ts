import type { PlantModel } from '../../domain/plc/plant-model.ts';
import type { Clocks, Scheduler } from '../../runtime/clocks.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Health, Service, Unsubscribe } from '../../runtime/service.ts';
import type { PlcBus } from '../ports/plc-bus.ts';
import type { PlcLogStore } from '../ports/plc-log-store.ts';
import { type PlcLogConsumer, PlcLogListeners } from './plc-log-listeners.ts';
import { PlcLogTail } from './plc-log-tail.ts';

interface Parts {
  readonly plant: PlantModel;
  readonly bus: Pick<PlcBus, 'read' | 'readFile'>;
  readonly store: PlcLogStore;
  readonly clocks: Clocks;
  readonly scheduler: Scheduler;
  readonly logger: Logger;
}

/**
 * The event logs of all PLCs: records come in over the bus, are kept in the store with the place reached, and go out to
 * consumers from there. Started after the bus and the store, by the daemon.
 */
export class PlcLogReader implements Service {
  readonly name = 'plc logs';
  readonly #tails: readonly PlcLogTail[];
  readonly #listeners: PlcLogListeners;
  #isStarted = false;

  constructor({ plant, bus, store, clocks, scheduler, logger }: Parts) {
    this.#listeners = new PlcLogListeners({ store, scheduler, logger });
    const parts = { bus, store, clocks, scheduler, logger, onKept: () => this.#listeners.notify() };
    this.#tails = plant.logs().flatMap((log) => {
      const device = plant.device(log.device);
      return device === undefined ? [] : [new PlcLogTail(log, device, parts)];
    });
  }

  async start(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    this.#isStarted = true;
    this.#listeners.start();
    for (const tail of this.#tails) tail.start();
  }

  async stop(_deadlineMs: number): Promise<void> {
    this.#isStarted = false;
    await Promise.all(this.#tails.map((tail) => tail.stop()));
    await this.#listeners.stop();
  }

  /** At least once each, in order, across restarts: what was kept and not handled comes again. */
  onRecord(consumer: PlcLogConsumer): Unsubscribe {
    return this.#listeners.add(consumer);
  }

  health(): Health {
    const figures: Record<string, number> = {};
    for (const tail of this.#tails) {
      for (const [name, value] of Object.entries(tail.figures))
        figures[`${name}_total`] = (figures[`${name}_total`] ?? 0) + value;
      const { machine, log } = tail.log.ref;
      figures[`${machine}.${log}.followed`] = this.#isStarted && tail.trouble === undefined ? 1 : 0;
      const offset = tail.clockOffset;
      if (offset !== undefined)
        figures[`${machine}.${log}.clock_offset_${offset.by === 'measured' ? '' : 'at_most_'}ms`] =
          offset.offsetMs;
    }
    if (!this.#isStarted || this.#tails.length === 0)
      return {
        status: 'off',
        detail: this.#isStarted ? 'the plant has no event logs' : 'not started',
        figures,
      };
    const troubled = this.#tails.filter(({ trouble }) => trouble !== undefined);
    const troubles = [...troubled.map(({ detail }) => detail), ...this.#listeners.troubles];
    return troubles.length > 0
      ? { status: 'degraded', detail: troubles.join('; '), figures }
      : { status: 'ok', detail: this.#tails.map(({ detail }) => detail).join('; '), figures };
  }
}
