import type { SpeechEngine, SpeechLine, SpokenAs } from '../../app/ports/speech-engine.ts';
import type { Language } from '../../domain/language/language.ts';
import type { Cancel, Scheduler } from '../../runtime/clocks.ts';
import { findProgram } from '../../runtime/find-program.ts';
import type { Health, Service } from '../../runtime/service.ts';
import { AplayPlayer } from './aplay-player.ts';
import { ESPEAK_RATE_HZ, EspeakNgSynthesiser, type EspeakNgVoices } from './espeak-ng-synthesiser.ts';
import { speechDeadlineMs, withDeadline } from './speech-deadline.ts';

/** A player opened by `prepare` for a line that does not come is closed after this long. */
const PREPARED_MS = 20_000;

export interface EspeakNgEngineOptions extends EspeakNgVoices {
  /** ALSA name of the speaker. */
  readonly device: string;
  /** A process of each waits for its next line once the engine is started. */
  readonly languages: readonly Language[];
}

/**
 * A line comes in, sound goes out: espeak-ng writes samples, aplay plays them while they come. Called by the announcer.
 * It speaks without `start` too, a little later each time; `start` keeps voices waiting, `stop` lets them go; `prepare` is a hint for the moment before.
 */
export class EspeakNgEngine implements SpeechEngine, Service {
  readonly name = 'espeak-ng';
  readonly #options: EspeakNgEngineOptions;
  readonly #env: NodeJS.ProcessEnv;
  readonly #scheduler: Scheduler;
  readonly #synthesiser: EspeakNgSynthesiser;
  #missing: readonly string[] = [];
  #prepared: { readonly player: AplayPlayer; readonly cancel: Cancel } | undefined;

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
    await Promise.all([this.#synthesiser.close(), this.#closePrepared()]);
  }

  /**
   * A line is likely to come soon, such as when a person is speaking: opens the speaker ahead, which takes the start of
   * the player out of the wait. The speaker is held until the next line, or given back after 20 s without one.
   */
  prepare(): void {
    if (this.#prepared?.player.over === false || this.#missing.length > 0) return;
    this.#prepared?.cancel();
    const player = this.#openPlayer();
    const cancel = this.#scheduler.after(PREPARED_MS, () => {
      void this.#closePrepared();
    });
    this.#prepared = { player, cancel };
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
    const player = this.#takePlayer();
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

  #takePlayer(): AplayPlayer {
    const prepared = this.#prepared;
    this.#prepared = undefined;
    prepared?.cancel();
    return prepared?.player.over === false ? prepared.player : this.#openPlayer();
  }

  #openPlayer(): AplayPlayer {
    return new AplayPlayer({ device: this.#options.device, rateHz: ESPEAK_RATE_HZ, env: this.#env });
  }

  async #closePrepared(): Promise<void> {
    const prepared = this.#prepared;
    this.#prepared = undefined;
    prepared?.cancel();
    await prepared?.player.kill();
  }
}
