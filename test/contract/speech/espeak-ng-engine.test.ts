import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EspeakNgEngine } from '../../../src/adapters/speech/espeak-ng-engine.ts';
import { Announcer } from '../../../src/app/announcer.ts';
import type { Language } from '../../../src/domain/language/language.ts';
import { type Scheduler, systemClocks, systemScheduler } from '../../../src/runtime/clocks.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { decodeAnswer } from '../../support/answer-ear.ts';
import { eventually } from '../../support/eventually.ts';
import { listenToSpeaker, type SpeakerEar } from '../../support/speaker-ear.ts';
import { startVirtualSoundCard, type VirtualSoundCard } from '../../support/virtual-sound-card.ts';

const clocks = systemClocks();
const never = new AbortController().signal;
let card: VirtualSoundCard;
let ear: SpeakerEar;
let engine: EspeakNgEngine;

function engineWith(options: { device?: string; env?: NodeJS.ProcessEnv } = {}): EspeakNgEngine {
  return new EspeakNgEngine(
    {
      device: 'speaker',
      languages: ['en', 'zh'],
      env: { ...process.env, ...card.env },
      ...options,
    },
    { scheduler: systemScheduler },
  );
}

/** What has been heard is complete when nothing has come for a while after the sound. */
async function quiet(): Promise<number> {
  return eventually('the speaker falls silent', () => {
    const last = ear.lastSoundAtMs;
    return last !== undefined && clocks.monotonicMs() - last > 200 ? last : undefined;
  });
}

beforeAll(async () => {
  card = await startVirtualSoundCard();
  ear = await listenToSpeaker(card);
  engine = engineWith();
  await engine.start(never);
});

afterAll(async () => {
  await engine.stop();
  await ear.stop();
  await card.stop();
});

beforeEach(() => ear.forget());

describe('a line on the loudspeaker', () => {
  const lines: [Language, string, (number: string) => string, string][] = [
    [
      'en',
      'Oven one temperature is forty seven degrees.',
      (n) => `oven one temperature is ${n} degrees`,
      'forty seven',
    ],
    ['zh', '锅炉温度四十七度。', (n) => `锅炉 温度 ${n} 度`, '四 十 七'],
  ];
  it.each(lines)(
    'in "%s" is heard and understood by the recogniser',
    async (language, text, sentence, number) => {
      const heard: Buffer[] = [];
      const recording = card.recordSpeaker((chunk) => heard.push(chunk));
      await recording.ready;
      expect(await engine.speak({ text, language }, never)).toEqual({ kind: 'played' });
      await quiet();
      await recording.stop();
      expect(await decodeAnswer(Buffer.concat(heard), language, sentence)).toBe(sentence(number));
    },
  );

  it.each([
    ['en', 'Pump three is at fifty seven degrees.'],
    ['zh', '三号泵五十七度。'],
    ['zh', 'Hermes 已就绪，PLC 正常。'],
  ] as const)(
    'in "%s" is reported as spoken when its sound has ended, not before and not long after',
    async (language, text) => {
      await engine.speak({ text, language }, never);
      const endedAtMs = clocks.monotonicMs();
      const lastSoundAtMs = await quiet();
      expect(ear.audibleMs).toBeGreaterThan(300);
      expect(lastSoundAtMs - endedAtMs).toBeLessThan(50);
      expect(endedAtMs - lastSoundAtMs).toBeLessThan(150);
    },
  );

  it('tells its first sound before it is heard', async () => {
    let toldAtMs = Number.POSITIVE_INFINITY;
    await engine.speak({ text: 'One.', language: 'en' }, never, () => {
      toldAtMs = clocks.monotonicMs();
    });
    expect(toldAtMs).toBeLessThanOrEqual(ear.firstSoundAtMs ?? 0);
  });

  it('falls silent within 150 ms of being aborted', async () => {
    const abort = new AbortController();
    const silenced = new Error('silenced');
    const speaking = engine.speak(
      { text: 'one two three four five '.repeat(10), language: 'en' },
      abort.signal,
    );
    speaking.catch(() => undefined);
    await eventually('sound', () => ear.firstSoundAtMs);
    abort.abort(silenced);
    const abortedAtMs = clocks.monotonicMs();
    await expect(speaking).rejects.toBe(silenced);
    expect((await quiet()) - abortedAtMs).toBeLessThan(150);
  });

  it('is not begun when it was aborted before', async () => {
    const silenced = new Error('silenced');
    await expect(engine.speak({ text: 'One.', language: 'en' }, AbortSignal.abort(silenced))).rejects.toBe(
      silenced,
    );
  });

  it('is spoken by an engine that was got ready, and by one that was never started', async () => {
    engine.prepare();
    await engine.speak({ text: 'Ready.', language: 'en' }, never);
    await eventually('sound', () => ear.firstSoundAtMs);
    ear.forget();
    await engineWith().speak({ text: 'Cold.', language: 'en' }, never);
    await eventually('sound', () => ear.firstSoundAtMs);
  });
});

