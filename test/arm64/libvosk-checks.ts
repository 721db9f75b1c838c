import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { SAMPLE_RATE_HZ } from '../../src/app/ports/microphone.ts';
import { tone } from '../support/tones.ts';
import { encodeWav } from '../support/wav-file.ts';
import type { Arm64Node } from './arm64-node.ts';
import type { Check } from './check.ts';
import { assertAarch64 } from './elf.ts';
import { writeSite } from './site-files.ts';

const STAND_IN = join(import.meta.dirname, 'libvosk-stand-in.c');
const REFUSAL = /libvosk\.so is made for x86-64, this machine is aarch64/u;

const doctorSchema = z.object({
  checks: z.array(
    z.object({ part: z.string(), ok: z.boolean(), detail: z.string(), fix: z.string().optional() }),
  ),
});

const heardSchema = z.object({ heard: z.string(), meanings: z.array(z.object({ intent: z.string() })) });

/** Which libvosk the daemon takes on ARM64. The package `vosk` has none for it. */
export function libvoskChecks(arm64: Arm64Node, folder: string): readonly Check[] {
  const packaged = join(arm64.appFolder, 'node_modules/vosk/lib/linux-x86_64/libvosk.so');
  const site = (name: string, libvosk: string): string => {
    const here = join(folder, name);
    const stateFolder = join(here, 'state');
    // Nothing listens on port 1: these checks are not about the PLC.
    return writeSite(here, { app: arm64.appFolder, stateFolder, modbusPort: 1, httpPort: 0, libvosk }).config;
  };
  const diagnose = async (config: string, part: string) => {
    const { stdout, stderr } = await arm64.hermesEdge(['doctor', '--json', '--config', config]).end();
    const found = doctorSchema.parse(JSON.parse(stdout)).checks.find((check) => check.part === part);
    assert.ok(found, `nothing about ${part}\n${stdout}${stderr}`);
    return found;
  };

  return [
    ...[
      ['the one that comes with the program', 'auto'],
      ['its path', packaged],
    ].map(([what, setting = '']) => ({
      name: `a libvosk for another processor is refused with what to do about it: ${what}`,
      async run() {
        const config = site(setting === 'auto' ? 'auto' : 'path', setting);
        const { status, stdout, stderr } = await arm64.hermesEdge(['run', '--config', config]).end();
        assert.equal(status, 1, stderr);
        assert.equal(stdout, '');
        assert.match(stderr, REFUSAL);
        assert.match(stderr, /fetch-voice-model/u);
        assert.doesNotMatch(stderr, /\n\s+at /u, 'no stack trace');
      },
    })),
    {
      name: 'the doctor says the same',
      async run() {
        const { ok, detail, fix } = await diagnose(site('doctor', 'auto'), 'recogniser');
        assert.equal(ok, false);
        assert.match(detail, REFUSAL);
        assert.match(fix ?? '', /fetch-voice-model/u);
      },
    },
    {
      name: 'a library for ARM64 is taken, and the recogniser in its own process calls it',
      async run() {
        const library = join(folder, 'libvosk.so');
        execFileSync('aarch64-linux-gnu-gcc', [
          '-shared',
          '-fPIC',
          '-Wall',
          '-Werror',
          '-o',
          library,
          STAND_IN,
        ]);
        assertAarch64(library);
        const config = site('stand-in', library);
        const sound = join(folder, 'sound.wav');
        writeFileSync(sound, encodeWav(tone(440, SAMPLE_RATE_HZ, 0.5), SAMPLE_RATE_HZ));
        const listening = arm64.hermesEdge(['listen', '--config', config, '--json', '--wav', sound]);
        const { status, stdout, stderr } = await listening.end();
        assert.equal(status, 0, stderr);
        const [line = ''] = stdout.split('\n');
        const { heard, meanings } = heardSchema.parse(JSON.parse(line));
        assert.deepEqual([heard, meanings[0]?.intent], ['check the network', 'system_status']);
      },
    },
  ];
}
