import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  VoskRecogniser,
  type VoskRecogniserOptions,
} from '../../../src/adapters/recogniser/vosk-recogniser.ts';
import { ownWorkerCommand } from '../../../src/adapters/recogniser/worker-command.ts';
import { WorkerProcess } from '../../../src/adapters/recogniser/worker-process.ts';
import type { Transcript } from '../../../src/app/ports/recogniser.ts';
import { systemClocks, systemScheduler } from '../../../src/runtime/clocks.ts';
import { isEdgeError } from '../../../src/runtime/edge-error.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { eventually } from '../../support/eventually.ts';
import { feed, frameOf } from '../../support/feed.ts';
import { joined, mixed, noise, silence, synthesise } from '../../support/synthesise.ts';

const MODELS = {
  en: fileURLToPath(new URL('../../../config/voice/tiny-en', import.meta.url)),
  zh: fileURLToPath(new URL('../../../config/voice/tiny-zh', import.meta.url)),
};
const READ = 'read the temperature of machine twelve';
const READ_ZH = '读取 十 二 号 机床 的 温度';
const PHRASES = [READ, 'what is the pressure of pump three', 'stop pump three', 'yes', 'no'];

let readAloud: Int16Array;
beforeAll(async () => {
  readAloud = joined(silence(600), await synthesise(READ, { language: 'en' }), silence(1_200));
});

const running: VoskRecogniser[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((recogniser) => recogniser.stop(5_000)));
});

async function listening(options: Partial<VoskRecogniserOptions> = {}) {
  const clocks = systemClocks();
  const recogniser = new VoskRecogniser(
    { model: MODELS.en, libvosk: 'auto', ...options },
    { logger: silentLogger(), clocks, scheduler: systemScheduler },
  );
  running.push(recogniser);
  const finals: Transcript[] = [];
  const partials: string[] = [];
  recogniser.onFinal((transcript) => finals.push(transcript));
  recogniser.onPartial((text) => partials.push(text));
  await recogniser.start(new AbortController().signal);
  const heard = (count: number) =>
    eventually(`${count} transcripts`, () => finals.length >= count && finals, 20_000);
  const settled = () =>
    eventually('all audio is decoded', () => recogniser.health().figures?.['backlog_ms'] === 0, 20_000);
  return { recogniser, finals, partials, clocks, heard, settled };
}

