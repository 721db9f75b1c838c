import type { Health, Service } from '../../runtime/service.ts';

/** The speech engines as one part of the daemon: keeps the first one's voices waiting, and tells how they do. */
export class SpeechService implements Service {
  readonly name = 'speech';
  readonly #warm: Service | undefined;
  readonly #health: () => Health;

  constructor(warm: Service | undefined, health: () => Health) {
    this.#warm = warm;
    this.#health = health;
  }

  async start(signal: AbortSignal): Promise<void> {
    await this.#warm?.start(signal);
  }

  async stop(deadlineMs: number): Promise<void> {
    await this.#warm?.stop(deadlineMs);
  }

  health(): Health {
    const warm = this.#warm?.health();
    return warm !== undefined && warm.status !== 'ok' ? warm : this.#health();
  }
}
