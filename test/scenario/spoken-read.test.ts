import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Language } from '../../src/domain/language/language.ts';
import { decodeAnswer } from '../support/answer-ear.ts';
import { type DaemonProcess, startDaemon } from '../support/daemon-process.ts';
import { onePlant, voiceConfig } from '../support/demo-site.ts';
import { eventually } from '../support/eventually.ts';
import { type PymodbusServer, startPymodbusServer } from '../support/pymodbus-server.ts';
import { noise, silence, synthesiseFile, writeSound } from '../support/synthesise.ts';
import { startVirtualSoundCard, type VirtualSoundCard } from '../support/virtual-sound-card.ts';

interface Case {
  readonly language: Language;
  readonly command: string;
  readonly nonsense: string;
  readonly answer: (number: string) => string;
  readonly spoken: Readonly<Record<number, string>>;
}

const CASES: readonly Case[] = [
  {
    language: 'en',
    command: 'read the temperature of machine twelve',
    nonsense: 'the elephant bought chocolate in the library on sunday',
    answer: (number) => `machine twelve temperature is ${number} degrees`,
    spoken: { 73: 'seventy three', 58: 'fifty eight' },
  },
  {
    language: 'zh',
    command: '读取十二号机床的温度',
    nonsense: '大象在图书馆买巧克力',
    answer: (number) => `十 二 号 机床 温度 ${number} 度`,
    spoken: { 73: '七 十 三', 58: '五 十 八' },
  },
];

/** Samples above this (of 32,768) are sound. */
const LOUD = 500;
const SAMPLE_RATE_HZ = 16_000;

describe.each(CASES)('a spoken command in $language', ({ language, command, nonsense, answer, spoken }) => {
  let card: VirtualSoundCard;
  let plc: PymodbusServer;
  let daemon: DaemonProcess;
  let directory: string;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'hermes-spoken-'));
    [card, plc] = await Promise.all([startVirtualSoundCard(), startPymodbusServer()]);
    await plc.set(1, 'holding', 10, 73);
    daemon = await startDaemon(voiceConfig({ language }), { env: card.env, plant: onePlant(plc.port) });
    for (const part of ['microphone', 'recogniser', 'grammar', 'voice']) await daemon.part(part, 'ok');
  });
  afterAll(async () => {
    expect(await daemon.stop()).toBe(0);
    await plc.stop();
    await card.stop();
    rmSync(directory, { recursive: true });
  });
  afterEach(async () => {
    await eventually('silence again', async () => (await voice()).detail === 'listening');
  });

  const voice = async () => {
    const part = (await daemon.health()).parts.find(({ name }) => name === 'voice');
    if (part === undefined) throw new Error('no voice');
    return part;
  };
  const spokenLines = async (): Promise<number> =>
    (await daemon.health()).parts.find(({ name }) => name === 'announcer')?.figures?.['spoken'] ?? 0;

  const completed = (): number =>
    daemon.log.filter((line) => line['msg'] === 'turn decided' && line['outcome'] === 'COMPLETED').length;

  /** Plays a sound into the microphone and returns what the speaker made of it, from the first sample to the end. */
  async function converse(wav: string): Promise<Buffer> {
    const before = await spokenLines();
    const recording = card.recordSpeaker();
    await recording.ready;
    await card.playIntoMicrophone(wav);
    await eventually('an answer spoken to its end', async () => (await spokenLines()) > before, 15_000);
    return recording.stop();
  }

  async function say(text: string): Promise<Buffer> {
    const wav = join(directory, 'command.wav');
    await synthesiseFile(wav, text, { language, beforeMs: 300, afterMs: 1200 });
    return converse(wav);
  }

  it('is answered aloud with the value that the PLC holds, and with the new one when it changes', async () => {
    for (const value of [73, 58]) {
      await plc.set(1, 'holding', 10, value);
      const heard = await decodeAnswer(await say(command), language, answer);
      expect(heard).toBe(answer(spoken[value] ?? ''));
    }
  });

  it('does not hear itself when the microphone hears the speaker', async () => {
    const deafAgain = await card.hearItself();
    const { turns: turnsBefore = 0, ignored: ignoredBefore } = (await voice()).figures ?? {};
    await say(command);
    const wav = join(directory, 'silence.wav');
    // More than the longest endpoint: whatever it had heard of itself would be decided by now.
    await writeSound(wav, silence(2500));
    await card.playIntoMicrophone(wav);
    await deafAgain();
    const { figures = {} } = await voice();
    expect(figures['turns']).toBe(turnsBefore + 1);
    expect(figures['ignored']).toBe(ignoredBefore);
  });

  it('is answered the same way when it is typed', async () => {
    await plc.set(1, 'holding', 10, 73);
    const { code, stdout } = await daemon.command('ask', '--json', command);
    expect(code).toBe(0);
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({
      intent: 'read_point',
      outcome: 'COMPLETED',
      readings: [{ machine: 'machine-12', point: 'temperature', quality: 'good', value: 73 }],
    });
    expect(report.answer.replaceAll(/[\s.。]/gu, '').toLowerCase()).toBe(
      answer(spoken[73] ?? '').replaceAll(' ', ''),
    );
  });

  it('leads to no action and at most one "say again" when its words are not known', async () => {
    const linesBefore = await spokenLines();
    const completedBefore = completed();
    const wav = join(directory, 'nonsense.wav');
    // The silence at the end is longer than any endpoint: when it has been played, the utterance has been decided.
    await synthesiseFile(wav, nonsense, { language, beforeMs: 300, afterMs: 2500 });
    await card.playIntoMicrophone(wav);
    await eventually('silence again', async () => (await voice()).detail === 'listening');
    expect((await spokenLines()) - linesBefore).toBeLessThanOrEqual(1);
    expect(completed()).toBe(completedBefore);
  });

  it.each(['white', 'hum', 'babble'] as const)('does not come out of %s noise', async (kind) => {
    const linesBefore = await spokenLines();
    const completedBefore = completed();
    const wav = join(directory, 'noise.wav');
    await writeSound(wav, noise(kind, 6000, 0.1));
    const recording = card.recordSpeaker();
    await recording.ready;
    await card.playIntoMicrophone(wav);
    const said = await recording.stop();
    const loud = loudSamples(said);
    // At most one short "say again" for six seconds of noise, and never an action.
    expect((await spokenLines()) - linesBefore).toBeLessThanOrEqual(1);
    expect(loud === 0 || loud < 2 * SAMPLE_RATE_HZ).toBe(true);
    expect(completed()).toBe(completedBefore);
  });
});

function loudSamples(recording: Buffer): number {
  const samples = new Int16Array(
    recording.buffer.slice(recording.byteOffset, recording.byteOffset + recording.byteLength),
  );
  return samples.filter((sample) => Math.abs(sample) > LOUD).length;
}
