import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Language } from '../../src/domain/language/language.ts';
import { resample } from '../../src/domain/voice/resample.ts';
import { decodeWav } from '../../src/domain/voice/wav.ts';
import { decodeAnswer } from '../support/answer-ear.ts';
import { runProgram } from '../support/daemon-process.ts';
import { eventually } from '../support/eventually.ts';
import { type QuietMachine, quietMachine } from '../support/no-sound-card.ts';
import { descendants, isRunning, type RunningProgram, startProgram } from '../support/running-program.ts';
import { synthesiseFile } from '../support/synthesise.ts';
import { startVirtualSoundCard } from '../support/virtual-sound-card.ts';

interface Case {
  readonly language: Language;
  readonly args: readonly string[];
  readonly command: string;
  readonly answerWith: (number: string) => string;
  /** What is to be typed after it, each with the newest step that it leaves. */
  readonly conversation: readonly (readonly [text: string, tool: string, status: RegExp])[];
}

const CASES: readonly Case[] = [
  {
    language: 'en',
    args: [],
    command: 'read the temperature of machine twelve',
    answerWith: (number) => `machine twelve temperature is ${number} point ${number} degrees`,
    conversation: [
      ['read the temperature of machine twelve', 'read-value', /^done$/u],
      ['compare it with pump three', 'compare', /^done$/u],
      ['export that', 'export-report', /^(?:running|done)$/u],
      ['cancel the export', 'remove-report', /^confirming$/u],
      ['yes', 'remove-report', /^done$/u],
    ],
  },
  {
    language: 'zh',
    args: ['--language', 'zh'],
    command: '读取十二号机床的温度',
    answerWith: (number) => `十 二 号 机床 温度 ${number} 点 ${number} 度`,
    conversation: [
      ['读取十二号机床的温度', 'read-value', /^done$/u],
      ['和三号泵对比', 'compare', /^done$/u],
      ['导出', 'export-report', /^(?:running|done)$/u],
      ['取消导出', 'remove-report', /^confirming$/u],
      ['可以', 'remove-report', /^done$/u],
    ],
  },
];

const LOUD = 500;
const SAMPLE_RATE_HZ = 16_000;
const letters = (text: string): string => text.replaceAll(/[\s.,。，]/gu, '').toLowerCase();

/** The first text that a pattern captures in what the program has said. */
function captured(program: RunningProgram, pattern: RegExp): string {
  const [, text] = pattern.exec(program.stdout) ?? [];
  if (text === undefined) throw new Error(`no ${pattern} in:\n${program.stdout}`);
  return text;
}

