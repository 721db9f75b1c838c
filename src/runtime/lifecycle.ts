import { EdgeError, messageOf } from './edge-error.ts';
import type { Logger } from './logger.ts';
import type { Health, Service } from './service.ts';

export interface LifecycleOptions {
  /** Longest time one service may take to stop, milliseconds. */
  readonly stopDeadlineMs: number;
}

export interface PartHealth extends Health {
  readonly name: string;
}

/**
 * Starts services in order and stops them in reverse. A start that fails, or is aborted half way, stops what had
 * begun before it rejects; stopping always goes through every service and is done once however often it is asked for.
 */
export class Lifecycle {
  readonly #services: readonly Service[];
  readonly #options: LifecycleOptions;
  readonly #logger: Logger;
  readonly #abort = new AbortController();
  #begun = 0;
  #ready = false;
  #stopped: Promise<void> | undefined;

  constructor(services: readonly Service[], options: LifecycleOptions, logger: Logger) {
    this.#services = services;
    this.#options = options;
    this.#logger = logger;
  }

  /** Throws what the failing service threw, or EdgeError START_ABORTED. */
  async start(): Promise<void> {
    try {
      for (const service of this.#services) {
        if (this.#abort.signal.aborted) throw new EdgeError('START_ABORTED', 'stopped while starting');
        this.#begun += 1;
        await service.start(this.#abort.signal);
        this.#logger.debug({ service: service.name }, 'service started');
      }
      this.#ready = true;
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  get ready(): boolean {
    return this.#ready && !this.#abort.signal.aborted;
  }

  get stopping(): boolean {
    return this.#abort.signal.aborted;
  }

  stop(): Promise<void> {
    this.#abort.abort();
    this.#stopped ??= this.#stopAll();
    return this.#stopped;
  }

  health(): readonly PartHealth[] {
    return this.#services.map((service) => ({ name: service.name, ...service.health() }));
  }

  async #stopAll(): Promise<void> {
    for (const service of this.#services.slice(0, this.#begun).reverse()) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<'late'>((resolve) => {
        timer = setTimeout(() => resolve('late'), this.#options.stopDeadlineMs);
      });
      try {
        const result = await Promise.race([service.stop(this.#options.stopDeadlineMs), late]);
        if (result === 'late') this.#logger.error({ service: service.name }, 'service did not stop in time');
      } catch (error) {
        this.#logger.error({ service: service.name, error: messageOf(error) }, 'service failed to stop');
      } finally {
        clearTimeout(timer);
      }
    }
  }
}
