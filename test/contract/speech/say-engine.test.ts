import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SayEngine } from '../../../src/adapters/speech/say-engine.ts';
import { systemClocks, systemScheduler } from '../../../src/runtime/clocks.ts';
import { eventually } from '../../support/eventually.ts';
import { listenToSpeaker, type SpeakerEar } from '../../support/speaker-ear.ts';
import { startVirtualSoundCard, type VirtualSoundCard } from '../../support/virtual-sound-card.ts';

const clocks = systemClocks();
const never = new AbortController().signal;
let card: VirtualSoundCard;
let ear: SpeakerEar;
let directory: string;

function engineWith(options: { device?: string; env?: NodeJS.ProcessEnv } = {}): SayEngine {
  return new SayEngine(
    { device: 'speaker', env: { ...process.env, ...card.env }, ...options },
    { scheduler: systemScheduler },
  );
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 's-'));
  card = await startVirtualSoundCard();
  ear = await listenToSpeaker(card);
});

afterAll(async () => {
  await ear.stop();
  await card.stop();
  await rm(directory, { recursive: true });
});

beforeEach(() => ear.forget());

describe('a line through say and festival', () => {
  it('is reported as spoken when its sound has ended', async () => {
    expect(await engineWith().speak({ text: 'Pump three is ready.', language: 'en' }, never)).toEqual({
      kind: 'played',
    });
    const endedAtMs = clocks.monotonicMs();
    const lastSoundAtMs = await eventually('the speaker falls silent', () => {
      const last = ear.lastSoundAtMs;
      return last !== undefined && clocks.monotonicMs() - last > 300 ? last : undefined;
    });
    expect(ear.audibleMs).toBeGreaterThan(300);
    expect(lastSoundAtMs - endedAtMs).toBeLessThan(50);
  });

  it('runs nothing that is hidden in its text, where festival by itself would', async () => {
    const mark = join(directory, 'mark');
    const hidden = `x"))(system "touch ${mark}")`;
    await engineWith().speak({ text: hidden, language: 'en' }, never);
    await engineWith().speak({ text: `x\\"))\n(system \\"touch ${mark}\\")`, language: 'en' }, never);
    expect(existsSync(mark)).toBe(false);

    execFileSync('festival', ['--pipe'], {
      input: `(utt.synth (Utterance Text "${hidden}`,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    expect(existsSync(mark)).toBe(true);
  });

  it('falls silent within 150 ms of being aborted, with all its processes', async () => {
    const abort = new AbortController();
    const silenced = new Error('silenced');
    const speaking = engineWith().speak(
      { text: 'one two three four five '.repeat(10), language: 'en' },
      abort.signal,
    );
    speaking.catch(() => undefined);
    await eventually('sound', () => ear.firstSoundAtMs, 30_000);
    abort.abort(silenced);
    const abortedAtMs = clocks.monotonicMs();
    await expect(speaking).rejects.toBe(silenced);
    const lastSoundAtMs = await eventually('the speaker falls silent', () => {
      const last = ear.lastSoundAtMs;
      return last !== undefined && clocks.monotonicMs() - last > 300 ? last : undefined;
    });
    expect(lastSoundAtMs - abortedAtMs).toBeLessThan(150);
  });

  it('fails when the player fails, although festival ends without an error', async () => {
    await expect(
      engineWith({ device: 'nosuch' }).speak({ text: 'One.', language: 'en' }, never),
    ).rejects.toMatchObject({ code: 'SPEECH_FAILED', message: expect.stringContaining('aplay') });
  });

  it('fails with the package to install where festival is missing', async () => {
    await expect(
      engineWith({ env: { PATH: directory } }).speak({ text: 'One.', language: 'en' }, never),
    ).rejects.toMatchObject({ code: 'SPEECH_FAILED', hint: expect.stringContaining('apt install festival') });
  });

  it('fails in Chinese, which festival does not speak', async () => {
    await expect(engineWith().speak({ text: '一', language: 'zh' }, never)).rejects.toMatchObject({
      code: 'SPEECH_FAILED',
    });
  });
});
