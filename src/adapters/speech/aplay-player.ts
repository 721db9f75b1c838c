import { type ChildEnd, SupervisedChild } from '../../runtime/supervised-child.ts';
import { programMissing, speechFailed } from './speech-failed.ts';

const PROGRAM = 'aplay';
/**
 * aplay begins to sound when its buffer is full, so a small one begins early. It only has to bridge the scheduling of
 * aplay itself: the pipe before it holds more than a second.
 */
const BUFFER_US = 100_000;
const PERIOD_US = 20_000;

export interface PlayerOptions {
  /** ALSA name, such as `default` or `plughw:CARD=Device`. */
  readonly device: string;
  readonly rateHz: number;
  readonly env?: NodeJS.ProcessEnv;
}

/** Plays raw mono signed 16 bit samples through one aplay process. */
export class AplayPlayer {
  readonly #device: string;
  readonly #child: SupervisedChild;

  constructor(options: PlayerOptions) {
    this.#device = options.device;
    this.#child = new SupervisedChild(
      PROGRAM,
      [
        ...['-q', '-D', options.device, '-t', 'raw', '-f', 'S16_LE', '-c', '1', '-r', String(options.rateHz)],
        ...[`--buffer-time=${BUFFER_US}`, `--period-time=${PERIOD_US}`, '-'],
      ],
      options.env ?? process.env,
    );
    this.#child.output.resume();
  }

  get over(): boolean {
    return this.#child.over;
  }

  /** Resolves when the player can take more. Throws EdgeError SPEECH_FAILED when it has given up. */
  async write(samples: Buffer): Promise<void> {
    if (!(await this.#child.write(samples))) throw this.#failure(await this.#child.ended);
  }

  /** Resolves when the last sample has sounded. Throws EdgeError SPEECH_FAILED when it could not. */
  async finish(): Promise<void> {
    this.#child.endInput();
    const end = await this.#child.ended;
    if (end.code !== 0) throw this.#failure(end);
  }

  /** Silent at once; resolves when the process is gone. */
  async kill(): Promise<void> {
    this.#child.kill();
    await this.#child.ended;
  }

  #failure(end: ChildEnd): Error {
    if (end.startError?.code === 'ENOENT') return programMissing(PROGRAM, end.startError);
    const reason = end.complaint || end.startError?.message || 'no reason given';
    return speechFailed(
      `${PROGRAM} on "${this.#device}" ended with ${end.code ?? end.signal}: ${reason}`,
      'set speech.device to a name that "aplay -L" lists, and check that no other program holds it',
      end.startError,
    );
  }
}
