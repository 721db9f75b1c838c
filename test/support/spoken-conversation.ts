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
  readonly understood: string;
  /** What was answered, as it was put into the speech engine. */
  readonly answer: string;
  readonly outcome: unknown;
  /** What the speaker made of it, until all was quiet again. */
  readonly sound: Buffer;
}

/** Somebody who speaks with a daemon through a virtual sound card, and looks into its ledger. */
export interface SpokenConversation {
  /** Says it and listens until the daemon has been silent again. */
  say(text: string): Promise<Heard>;
  /** What the microphone's session says, newest last. */
  told(): Promise<readonly string[]>;
  /** The steps of the task under way, each as "STEP TOOL STATUS". */
  ledger(): Promise<readonly string[]>;
  /** Resolves when nothing is being said and nothing waits to be. */
  quiet(): Promise<void>;
  end(): void;
}

/**
 * The tiny models decode every third frame. At this pace they understand the sentences of the tests wherever the frames
 * fall.
 */
const WORDS_PER_MINUTE = 185;
/** Once silent so long, it has nothing to say any more: between two lines it is silent for less. */
const QUIET_MS = 600;

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
          of('voice')?.detail === 'listening';
        if (!isSilent) sinceMs = performance.now();
        return performance.now() - sinceMs > QUIET_MS;
      },
      60_000,
    );
  }

  async function shown(): Promise<z.infer<typeof shownSchema>['session']> {
    const list = await daemon.command('sessions', 'list', '--json');
    const { sessions } = listSchema.parse(JSON.parse(list.stdout));
    const session = sessions.find(({ station }) => station === 'microphone');
    if (session === undefined) throw new Error('the microphone has no session');
    const one = await daemon.command('sessions', 'show', session.id, '--json');
    return shownSchema.parse(JSON.parse(one.stdout)).session;
  }

  const lines = async () =>
    (await shown()).timeline.flatMap(({ by, text }) =>
      by === undefined || text === undefined ? [] : [{ by, text }],
    );

  return {
    quiet,
    async say(text) {
      const before = decided().length;
      const wav = join(directory, 'sentence.wav');
      await synthesiseFile(wav, text, {
        language,
        wordsPerMinute: WORDS_PER_MINUTE,
        beforeMs: 900,
        afterMs: 1200,
      });
      const recording = card.recordSpeaker();
      await recording.ready;
      await card.playIntoMicrophone(wav);
      await eventually(`an answer to "${text}"`, () => decided().length > before, 15_000);
      await quiet();
      const sound = await recording.stop();
      const said = await lines();
      const understood = said.findLast(({ by }) => by === 'person')?.text ?? '';
      const answer = said
        .slice(said.findLastIndex(({ by }) => by === 'person') + 1)
        .map((line) => line.text)
        .join(' ');
      return { understood, answer, outcome: decided().at(-1)?.['outcome'], sound };
    },
    told: async () => (await lines()).filter(({ by }) => by !== 'person').map(({ text }) => text),
    async ledger() {
      const { ledger } = await shown();
      return ledger
        .slice(ledger.findLastIndex(({ step }) => step === 1))
        .map(({ step, tool, status }) => `${step} ${tool} ${status}`);
    },
    end: () => rmSync(directory, { recursive: true }),
  };
}
