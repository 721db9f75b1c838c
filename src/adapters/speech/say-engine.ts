import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SpeechEngine, SpeechLine, SpokenAs } from '../../app/ports/speech-engine.ts';
import { sayableText } from '../../domain/phrases/sayable-text.ts';
import type { Scheduler } from '../../runtime/clocks.ts';
import { findProgram } from '../../runtime/find-program.ts';
import { killGroup } from '../../runtime/kill-group.ts';
import { FestivalVoice, festivalText } from './festival-voice.ts';
import { speechDeadlineMs, withDeadline } from './speech-deadline.ts';
import { programMissing, speechFailed } from './speech-failed.ts';

const MAX_COMPLAINT_CHARACTERS = 2000;

export interface SayEngineOptions {
  /** ALSA name of the speaker: letters, digits and `:=,.@_-`. */
  readonly device: string;
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * English lines through the package `say`, which drives festival; festival makes the whole sound before it plays, so
 * this is the second choice. `onFirstSound` is not called: festival does not tell when it begins.
 */
export class SayEngine implements SpeechEngine {
  readonly name = 'say';
  readonly #device: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #scheduler: Scheduler;
  #speaking = false;

  constructor(options: SayEngineOptions, deps: { readonly scheduler: Scheduler }) {
    this.#device = options.device;
    this.#env = options.env ?? process.env;
    this.#scheduler = deps.scheduler;
  }

  async speak(line: SpeechLine, signal: AbortSignal): Promise<SpokenAs> {
    signal.throwIfAborted();
    if (line.language !== 'en')
      throw speechFailed('festival speaks English only', 'use the engine espeak-ng for other languages');
    const text = festivalText(sayableText(line.text, 'en'));
    if (!/[A-Za-z0-9]/.test(text))
      throw speechFailed('nothing in the line can be spoken by festival', 'use the engine espeak-ng');
    if (this.#speaking) throw new Error('a line is being spoken: lines come one at a time');
    this.#speaking = true;
    try {
      for (const program of ['festival', 'aplay'])
        if ((await findProgram(program, this.#env)) === undefined) throw programMissing(program);
      await withDeadline(speechDeadlineMs(line), signal, this.#scheduler, (either) =>
        this.#speakText(text, either),
      );
      return { kind: 'played' };
    } finally {
      this.#speaking = false;
    }
  }

  async #speakText(text: string, signal: AbortSignal): Promise<void> {
    const temporaryDirectory = await mkdtemp(join(tmpdir(), 'say-'));
    try {
      signal.throwIfAborted();
      const voice = new FestivalVoice({ device: this.#device, env: this.#env, temporaryDirectory });
      voice.speak(text, null, null, () => undefined);
      const { child } = voice;
      if (child === null) throw new Error('say started no process');
      // festival ends with 0 even when its player failed, and the callback of `say` brings the first piece of stderr
      // only: what festival and aplay write there is the sign of a failure.
      let complaint = '';
      child.stderr.on('data', (piece: string) => {
        complaint = (complaint + piece).slice(0, MAX_COMPLAINT_CHARACTERS);
      });
      const code = await endOf(child, signal);
      signal.throwIfAborted();
      const failure = failureIn(complaint);
      if (code !== 0 || failure !== '')
        throw speechFailed(
          `festival ended with ${code}: ${failure || 'no reason given'}`,
          'try: echo test | festival --tts',
        );
    } finally {
      await rm(temporaryDirectory, { recursive: true, force: true });
    }
  }
}

/** festival's remark that its voice lacks a pair of sounds; it speaks all the same, with another. */
const REMARK = /^UniSyn: using default diphone /u;

/** What festival and aplay complained of, without remarks. */
export function failureIn(complaint: string): string {
  return complaint
    .split('\n')
    .filter((line) => line.trim() !== '' && !REMARK.test(line))
    .join('\n')
    .trim();
}

/** The exit code once the process and all that shared its output are gone; aborting kills the group. */
async function endOf(child: ChildProcess, signal: AbortSignal): Promise<number | null> {
  const kill = (): void => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    killGroup(child.pid);
  };
  signal.addEventListener('abort', kill, { once: true });
  try {
    return await new Promise<number | null>((resolve, reject) => {
      child.once('error', (error) => reject(programMissing('festival', error)));
      child.stdin?.on('error', () => kill());
      child.stdout?.resume();
      child.once('close', resolve);
    });
  } finally {
    signal.removeEventListener('abort', kill);
  }
}
