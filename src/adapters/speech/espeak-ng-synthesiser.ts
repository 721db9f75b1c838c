import type { SpeechLine } from '../../app/ports/speech-engine.ts';
import type { Language } from '../../domain/language/language.ts';
import { sayableText } from '../../domain/phrases/sayable-text.ts';
import { SupervisedChild } from '../../runtime/supervised-child.ts';
import { loadPinyin } from './load-pinyin.ts';
import { SilenceTrimmer } from './silence-trimmer.ts';
import { programMissing, speechFailed } from './speech-failed.ts';
import { type SpeechRun, speechRuns, type ToPinyin } from './speech-runs.ts';

/** Samples per second of espeak-ng's own voices: mono, signed 16 bit, little endian. */
export const ESPEAK_RATE_HZ = 22_050;

const PROGRAM = 'espeak-ng';
const WAV_HEADER_BYTES = 44;
const WAV_RATE_OFFSET = 24;
/** Between two voices of one line, so that their words do not run together. */
const VOICE_CHANGE_GAP = Buffer.alloc(2 * Math.round(ESPEAK_RATE_HZ * 0.04));

export interface EspeakNgVoices {
  /** Names of espeak-ng voices; the Chinese one must read pinyin with tone numbers. */
  readonly voices?: Partial<Record<Language, string>>;
  /** 80 to 450, default 175. */
  readonly wordsPerMinute?: number;
  readonly env?: NodeJS.ProcessEnv;
}

const DEFAULT_VOICES: Readonly<Record<Language, string>> = { en: 'en-us', zh: 'cmn-latn-pinyin' };

/**
 * Text in, samples out, through espeak-ng. One process a voice can be kept started and waiting for its text, which
 * takes the time of starting a program out of every line; each process speaks one line and ends.
 */
export class EspeakNgSynthesiser {
  readonly #voices: Readonly<Record<Language, string>>;
  readonly #wordsPerMinute: number;
  readonly #env: NodeJS.ProcessEnv;
  readonly #waiting = new Map<Language, SupervisedChild>();
  #keepWaiting: readonly Language[] = [];
  #toPinyin: ToPinyin | undefined;

  constructor(options: EspeakNgVoices) {
    this.#voices = { ...DEFAULT_VOICES, ...options.voices };
    this.#wordsPerMinute = options.wordsPerMinute ?? 175;
    this.#env = options.env ?? process.env;
  }

  /** From now on a process of each language waits for its next line. */
  async keepWaiting(languages: readonly Language[]): Promise<void> {
    if (languages.includes('zh')) this.#toPinyin ??= await loadPinyin();
    this.#keepWaiting = languages;
    this.refill();
  }

  /** Starts the waiting processes that were used up. Called between lines, where it delays nobody. */
  refill(): void {
    for (const language of this.#keepWaiting) {
      if (this.#waiting.get(language)?.over !== false)
        this.#waiting.set(language, this.#startVoice(language));
    }
  }

  async close(): Promise<void> {
    this.#keepWaiting = [];
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    await Promise.all(waiting.map((child) => child.dispose()));
  }

  /**
   * Yields raw samples at `ESPEAK_RATE_HZ` without silence at either end. Aborting kills espeak-ng and throws the
   * signal's reason. Throws EdgeError SPEECH_FAILED when it is missing, fails or makes no sound.
   */
  async *synthesise(line: SpeechLine, signal: AbortSignal): AsyncGenerator<Buffer, void, undefined> {
    const trimmer = new SilenceTrimmer();
    let sounded = false;
    let voice: Language | undefined;
    for (const run of await this.#runs(line)) {
      if (voice !== undefined && voice !== run.voice) trimmer.push(VOICE_CHANGE_GAP);
      voice = run.voice;
      for await (const piece of this.#speakRun(run, signal)) {
        const playable = trimmer.push(piece);
        if (playable.length === 0) continue;
        sounded = true;
        yield playable;
      }
    }
    if (!sounded) throw speechFailed(`${PROGRAM} made no sound`, `try: ${PROGRAM} "test"`);
  }

  #runs(line: SpeechLine): readonly SpeechRun[] | Promise<readonly SpeechRun[]> {
    const text = sayableText(line.text, line.language);
    const divide = (toPinyin: ToPinyin): readonly SpeechRun[] => speechRuns(text, line.language, toPinyin);
    if (line.language === 'en' && !/\p{Script=Han}/u.test(text)) return divide((same) => same);
    if (this.#toPinyin !== undefined) return divide(this.#toPinyin);
    return loadPinyin().then((toPinyin) => {
      this.#toPinyin = toPinyin;
      return divide(toPinyin);
    });
  }

  async *#speakRun(run: SpeechRun, signal: AbortSignal): AsyncGenerator<Buffer, void, undefined> {
    signal.throwIfAborted();
    const child = this.#take(run.voice);
    const kill = (): void => child.kill();
    signal.addEventListener('abort', kill, { once: true });
    try {
      child.endInput(`${run.text}\n`);
      yield* withoutWavHeader(child.output);
      const end = await child.ended;
      signal.throwIfAborted();
      if (end.startError?.code === 'ENOENT') throw programMissing(PROGRAM, end.startError);
      if (end.code !== 0)
        throw speechFailed(
          `${PROGRAM} ended with ${end.code ?? end.signal}: ${end.complaint || end.startError?.message || 'no reason given'}`,
          `try: ${PROGRAM} -v ${this.#voices[run.voice]} "test"`,
          end.startError,
        );
    } finally {
      signal.removeEventListener('abort', kill);
      if (!child.over) await child.dispose();
    }
  }

  #take(language: Language): SupervisedChild {
    const waiting = this.#waiting.get(language);
    this.#waiting.delete(language);
    return waiting !== undefined && !waiting.over ? waiting : this.#startVoice(language);
  }

  #startVoice(language: Language): SupervisedChild {
    // --stdin reads to the end of the input, however long the line; without it espeak-ng cuts at 1000 bytes.
    const args = [
      '-v',
      this.#voices[language],
      '-s',
      String(this.#wordsPerMinute),
      '-z',
      '--stdin',
      '--stdout',
    ];
    return new SupervisedChild(PROGRAM, args, this.#env);
  }
}

async function* withoutWavHeader(output: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  let header: Buffer = Buffer.alloc(0);
  let skipped = false;
  for await (const piece of output) {
    if (skipped) {
      yield piece;
      continue;
    }
    header = Buffer.concat([header, piece]);
    if (header.length < WAV_HEADER_BYTES) continue;
    const rateHz = header.readUInt32LE(WAV_RATE_OFFSET);
    if (rateHz !== ESPEAK_RATE_HZ)
      throw speechFailed(
        `the voice speaks at ${rateHz} Hz instead of ${ESPEAK_RATE_HZ}`,
        'choose one of the voices of "espeak-ng --voices"',
      );
    skipped = true;
    yield header.subarray(WAV_HEADER_BYTES);
  }
}
