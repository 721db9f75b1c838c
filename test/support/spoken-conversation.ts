import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { Language } from '../../src/domain/language/language.ts';
import type { DaemonProcess } from './daemon-process.ts';
import { eventually } from './eventually.ts';
import { synthesiseFile } from './synthesise.ts';
import type { VirtualSoundCard } from './virtual-sound-card.ts';

const listSchema = z.object({ sessions: z.array(z.object({ id: z.string(), station: z.string() })) });
const shownSchema = z.object({
  session: z.object({
    ledger: z.array(z.object({ step: z.int(), tool: z.string(), status: z.string() })),
    timeline: z.array(z.object({ by: z.string().optional(), text: z.string().optional() })),
  }),
});

export interface Heard {
  /** What the recogniser made of it. */
  readonly heard: string;
  /** What was said since, each line as it was put into the speech engine. */
  readonly said: readonly string[];
  /** The steps of the task under way, each as "STEP TOOL STATUS". */
  readonly ledger: readonly string[];
  /** What the speaker made of it, until all was quiet again. */
  readonly sound: Buffer;
}

/** Somebody who speaks with a daemon through a virtual sound card, and looks into its ledger. */
export interface SpokenConversation {
  /** Says it and listens until the daemon has been silent again; says it again when it was not understood. */
  say(text: string): Promise<Heard>;
  /** What has become of it by now. */
  look(): Promise<Omit<Heard, 'sound'>>;
  end(): void;
}

/**
 * The tiny models decode every third frame. At this pace they understand the sentences of the tests wherever the frames
 * fall.
 */
const WORDS_PER_MINUTE = 185;
/** Once silent so long, it has nothing to say any more: between two lines it is silent for less. */
const QUIET_MS = 600;
const ANSWER_WITHIN_MS = 8000;
/** As a person would, it says a sentence again when it is asked to, or when nothing comes. */
const MOST_TIMES = 3;
const NOT_UNDERSTOOD = ['Please say that again.', '请再说一遍。'];

export function speakWith(
  daemon: DaemonProcess,
  card: VirtualSoundCard,
  language: Language,
): SpokenConversation {
  const directory = mkdtempSync(join(tmpdir(), 'hermes-speaker-'));
  const decided = () => daemon.log.filter((line) => line['msg'] === 'turn decided');

  async function quiet(): Promise<void> {
    let sinceMs = performance.now();
    await eventually(
      'silence',
      async () => {
        const { parts } = await daemon.health();
        const of = (name: string) => parts.find((part) => part.name === name);
        const announcer = of('announcer');
        const isSilent =
          announcer?.detail === 'silent' &&
          announcer.figures?.['waiting'] === 0 &&
          of('voice')?.detail !== 'speaking';
        if (!isSilent) sinceMs = performance.now();
        return performance.now() - sinceMs > QUIET_MS;
      },
      60_000,
    );
  }

  let id: string | undefined;
  async function look(): Promise<Omit<Heard, 'sound'>> {
    if (id === undefined) {
      const list = await daemon.command('sessions', 'list', '--json');
      const { sessions } = listSchema.parse(JSON.parse(list.stdout));
      id = sessions.find(({ station }) => station === 'microphone')?.id;
    }
    if (id === undefined) throw new Error('the microphone has no session');
    const shown = await daemon.command('sessions', 'show', id, '--json');
    const { ledger, timeline } = shownSchema.parse(JSON.parse(shown.stdout)).session;
    const lines = timeline.flatMap(({ by, text }) =>
      // What was decided and found stands in the timeline too, said by nobody.
      by === undefined || by === 'tool' || text === undefined ? [] : [{ by, text }],
    );
    const at = lines.findLastIndex(({ by }) => by === 'person');
    return {
      heard: lines[at]?.text ?? '',
      said: lines.slice(at + 1).map(({ text }) => text),
      ledger: ledger
        .slice(ledger.findLastIndex(({ step }) => step === 1))
        .map(({ step, tool, status }) => `${step} ${tool} ${status}`),
    };
  }

  /** Undefined when nothing was answered. */
  async function sayOnce(wav: string): Promise<Heard | undefined> {
    const before = decided().length;
    const recording = card.recordSpeaker();
    await recording.ready;
    await card.playIntoMicrophone(wav);
    const isDecided = await eventually('an answer', () => decided().length > before, ANSWER_WITHIN_MS).catch(
      () => false,
    );
    await quiet();
    const sound = await recording.stop();
    return isDecided ? { ...(await look()), sound } : undefined;
  }

  return {
    look,
    async say(text) {
      const wav = join(directory, 'sentence.wav');
      await synthesiseFile(wav, text, {
        language,
        wordsPerMinute: WORDS_PER_MINUTE,
        beforeMs: 900,
        afterMs: 1200,
      });
      for (let time = 1; ; time += 1) {
        const said = await sayOnce(wav);
        if (said !== undefined && !NOT_UNDERSTOOD.includes(said.said[0] ?? '')) return said;
        if (time === MOST_TIMES)
          throw new Error(`"${text}" was not understood: ${said === undefined ? 'nothing' : said.heard}`);
      }
    },
    end: () => rmSync(directory, { recursive: true }),
  };
}
