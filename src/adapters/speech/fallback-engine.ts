import type { SpeechEngine, SpeechLine, SpokenAs } from '../../app/ports/speech-engine.ts';
import type { Language } from '../../domain/language/language.ts';
import type { Clocks } from '../../runtime/clocks.ts';
import { isEdgeError, messageOf } from '../../runtime/edge-error.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Health } from '../../runtime/service.ts';
import { speechFailed } from './speech-failed.ts';

/** An engine that failed is left out for this long while another one speaks. */
const REST_MS = 30_000;

export interface EngineChoice {
  readonly engine: SpeechEngine;
  readonly languages: readonly Language[];
}

interface Failure {
  readonly atMs: number;
  readonly reason: string;
}

/** Several engines as one: a line that one cannot speak goes to the next in the list. */
export class FallbackEngine implements SpeechEngine {
  readonly name = 'fallback';
  readonly #choices: readonly EngineChoice[];
  readonly #clocks: Clocks;
  readonly #logger: Logger;
  readonly #failures = new Map<SpeechEngine, Failure>();

  /** The first choice is the preferred one. */
  constructor(choices: readonly EngineChoice[], deps: { readonly clocks: Clocks; readonly logger: Logger }) {
    this.#choices = choices;
    this.#clocks = deps.clocks;
    this.#logger = deps.logger;
  }

  /** Readies the engine that will speak next. */
  prepare(): void {
    const [preferred] = this.#choices;
    if (preferred !== undefined && !this.#rests(preferred.engine)) preferred.engine.prepare?.();
  }

  async speak(line: SpeechLine, signal: AbortSignal, onFirstSound?: () => void): Promise<SpokenAs> {
    const reasons: string[] = [];
    let last: unknown;
    for (const engine of this.#inOrder(line.language)) {
      try {
        const spoken = await engine.speak(line, signal, onFirstSound);
        this.#failures.delete(engine);
        return spoken;
      } catch (error) {
        signal.throwIfAborted();
        if (!isEdgeError(error, 'SPEECH_FAILED')) throw error;
        this.#failures.set(engine, { atMs: this.#clocks.monotonicMs(), reason: error.message });
        this.#logger.warn({ engine: engine.name, err: error, hint: error.hint }, 'a speech engine failed');
        reasons.push(`${engine.name}: ${messageOf(error)}`);
        last = error;
      }
    }
    const hint = isEdgeError(last) ? last.hint : undefined;
    throw speechFailed(
      reasons.length === 0 ? `no speech engine for the language "${line.language}"` : reasons.join('; '),
      hint ?? 'run "hermes-edge doctor"',
      last,
    );
  }

  health(): Health {
    const failed = this.#choices.flatMap(({ engine }) => {
      const failure = this.#failures.get(engine);
      return failure === undefined ? [] : [`${engine.name}: ${failure.reason}`];
    });
    if (failed.length === 0)
      return { status: 'ok', detail: `speaks with ${this.#choices[0]?.engine.name ?? 'no engine'}` };
    const status = failed.length === this.#choices.length ? 'down' : 'degraded';
    return { status, detail: failed.join('; ') };
  }

  /** Resting engines come last instead of never: with all of them failing, each line still tries. */
  #inOrder(language: Language): readonly SpeechEngine[] {
    const engines = this.#choices
      .filter((choice) => choice.languages.includes(language))
      .map((choice) => choice.engine);
    return [
      ...engines.filter((engine) => !this.#rests(engine)),
      ...engines.filter((engine) => this.#rests(engine)),
    ];
  }

  #rests(engine: SpeechEngine): boolean {
    const failure = this.#failures.get(engine);
    return failure !== undefined && this.#clocks.monotonicMs() - failure.atMs < REST_MS;
  }
}
