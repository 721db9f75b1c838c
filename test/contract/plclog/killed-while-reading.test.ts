import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { numbersOf, startLogReader } from '../../support/plc-log.ts';
import { ringPlant, startPymodbusRing } from '../../support/pymodbus-ring.ts';

const CHILD = fileURLToPath(new URL('../../support/plc-log-child.ts', import.meta.url));
const KILLS = 6;
const RECORDS_PER_S = 60;
/** More than are written while a process starts. */
const CAPACITY = 2_048;

/** Kills of a process at moments nobody chose; without a seed, since its own timing differs each time anyway. */
it.each(['slot', 'records'] as const)(
  'keeps and hands on every record once, whenever its process is killed (%s head)',
  { timeout: 240_000 },
  async (kind) => {
    const directory = mkdtempSync(join(tmpdir(), 'hermes-plclog-kill-'));
    const ring = await startPymodbusRing(kind, CAPACITY);
    const plant = ringPlant({ port: ring.port, kind, capacity: CAPACITY });
    const handled: number[] = [];
    try {
      await ring.rate(RECORDS_PER_S);
      for (let kill = 0; kill < KILLS; kill += 1) {
        const child = spawn(
          process.execPath,
          ['--import', 'tsx', CHILD, String(ring.port), kind, String(CAPACITY), directory],
          {
            stdio: ['ignore', 'pipe', 'inherit'],
            cwd: fileURLToPath(new URL('../../..', import.meta.url)),
          },
        );
        let said = '';
        child.stdout.setEncoding('utf8').on('data', (text: string) => {
          said += text;
        });
        const gone = once(child, 'close');
        await eventually('it handles records', () => said.includes('handled'), 40_000);
        // Not a wait for something to happen: the moment of the kill is what is random here.
        await sleep(Math.random() * 300);
        child.kill('SIGKILL');
        await gone;
        // A line that was cut by the kill was not handled.
        for (const [, number] of said.matchAll(/handled (\d+)\n/gu)) handled.push(Number(number));
      }
      await ring.rate(0);
      const written = await ring.count();
      const last = await startLogReader(plant, directory);
      try {
        const entries = await eventually('the last record is kept', async () => {
          const newest = await last.store.latest({ limit: 1 });
          return numbersOf(newest)[0] === written && last.store.latest({ limit: 1_000_000 });
        });
        expect(entries.filter((entry) => entry.kind !== 'record')).toEqual([]);
        expect(numbersOf(entries)).toEqual(Array.from({ length: written }, (_, index) => index + 1));

        last.reader.onRecord({
          name: 'printer',
          begin: 'oldest',
          handle: async (entry) => void handled.push(...numbersOf([entry])),
        });
        await eventually('the rest is handled', () => handled.at(-1) === written);
        // At least once: what was handled and not yet acknowledged comes again, but nothing is left out.
        const first = [...new Set(handled)];
        expect(first).toEqual(Array.from({ length: written }, (_, index) => index + 1));
      } finally {
        await last.stop();
      }
    } finally {
      await ring.stop();
      rmSync(directory, { recursive: true });
    }
  },
);
