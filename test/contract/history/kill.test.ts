import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Sample } from '../../../src/domain/history/sample.ts';
import { bruteAggregate } from '../../support/brute-history.ts';
import { HistorySite } from '../../support/history-site.ts';
import { WRITTEN_POINTS, WRITTEN_START_MS, writtenSample } from '../../support/history-written.ts';

const ROUNDS = 5;
const writer = fileURLToPath(new URL('../../support/history-writer.ts', import.meta.url));
let site: HistorySite;
let child: ChildProcess | undefined;

beforeEach(() => {
  site = new HistorySite();
});
afterEach(() => {
  child?.kill('SIGKILL');
  site.remove();
});

/** Lets the writer run until a random moment after it has written something, and returns what was on disk for sure. */
async function writeUntilKilled(bootId: string, first: number): Promise<number> {
  const running = spawn(process.execPath, ['--import', 'tsx', writer, site.file, bootId, String(first)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child = running;
  const exited = once(running, 'exit');
  let sure = first - 1;
  const lines = createInterface({ input: running.stdout });
  const begun = once(lines, 'line');
  lines.on('line', (line) => {
    sure = Number(line);
  });
  await begun;
  await sleep(Math.random() * 150);
  running.kill('SIGKILL');
  await exited;
  return sure;
}

it('loses at most what was not flushed, doubles nothing, and sums agree with samples, killed at any moment', async () => {
  const kept: Sample[][] = Array.from({ length: WRITTEN_POINTS }, () => []);
  let first = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const bootId = `boot ${round}`;
    const sure = await writeUntilKilled(bootId, first);
    const store = await site.open();
    const range = { fromMs: WRITTEN_START_MS, toMs: WRITTEN_START_MS + 86_400_000 };
    let newest = 0;
    for (const [p, known] of kept.entries()) {
      const ref = { machine: 'm', point: `p${p}` };
      const found = await store.samples(ref, range, 1_000_000);
      const added = found.slice(known.length);
      expect(added.map(({ seq }) => seq)).toEqual(added.map((_, i) => first + p + i * WRITTEN_POINTS));
      for (const sample of added) {
        const { value, quality, atMs } = writtenSample(sample.seq, bootId);
        expect(sample).toMatchObject({ value, quality, atMs, bootId });
        newest = Math.max(newest, sample.seq);
      }
      known.push(...added);
      for (const fromMs of [range.fromMs, range.fromMs + 61_500]) {
        const span = { fromMs, toMs: range.toMs };
        const {
          mean = Number.NaN,
          coverage,
          ...exact
        } = bruteAggregate(known, span, known.at(-1)?.atMs ?? 0);
        const answer = await store.aggregate(ref, span);
        expect(answer).toMatchObject(exact);
        if (exact.samples > 0) expect(answer?.mean).toBeCloseTo(mean, 9);
      }
    }
    // A batch that was on its way when the process died may have arrived, whole or not at all.
    expect([sure, sure + 20]).toContain(newest);
    first = newest + 1;
    await store.stop();
  }
}, 120_000);
