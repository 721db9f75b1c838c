import type { SpeechEngine, SpeechLine, SpokenAs } from '../../app/ports/speech-engine.ts';
import type { Language } from '../../domain/language/language.ts';
import type { Scheduler } from '../../runtime/clocks.ts';
import type { Health, Service } from '../../runtime/service.ts';
import { AplayPlayer } from './aplay-player.ts';
import { ESPEAK_RATE_HZ, EspeakNgSynthesiser, type EspeakNgVoices } from './espeak-ng-synthesiser.ts';
import { findProgram } from './find-program.ts';
import { speechDeadlineMs, withDeadline } from './speech-deadline.ts';

export interface EspeakNgEngineOptions extends EspeakNgVoices {
  /** ALSA name of the speaker. */
  readonly device: string;
  /** A process of each waits for its next line once the engine is started. */
  readonly languages: readonly Language[];
}

/**
 * A line comes in, sound goes out: espeak-ng writes samples, aplay plays them while they come. Called by the announcer.
 * It speaks without `start` too, a little later each time; `start` keeps voices waiting, `stop` lets them go.
 */
export class EspeakNgEngine implements SpeechEngine, Service {
  readonly name = 'espeak-ng';
  readonly #options: EspeakNgEngineOptions;
  readonly #env: NodeJS.ProcessEnv;
  readonly #scheduler: Scheduler;
  readonly #synthesiser: EspeakNgSynthesiser;
  #missing: readonly string[] = [];

  constructor(options: EspeakNgEngineOptions, deps: { readonly scheduler: Scheduler }) {
    this.#options = options;
    this.#env = options.env ?? process.env;
    this.#scheduler = deps.scheduler;
    this.#synthesiser = new EspeakNgSynthesiser(options);
  }

  async start(signal: AbortSignal): Promise<void> {
    const found = await Promise.all(
      ['espeak-ng', 'aplay'].map(async (program) => ({
        program,
        path: await findProgram(program, this.#env),
      })),
    );
    this.#missing = found.filter(({ path }) => path === undefined).map(({ program }) => program);
    if (this.#missing.length > 0 || signal.aborted) return;
    await this.#synthesiser.keepWaiting(this.#options.languages);
  }

  async stop(): Promise<void> {
    await this.#synthesiser.close();
  }

  health(): Health {
    if (this.#missing.length > 0)
      return { status: 'down', detail: `${this.#missing.join(' and ')} not installed` };
    return { status: 'ok', detail: `speaks to "${this.#options.device}"` };
  }

  async speak(line: SpeechLine, signal: AbortSignal, onFirstSound?: () => void): Promise<SpokenAs> {
    try {
      await withDeadline(speechDeadlineMs(line), signal, this.#scheduler, (either) =>
        this.#play(line, either, onFirstSound),
      );
      return { kind: 'played' };
    } finally {
      this.#synthesiser.refill();
    }
  }

  async #play(line: SpeechLine, signal: AbortSignal, onFirstSound?: () => void): Promise<void> {
    const samples = this.#synthesiser.synthesise(line, signal);
    // The voice gets its text before the player is started, so that both get ready at once.
    let next = samples.next();
    const player = new AplayPlayer({
      device: this.#options.device,
      rateHz: ESPEAK_RATE_HZ,
      env: this.#env,
    });
    const silence = (): void => {
      void player.kill();
    };
    signal.addEventListener('abort', silence, { once: true });
    let first = true;
    try {
      for (let piece = await next; !piece.done; piece = await next) {
        const written = player.write(piece.value);
        if (first) onFirstSound?.();
        first = false;
        await written;
        next = samples.next();
      }
      await player.finish();
    } catch (error) {
      await player.kill();
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener('abort', silence);
      await samples.return();
    }
  }
}
