import type { Cancel, Scheduler } from '../../runtime/clocks.ts';
import type { Health, Service } from '../../runtime/service.ts';

/** How to learn whether the speaker is there, without waiting for the first line. */
export interface SpeakerProbe {
  readonly device: string;
  readonly opens: () => Promise<boolean>;
  readonly scheduler: Scheduler;
}

const LOOK_AGAIN_MS = 15_000;

/** The speech engines as one part of the daemon: keeps the first one's voices waiting, and tells how they do. */
export class SpeechService implements Service {
  readonly name = 'speech';
  readonly #warm: Service | undefined;
  readonly #health: () => Health;
  readonly #probe: SpeakerProbe | undefined;
  #missing = false;
  #stopped = false;
  #cancelLook: Cancel | undefined;

  /** Without a `probe` there is no speaker to look for. */
  constructor(warm: Service | undefined, health: () => Health, probe?: SpeakerProbe) {
    this.#warm = warm;
    this.#health = health;
    this.#probe = probe;
  }

  /** Does not wait for the speaker: it is looked for until it is there. */
  async start(signal: AbortSignal): Promise<void> {
    this.#stopped = false;
    await this.#warm?.start(signal);
    if (this.#probe !== undefined) void this.#look(this.#probe);
  }

  async stop(deadlineMs: number): Promise<void> {
    this.#stopped = true;
    this.#cancelLook?.();
    await this.#warm?.stop(deadlineMs);
  }

  health(): Health {
    const warm = this.#warm?.health();
    if (warm !== undefined && warm.status !== 'ok') return warm;
    if (!this.#missing) return this.#health();
    return {
      status: 'degraded',
      detail: `the speaker "${this.#probe?.device}" cannot be opened: aplay -l lists what is there`,
    };
  }

  async #look(probe: SpeakerProbe): Promise<void> {
    this.#missing = !(await probe.opens());
    if (!this.#missing || this.#stopped) return;
    this.#cancelLook = probe.scheduler.after(LOOK_AGAIN_MS, () => void this.#look(probe));
  }
}