/** The process id of the one child that runs the worker with this model, of this test process. */
async function childPid(): Promise<number> {
  return eventually('the child runs', async () => {
    const children = await readFile(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8');
    for (const pid of children.trim().split(' ').filter(Boolean)) {
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      if (command.includes('recogniser/worker')) return Number(pid);
    }
    return undefined;
  });
}

function restarts(recogniser: VoskRecogniser): number {
  return recogniser.health().figures?.['restarts'] ?? 0;
}

describe('a recogniser with a grammar', () => {
  it('hears a spoken command word for word, with rising times and confidences', async () => {
    const { recogniser, heard, partials, clocks } = await listening();
    await recogniser.setGrammar(PHRASES);
    const beganMs = clocks.monotonicMs();
    await feed(recogniser, readAloud);
    const [transcript] = await heard(1);
    expect(transcript).toMatchObject({ text: READ, audioLost: false, cut: false });
    expect(transcript?.words.map((word) => word.text).join(' ')).toBe(READ);
    let lastMs = 400;
    for (const word of transcript?.words ?? []) {
      expect(word.startMs).toBeGreaterThanOrEqual(lastMs);
      expect(word.endMs).toBeGreaterThan(word.startMs);
      expect(word.confidence).toBeGreaterThan(0.5);
      lastMs = word.endMs - 1;
    }
    expect(lastMs).toBeLessThan(readAloud.length / 16 - 1_000);
    expect(transcript?.endpointAtMs).toBeGreaterThan(beganMs);
    expect(transcript?.endpointAtMs).toBeLessThanOrEqual(clocks.monotonicMs());
    expect(partials).toContain(READ);
  });

  it('hears Chinese', async () => {
    const { recogniser, heard } = await listening({ model: MODELS.zh });
    await recogniser.setGrammar([READ_ZH, '确认 执行', '取消']);
    const speech = await synthesise(READ_ZH, { language: 'zh' });
    await feed(recogniser, joined(silence(600), speech, silence(1_200)));
    expect((await heard(1))[0]?.text).toBe(READ_ZH);
  });

  it('hears one command after another in one stream', async () => {
    const { recogniser, heard } = await listening();
    await recogniser.setGrammar(PHRASES);
    await feed(recogniser, joined(readAloud, readAloud, readAloud));
    expect((await heard(3)).map((transcript) => transcript.text)).toEqual([READ, READ, READ]);
  });

  it('tells how far the words stood out from the noise', async () => {
    const { recogniser, heard } = await listening();
    await recogniser.setGrammar(PHRASES);
    // The floor is that of the last ten seconds.
    const lead = silence(11_000);
    await feed(recogniser, mixed(joined(lead, readAloud), noise('white', 20_000, 0.001)));
    await feed(recogniser, mixed(joined(lead, readAloud), noise('white', 20_000, 0.01)));
    const [quiet, noisy] = await heard(2);
    expect(quiet?.text).toBe(READ);
    expect((quiet?.snrDb ?? 0) - (noisy?.snrDb ?? 0)).toBeGreaterThan(8);
    expect(noisy?.snrDb).toBeGreaterThan(8);
  });

  it('answers what is outside the grammar with the unknown word, not with a command', async () => {
    const { recogniser, heard } = await listening();
    await recogniser.setGrammar(PHRASES);
    const speech = await synthesise('my grandmother likes purple elephants', { language: 'en' });
    await feed(recogniser, joined(silence(600), speech, silence(1_200)));
    expect((await heard(1))[0]?.text).toContain('[unk]');
  });

  it('reports nothing for silence, and stays small and quick over it', async () => {
    const { recogniser, finals, settled } = await listening();
    await recogniser.setGrammar(PHRASES);
    await feed(recogniser, silence(30_000));
    await feed(recogniser, noise('white', 30_000, 0.0005));
    await settled();
    expect(finals).toEqual([]);
    expect(restarts(recogniser)).toBe(0);
  });

  it('says which words the model knows', async () => {
    const { recogniser } = await listening();
    const known = await recogniser.knownWords(['temperature', 'zyzzyva', 'machine', '']);
    expect([...known].sort()).toEqual(['machine', 'temperature']);
  });

  it('leaves out a phrase with an unknown word whole, rather than without the word', async () => {
    const { recogniser, heard } = await listening();
    await recogniser.setGrammar(['never zyzzyva stop pump three', READ]);
    const speech = await synthesise('stop pump three', { language: 'en' });
    await feed(recogniser, joined(silence(600), speech, silence(1_200)));
    expect((await heard(1))[0]?.text).not.toContain('stop');
  });

  it('takes an empty grammar as one in which every word is unknown', async () => {
    const { recogniser, heard } = await listening();
    await recogniser.setGrammar([]);
    await feed(recogniser, readAloud);
    expect((await heard(1))[0]?.text).toMatch(/^\[unk\]( \[unk\])*$/);
    expect(restarts(recogniser)).toBe(0);
  });

  it('keeps the grammar of an utterance that has begun and takes the new one after it', async () => {
    const { recogniser, heard, partials } = await listening();
    await recogniser.setGrammar([READ]);
    const middle = Math.floor(readAloud.length / 2);
    await feed(recogniser, readAloud.slice(0, middle));
    await eventually('speech is heard', () => partials.some((text) => text !== ''));
    await recogniser.setGrammar(['stop pump three']);
    await feed(recogniser, readAloud.slice(middle));
    const stop = await synthesise('stop pump three', { language: 'en' });
    await feed(recogniser, joined(silence(600), stop, silence(1_200)));
    expect((await heard(2)).map((transcript) => transcript.text)).toEqual([READ, 'stop pump three']);
  });

  it('hears a command that began just before its grammar came', async () => {
    const { recogniser, heard } = await listening();
    await recogniser.setGrammar(['yes', 'no']);
    const onset = 600 * 16 + 60 * 16;
    await feed(recogniser, readAloud.slice(0, onset));
    await recogniser.setGrammar(PHRASES);
    await feed(recogniser, readAloud.slice(onset));
    expect((await heard(1))[0]?.text).toBe(READ);
  });

  it('forgets what was said before a discard, and nothing that was said after it', async () => {
    const { recogniser, finals, heard, settled } = await listening();
    await recogniser.setGrammar(PHRASES);
    const stop = await synthesise('stop pump three', { language: 'en' });
    await feed(recogniser, joined(silence(600), stop));
    recogniser.discard();
    await feed(recogniser, readAloud);
    await heard(1);
    await settled();
    expect(finals.map((transcript) => transcript.text)).toEqual([READ]);
  });

  it('forgets at a rest the noise that it hears, and no command that follows it', async () => {
    const { recogniser, partials, finals, settled } = await listening();
    await recogniser.setGrammar(PHRASES);
    const foreign = await synthesise('hallelujah goulash amalgam', { language: 'en' });
    await feed(recogniser, joined(silence(600), foreign));
    await settled();
    await eventually('unknown words are heard', () => partials.at(-1) === '[unk]');
    recogniser.rest();
    await eventually('they are forgotten', () => partials.at(-1) === '');
    await feed(recogniser, readAloud);
    await eventually('the command is heard', () => finals.at(-1)?.text === READ);
  });

  it('keeps at a rest the words that it hears by then, also where one has just begun', async () => {
    const { recogniser, heard } = await listening();
    await recogniser.setGrammar(PHRASES);
    const half = Math.round(readAloud.length / 2);
    await feed(recogniser, readAloud.subarray(0, half));
    recogniser.rest();
    await feed(recogniser, readAloud.subarray(half));
    expect((await heard(1))[0]?.text).toBe(READ);
  });

  it.each([100, 250, 400, 550])(
    'hears "stop" in the noise although it is told to rest %i ms into it',
    async (intoMs) => {
      const { recogniser, finals } = await listening();
      await recogniser.setGrammar([...PHRASES, 'stop']);
      const foreign = await synthesise('hallelujah goulash amalgam', { language: 'en' });
      const stop = await synthesise('stop', { language: 'en' });
      const all = joined(silence(600), foreign, silence(250), stop, silence(1_200));
      const at = all.length - 1_200 * 16 - stop.length + intoMs * 16;
      await feed(recogniser, all.subarray(0, at));
      recogniser.rest();
      await feed(recogniser, all.subarray(at));
      await eventually(
        'it is heard',
        () => finals.some(({ text }) => text.split(' ').includes('stop')),
        20_000,
      );
    },
  );

  it('cuts a long utterance when it is told to, and lets a short one go on', async () => {
    const { recogniser, heard, settled } = await listening({ maxUtteranceMs: 3_000 });
    await recogniser.setGrammar([READ]);
    const speech = await synthesise(READ, { language: 'en' });
    await feed(recogniser, joined(silence(600), speech.subarray(0, 12_000)));
    await settled();
    recogniser.cut();
    await feed(recogniser, speech.subarray(12_000));
    await settled();
    recogniser.cut();
    await feed(recogniser, silence(1_200));
    expect((await heard(1))[0]).toMatchObject({ text: READ, cut: true });
  });

  it('cuts an utterance that does not end', async () => {
    const { recogniser, heard } = await listening({ maxUtteranceMs: 2_000 });
    await recogniser.setGrammar([READ]);
    const speech = await synthesise(READ, { language: 'en' });
    await feed(recogniser, joined(silence(300), speech, speech, speech, silence(1_200)));
    const [first] = await heard(1);
    expect(first?.cut).toBe(true);
    expect(first?.words.at(-1)?.endMs).toBeLessThan(3_500);
  });
});

describe('audio that was lost', () => {
  it('marks the utterance in which it was lost, and the next no more', async () => {
    const { recogniser, heard } = await listening();
    await recogniser.setGrammar(PHRASES);
    await feed(recogniser, readAloud, { gapAtMs: 1_200 });
    await feed(recogniser, joined(silence(1_500), readAloud));
    expect((await heard(2)).map((transcript) => transcript.audioLost)).toEqual([true, false]);
  });

  it('marks an utterance whose first word may have been in it', async () => {
    const { recogniser, heard } = await listening();
    await recogniser.setGrammar(PHRASES);
    await feed(recogniser, readAloud, { gapAtMs: 100 });
    expect((await heard(1))[0]?.audioLost).toBe(true);
  });

  it('drops the oldest when the recogniser cannot keep up, counts it and says so', async () => {
    const { recogniser, heard } = await listening({ backlogMs: 2_000 });
    await recogniser.setGrammar(PHRASES);
    process.kill(await childPid(), 'SIGSTOP');
    const long = joined(silence(4_000), readAloud);
    for (let at = 0; at < long.length; at += 320) recogniser.accept(frameOf(long.slice(at, at + 320)));
    expect(recogniser.health().figures?.['dropped_audio_ms']).toBeGreaterThan(2_000);
    await eventually('health says so', () => recogniser.health().status === 'degraded');
    expect(recogniser.health().detail).toMatch(/cannot keep up/);
    process.kill(await childPid(), 'SIGCONT');
    await feed(recogniser, silence(1_500));
    expect((await heard(1))[0]?.audioLost).toBe(true);
    expect(restarts(recogniser)).toBe(0);
  });
});

describe('a child that fails', () => {
  it('is started again after kill -9, with its grammar, and the broken utterance is never reported', async () => {
    const { recogniser, finals, partials } = await listening();
    await recogniser.setGrammar([READ]);
    await feed(recogniser, readAloud.slice(0, Math.floor(readAloud.length * 0.6)));
    await eventually('speech is heard', () => partials.some((text) => text !== ''));
    process.kill(await childPid(), 'SIGKILL');
    await eventually('it is down', () => recogniser.health().status === 'down');
    expect(recogniser.health().detail).toMatch(/SIGKILL/);
    expect(partials.at(-1)).toBe('');
    await expect(recogniser.knownWords(['stop'])).rejects.toMatchObject({ code: 'RECOGNISER_DOWN' });
    await eventually('it is back', () => recogniser.health().status === 'ok', 20_000);
    expect(recogniser.health().figures).toMatchObject({ restarts: 1, interrupted_utterances: 1 });
    await feed(recogniser, readAloud);
    // What the broken utterance left in the air may come out as an unknown word of its own first.
    await eventually('the sentence', () => finals.some(({ text }) => text.endsWith(READ)));
    expect(finals.map(({ audioLost }) => audioLost)).not.toContain(false);
    const before = finals.length;
    await feed(recogniser, joined(silence(1_500), readAloud));
    await eventually('the next one', () => finals.length > before);
    expect(finals.at(-1)).toMatchObject({ text: READ, audioLost: false });
  });

  it('is replaced when it makes no progress', async () => {
    const { recogniser, heard } = await listening({ hangMs: 1_000 });
    await recogniser.setGrammar([READ]);
    const stopped = await childPid();
    process.kill(stopped, 'SIGSTOP');
    recogniser.accept(frameOf(silence(20)));
    await eventually('it is down', () => recogniser.health().status === 'down');
    expect(recogniser.health().detail).toMatch(/no progress in 1000 ms/);
    await eventually('it is back', () => recogniser.health().status === 'ok', 20_000);
    expect(await childPid()).not.toBe(stopped);
    await feed(recogniser, readAloud);
    expect((await heard(1))[0]?.text).toBe(READ);
  });

  it('does not take a quiet microphone for a hang', async () => {
    const { recogniser } = await listening({ hangMs: 500 });
    await feed(recogniser, silence(1_000));
    const beganMs = performance.now();
    await eventually('twice the limit has passed', () => performance.now() - beganMs > 1_200);
    expect(restarts(recogniser)).toBe(0);
    expect(recogniser.health().status).toBe('ok');
  });

  it('is replaced when it holds too much memory', async () => {
    const { recogniser } = await listening({ memoryLimitMb: 10 });
    await eventually('it is down', () => recogniser.health().status === 'down');
    expect(recogniser.health().detail).toMatch(/over its limit of 10 MB/);
    await eventually('it is started again', () => restarts(recogniser) > 0);
  });

  it('leaves no child behind when it is stopped, even one that hangs', async () => {
    const { recogniser } = await listening();
    const pid = await childPid();
    process.kill(pid, 'SIGSTOP');
    await recogniser.stop(1_000);
    await expect(readFile(`/proc/${pid}/cmdline`, 'utf8')).rejects.toThrow();
    expect(recogniser.health().status).toBe('off');
  });

  it('ends by itself when its input closes, as it does when the daemon is killed', async () => {
    const ended = new Promise<string>((resolve, reject) => {
      const args = [
        join(MODELS.en, '../../../node_modules/vosk/lib/linux-x86_64/libvosk.so'),
        MODELS.en,
        '15000',
      ];
      const child = new WorkerProcess(ownWorkerCommand(), args, {
        onMessage: (message) => (message.type === 'ready' ? child.close() : reject(new Error(message.type))),
        onExit: resolve,
      });
    });
    expect(await ended).toBe('it ended with code 0');
  });

  it('resolves start and keeps trying when the child cannot be started', async () => {
    const { recogniser } = await listening({ workerCommand: { program: '/nonexistent/node', args: [] } });
    expect(recogniser.health().status).toBe('down');
    expect(recogniser.health().detail).toMatch(/ENOENT/);
    await eventually('it tries again', () => restarts(recogniser) >= 2);
  });

  it('is replaced when it talks nonsense', async () => {
    const script =
      'require("fs").writeSync(3, "{\\"type\\":\\"ready\\"}\\n{\\"type\\":\\"final\\"}\\n"); setInterval(() => {}, 1000)';
    const { recogniser } = await listening({
      workerCommand: { program: process.execPath, args: ['-e', script] },
    });
    await eventually('it is down', () => recogniser.health().status === 'down');
    expect(recogniser.health().detail).toMatch(/another shape/);
  });
});

describe('wrong files', () => {
  async function startError(options: Partial<VoskRecogniserOptions>): Promise<unknown> {
    return listening(options).then(
      () => 'started',
      (error: unknown) => (isEdgeError(error) ? error.code : error),
    );
  }

  it('are refused at start with what to do', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'voice-'));
    try {
      const arm = join(folder, 'arm.so');
      const header = Buffer.alloc(64);
      header.writeUInt32BE(0x7f454c46, 0);
      header.set([2, 1, 1], 4);
      header.writeUInt16LE(183, 18);
      await writeFile(arm, header);
      const broken = join(folder, 'broken.so');
      header.writeUInt16LE(62, 18);
      await writeFile(broken, header);
      const text = join(folder, 'text.so');
      await writeFile(text, 'this is no library at all');
      expect(await startError({ libvosk: arm })).toBe('LIBVOSK_WRONG_ARCHITECTURE');
      expect(await startError({ libvosk: broken })).toBe('LIBVOSK_BROKEN');
      expect(await startError({ libvosk: text })).toBe('LIBVOSK_NOT_A_LIBRARY');
      expect(await startError({ libvosk: join(folder, 'none.so') })).toBe('LIBVOSK_MISSING');
      expect(await startError({ model: folder })).toBe('VOICE_MODEL_MISSING');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
