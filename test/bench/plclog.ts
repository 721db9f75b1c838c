/**
 * A ring of a pymodbus server that is written at speed while it is read: first at a rate the reader can follow, the ring
 * going round, then at one it cannot, with a ring of 32 records and a device that takes requests for two only.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually.ts';
import { numbersOf, startLogReader } from '../support/plc-log.ts';
import { ringPlant, startPymodbusRing } from '../support/pymodbus-ring.ts';
import { report } from './report.ts';

interface Phase {
  readonly written: number;
  readonly delivered: number;
  readonly overrunCounted: number;
  readonly overruns: number;
  /** Neither delivered nor counted. */
  readonly lost: number;
  readonly duplicated: number;
  readonly outOfOrder: number;
  readonly requests: number;
  readonly seconds: number;
}

async function phase(options: {
  readonly capacity: number;
  readonly recordsPerS: number;
  readonly seconds: number;
  readonly maxRegisters: number;
}): Promise<Phase> {
  const directory = mkdtempSync(join(tmpdir(), 'hermes-bench-plclog-'));
  const ring = await startPymodbusRing('records', options.capacity);
  const plant = ringPlant({
    port: ring.port,
    kind: 'records',
    capacity: options.capacity,
    pollIntervalMs: 100,
    maxRegisters: options.maxRegisters,
  });
  const { reader, store, stop } = await startLogReader(plant, directory);
  try {
    await ring.write(1);
    await eventually('the first record', async () => (await store.latest({ limit: 1 })).length === 1);
    const startedAtMs = performance.now();
    await ring.rate(options.recordsPerS);
    await sleep(options.seconds * 1000);
    await ring.rate(0);
    const seconds = (performance.now() - startedAtMs) / 1000;
    const written = await ring.count();
    await eventually(
      'the last record',
      async () => numbersOf(await store.latest({ limit: 1 }))[0] === written,
      30_000,
    );
    const entries = await store.latest({ limit: 10_000_000 });
    const numbers = numbersOf(entries);
    const overrunCounted = entries.reduce(
      (sum, entry) => sum + (entry.kind === 'overrun' && entry.exact ? entry.lost : 0),
      0,
    );
    const delivered = new Set(numbers).size;
    return {
      written,
      delivered,
      overrunCounted,
      overruns: entries.filter(({ kind }) => kind === 'overrun').length,
      lost: Math.abs(written - delivered - overrunCounted),
      duplicated: numbers.length - delivered,
      outOfOrder: numbers.filter((number, index) => index > 0 && number <= (numbers[index - 1] ?? 0)).length,
      requests: reader.health().figures?.['requests_total'] ?? Number.NaN,
      seconds,
    };
  } finally {
    await stop();
    await ring.stop();
    rmSync(directory, { recursive: true });
  }
}

const followed = await phase({ capacity: 1024, recordsPerS: 300, seconds: 10, maxRegisters: 125 });
const overrun = await phase({ capacity: 32, recordsPerS: 1_000, seconds: 10, maxRegisters: 16 });
for (const [name, each] of Object.entries({ followed, overrun }))
  process.stdout.write(`${name}: ${JSON.stringify(each)}\n`);
report(
  'plclog',
  {
    records_written: followed.written + overrun.written,
    delivered: followed.delivered + overrun.delivered,
    lost: followed.lost + overrun.lost,
    duplicated: followed.duplicated + overrun.duplicated,
    out_of_order: followed.outOfOrder + overrun.outOfOrder,
    followed_overrun: followed.overrunCounted,
    overrun_counted: overrun.overrunCounted,
    overrun_over_missed: overrun.overrunCounted / (overrun.written - overrun.delivered),
    records_per_s: followed.delivered / followed.seconds,
    requests_per_record: followed.requests / followed.delivered,
  },
  { lost: 0, duplicated: 0, out_of_order: 0, followed_overrun: 0, overrun_over_missed: 1 },
);