function connects(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

describe('the demo on a machine without a sound card', () => {
  let machine: QuietMachine;
  let demo: RunningProgram | undefined;

  beforeEach(() => {
    machine = quietMachine();
  });
  afterEach(async () => {
    await demo?.ended('SIGKILL');
    demo = undefined;
    machine.remove();
  });

  it.each(CASES)(
    'in $language answers a spoken command within 20 s, says what to do next, and leaves nothing behind',
    async ({ language, args, command, answerWith, conversation }) => {
      demo = startProgram(['run', '--demo', ...args], { env: machine.env });
      await demo.says(/spoken {7}into .+\.wav/u, 20_000);
      const story = demo.stdout;
      const order = [
        command,
        'heard        ',
        'understood   read_point',
        'PLC          machine-12.temperature = ',
        'answers      ',
        'spoken       into ',
      ];
      expect(letters(captured(demo, /heard {8}(.+)/u))).toBe(letters(command));
      const places = order.map((text) => story.indexOf(text));
      expect(places).not.toContain(-1);
      expect(places).toEqual([...places].sort((a, b) => a - b));

      const answer = captured(demo, /answers {6}(.+)/u);
      const { pcm, sampleRateHz } = decodeWav(readFileSync(captured(demo, /into (.+\.wav)/u)));
      expect(pcm.filter((sample) => Math.abs(sample) > LOUD).length).toBeGreaterThan(sampleRateHz / 4);
      const heard = resample(pcm, sampleRateHz, SAMPLE_RATE_HZ);
      const said = await decodeAnswer(Buffer.from(heard.buffer), language, answerWith);
      expect(letters(said)).toBe(letters(answer));

      await demo.says('Stop it with Ctrl-C.');
      expect(demo.stdout).toContain(`npx hermes-edge ask "${command}"`);
      const asked = await runProgram(['ask', '--json', command], machine.env);
      expect(asked).toMatchObject({ code: 0, stderr: '' });
      expect(JSON.parse(asked.stdout)).toMatchObject({ outcome: 'COMPLETED', intent: 'read_point' });
      expect(demo.stdout.match(new RegExp(`heard {8}${command}`, 'gu'))).toHaveLength(
        language === 'en' ? 2 : 1,
      );

      const reports = join(captured(demo, /state {13}(.+)/u), 'reports');
      for (const [text, tool, status] of conversation) {
        expect(demo.stdout).toContain(`npx hermes-edge ask "${text}"\n`);
        const step = JSON.parse((await runProgram(['ask', '--json', text], machine.env)).stdout).steps.at(-1);
        expect(step).toMatchObject({ tool, status: expect.stringMatching(status) });
        if (tool === 'export-report')
          await eventually(
            'the report is there',
            () => existsSync(reports) && readdirSync(reports).some((name) => name.endsWith('.xlsx')),
          );
      }
      expect(readdirSync(reports)).toEqual([]);

      for (const typed of [
        ['plant', 'watch'],
        ['history', 'machine-12', 'temperature'],
        ['simulate', 'fault', 'overheat', 'machine-12', '--for', '5m'],
      ]) {
        expect(demo.stdout).toContain(`npx hermes-edge ${typed.join(' ')}\n`);
        const once = typed[1] === 'watch' ? ['--once'] : [];
        expect(await runProgram([...typed, ...once], machine.env)).toMatchObject({ code: 0 });
      }

      const second = await runProgram(['run', '--demo', ...args], machine.env);
      expect(second.code).toBe(1);
      expect(second.stdout).toBe('');
      expect(second.stderr).toMatch(/^hermes-edge: another hermes-edge answers on .+\n {2}stop it first/u);

      const ports = [
        /Modbus TCP on 127\.0\.0\.1:(\d+)/u,
        /embedded, 127\.0\.0\.1:(\d+)/u,
        /curl -s http:\/\/127\.0\.0\.1:(\d+)/u,
      ].map((pattern) => Number(demo === undefined ? 0 : captured(demo, pattern)));
      for (const port of ports) expect(await connects(port)).toBe(true);
      const children = descendants(demo.pid);
      expect(children).not.toEqual([]);

      expect(await demo.ended('SIGINT')).toBe(0);
      expect(children.filter(isRunning)).toEqual([]);
      for (const port of ports) expect(await connects(port)).toBe(false);
      expect(demo.stderr).toBe('');
    },
  );

  it('ends at once when it is stopped between two of its commands', async () => {
    demo = startProgram(['run', '--demo'], { env: machine.env });
    await demo.says('heard        ');
    const children = descendants(demo.pid);
    expect(await demo.ended('SIGINT', 4000)).toBe(0);
    expect(children.filter(isRunning)).toEqual([]);
    expect(demo.stdout.split('A synthesised voice says')).toHaveLength(2);
  });

  it('is found by ask although a demo of the other language was killed and left its socket', async () => {
    const killed = startProgram(['run', '--demo', '--language', 'en'], { env: machine.env });
    await killed.says('A synthesised voice says');
    await killed.ended('SIGKILL');
    demo = startProgram(['run', '--demo', '--language', 'zh'], { env: machine.env });
    await demo.says('A synthesised voice says');
    const asked = await runProgram(['ask', '--json', '读取十二号机床的温度'], machine.env);
    expect(asked).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('the demo on a machine with a sound card', () => {
  it('hears the microphone and answers through the speaker', async () => {
    const machine = quietMachine();
    const card = await startVirtualSoundCard();
    const demo = startProgram(['run', '--demo'], { env: { ...machine.env, ...card.env } });
    try {
      await demo.says('Stop it with Ctrl-C.');
      expect(demo.stdout).toContain('microphone        the default one');
      expect(demo.stdout).not.toContain('A synthesised voice says');
      const wav = join(machine.home, 'command.wav');
      await synthesiseFile(wav, 'read the flow of pump three', {
        language: 'en',
        beforeMs: 2500,
        afterMs: 1200,
      });
      const recording = card.recordSpeaker();
      await recording.ready;
      await card.playIntoMicrophone(wav);
      await demo.says('spoken       to the end, through the speaker');
      expect(demo.stdout).toContain('heard        read the flow of pump three');
      const sound = await recording.stop();
      const loud = new Int16Array(sound.buffer, sound.byteOffset, sound.length >> 1).filter(
        (sample) => Math.abs(sample) > LOUD,
      );
      expect(loud.length).toBeGreaterThan(SAMPLE_RATE_HZ / 4);
      expect(await demo.ended('SIGINT')).toBe(0);
    } finally {
      await demo.ended('SIGKILL');
      await card.stop();
      machine.remove();
    }
  });
});
