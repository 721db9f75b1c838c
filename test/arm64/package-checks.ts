import assert from 'node:assert/strict';
import { join } from 'node:path';
import { z } from 'zod';
import type { Arm64Node } from './arm64-node.ts';
import type { Check } from './check.ts';
import { assertAarch64 } from './elf.ts';

const PROBE = join(import.meta.dirname, 'probe.cjs');
const SERIAL_PEER = join(import.meta.dirname, 'serial_peer.py');

/** Each package with machine code, by itself. */
export function packageChecks(arm64: Arm64Node): readonly Check[] {
  const probe = async <T>(part: string, answer: z.ZodType<T>, ...args: readonly string[]): Promise<T> => {
    const { status, stdout, stderr } = await arm64.start([PROBE, arm64.appFolder, part, ...args]).end();
    assert.equal(status, 0, stderr);
    const { result, machineCode } = z
      .object({ result: answer, machineCode: z.array(z.string()) })
      .parse(JSON.parse(stdout));
    for (const file of machineCode) assertAarch64(file);
    assert.equal(machineCode.length, part === 'node' ? 0 : 1, 'files with machine code that were loaded');
    return result;
  };

  return [
    {
      name: 'Node.js runs as ARM64 and starts children that do',
      async run() {
        const shape = z.object({ arch: z.string(), childArch: z.string() });
        assert.deepEqual(await probe('node', shape), { arch: 'arm64', childArch: 'arm64' });
      },
    },
    {
      name: 'sqlite3 keeps text in a file and finds it by word',
      async run() {
        assert.equal(await probe('sqlite3', z.string()), 'read the temperature');
      },
    },
    {
      name: 'koffi calls C with texts, floating-point numbers and buffers',
      async run() {
        const shape = z.object({ length: z.number(), power: z.number(), copied: z.array(z.number()) });
        assert.deepEqual(await probe('koffi', shape), {
          length: 6,
          power: 1024,
          copied: [-32_768, 0, 32_767],
        });
      },
    },
    {
      name: 'serialport exchanges bytes over a serial line',
      async run() {
        const peer = arm64.startPeer('/usr/bin/python3', [SERIAL_PEER]);
        const terminal = await peer.until('a terminal', () => /^(\S+)\n/u.exec(peer.stdout)?.[1]);
        assert.equal(await probe('serialport', z.string(), terminal), 'PING');
        peer.kill();
      },
    },
  ];
}