describe('two lines', () => {
  it('are never heard at once', async () => {
    const announcer = new Announcer(engine, {
      clocks,
      scheduler: systemScheduler,
      logger: silentLogger(),
      floor: { busy: () => false },
    });
    const text = 'Pump three is at fifty seven degrees.';
    await engine.speak({ text, language: 'en' }, never);
    await quiet();
    const once = ear.audibleMs;
    ear.forget();
    await Promise.all([1, 2].map(() => announcer.announce({ text, language: 'en', priority: 'answer' })));
    await quiet();
    expect(ear.audibleMs).toBeGreaterThan(1.9 * once);
  });
});

describe('a line that cannot be spoken', () => {
  let empty: string;
  beforeAll(async () => {
    empty = await mkdtemp(join(tmpdir(), 'path-'));
  });
  afterAll(() => rm(empty, { recursive: true }));

  it('names the package of a missing program, in the error and in the health', async () => {
    const lost = engineWith({ env: { ...process.env, ...card.env, PATH: empty } });
    await expect(lost.speak({ text: 'One.', language: 'en' }, never)).rejects.toMatchObject({
      code: 'SPEECH_FAILED',
      hint: expect.stringMatching(/apt install (espeak-ng|alsa-utils)/),
    });
    await lost.start(never);
    expect(lost.health()).toMatchObject({ status: 'down', detail: 'espeak-ng and aplay not installed' });
  });

  it('says what the player complained about', async () => {
    await expect(
      engineWith({ device: 'nosuch' }).speak({ text: 'One.', language: 'en' }, never),
    ).rejects.toMatchObject({ code: 'SPEECH_FAILED', message: expect.stringContaining('nosuch') });
  });

  it('is one whose player hangs, and the player is ended', async () => {
    const player = join(empty, 'aplay');
    await writeFile(player, `#!/bin/sh\necho $$ > ${empty}/pid\nexec sleep 60\n`, { mode: 0o755 });
    let deadlineMs = 0;
    const hurried: Scheduler = {
      after(delayMs, run) {
        deadlineMs = delayMs;
        return systemScheduler.after(500, run);
      },
    };
    const env = { ...process.env, ...card.env, PATH: `${empty}:${process.env['PATH']}` };
    const options = { device: 'speaker', languages: ['en'], env } as const;
    const hung = new EspeakNgEngine(options, { scheduler: hurried });
    await expect(hung.speak({ text: '0123456789', language: 'en' }, never)).rejects.toMatchObject({
      code: 'SPEECH_FAILED',
      message: 'the line had not ended after 7 s',
    });
    expect(deadlineMs).toBe(7000);
    const pid = Number(await readFile(join(empty, 'pid'), 'utf8'));
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    await rm(player);
  });

  it('is one without anything to pronounce', async () => {
    await expect(engine.speak({ text: '\u0000…', language: 'en' }, never)).rejects.toMatchObject({
      code: 'SPEECH_FAILED',
      message: 'espeak-ng made no sound',
    });
  });

  it('is one whose sound card goes away, and the next is heard again once it is back', async () => {
    const speaking = engine.speak({ text: 'one two three four five '.repeat(10), language: 'en' }, never);
    speaking.catch(() => undefined);
    await eventually('sound', () => ear.firstSoundAtMs);
    await card.kill();
    await expect(speaking).rejects.toMatchObject({ code: 'SPEECH_FAILED' });
    await card.revive();
    ear = await listenToSpeaker(card);
    await engine.speak({ text: 'Back again.', language: 'en' }, never);
    await eventually('sound', () => ear.firstSoundAtMs);
  });
});
