import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SpeechEngine, SpeechLine, SpokenAs } from '../../app/ports/speech-engine.ts';
import type { Clocks, Scheduler } from '../../runtime/clocks.ts';
import { ESPEAK_RATE_HZ, EspeakNgSynthesiser, type EspeakNgVoices } from './espeak-ng-synthesiser.ts';
import { speechDeadlineMs, withDeadline } from './speech-deadline.ts';
import { speechFailed } from './speech-failed.ts';
import { wavFile } from './wav-file.ts';

const KEPT_FILES = 50;
/** The name of a kept line. */
export const SPOKEN_FILE = /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-\d{3}Z-\d{6}\.wav$/;

export interface FileEngineOptions extends EspeakNgVoices {
  /** Made when it is missing; other files in it are left alone. */
  readonly directory: string;
}

/** For a machine without a speaker: each line becomes a WAV file named by time and count; the newest 50 are kept. */
export class FileEngine implements SpeechEngine {
  readonly name = 'file';
  readonly #directory: string;
  readonly #synthesiser: EspeakNgSynthesiser;
  readonly #clocks: Clocks;
  readonly #scheduler: Scheduler;

  constructor(options: FileEngineOptions, deps: { readonly clocks: Clocks; readonly scheduler: Scheduler }) {
    this.#directory = options.directory;
    this.#synthesiser = new EspeakNgSynthesiser(options);
    this.#clocks = deps.clocks;
    this.#scheduler = deps.scheduler;
  }

  speak(line: SpeechLine, signal: AbortSignal, onFirstSound?: () => void): Promise<SpokenAs> {
    return withDeadline(speechDeadlineMs(line), signal, this.#scheduler, async (either) => {
      const pieces: Buffer[] = [];
      for await (const piece of this.#synthesiser.synthesise(line, either)) {
        if (pieces.length === 0) onFirstSound?.();
        pieces.push(piece);
      }
      const file = await this.#keep(wavFile(Buffer.concat(pieces), ESPEAK_RATE_HZ));
      return { kind: 'kept', file };
    });
  }

  async #keep(wav: Buffer): Promise<string> {
    const time = this.#clocks.wall().toISOString().replaceAll(/[:.]/g, '-');
    const name = `${time}-${String(this.#clocks.nextSeq() % 1_000_000).padStart(6, '0')}.wav`;
    const file = join(this.#directory, name);
    try {
      await mkdir(this.#directory, { recursive: true });
      await writeFile(`${file}.part`, wav);
      await rename(`${file}.part`, file);
      await this.#dropOldest(name);
    } catch (error) {
      throw speechFailed(
        `the line could not be kept in ${this.#directory}`,
        'check that the directory can be written and has room',
        error,
      );
    }
    return file;
  }

  /** The file just written stays even when the clock went back and its name looks old. */
  async #dropOldest(justWritten: string): Promise<void> {
    const others = (await readdir(this.#directory))
      .filter((name) => SPOKEN_FILE.test(name) && name !== justWritten)
      .sort();
    const surplus = others.slice(0, Math.max(0, others.length + 1 - KEPT_FILES));
    await Promise.all(surplus.map((name) => rm(join(this.#directory, name), { force: true })));
  }
}
