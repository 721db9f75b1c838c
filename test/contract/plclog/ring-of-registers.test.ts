import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PlcLogEntry } from '../../../src/app/ports/plc-log-store.ts';
import { eventually } from '../../support/eventually.ts';
import { numbersOf, recordsOf, type StartedLogReader, startLogReader } from '../../support/plc-log.ts';
import { type PymodbusRing, ringPlant, startPymodbusRing } from '../../support/pymodbus-ring.ts';

const LOG = { machine: 'oven', log: 'events' };
const to = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

let directory: string;
let ring: PymodbusRing;
let started: StartedLogReader | undefined;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'hermes-plclog-'));
});
afterEach(async () => {
  await started?.stop();
  started = undefined;
  await ring.stop();
  rmSync(directory, { recursive: true });
});

async function begin(
  kind: 'slot' | 'records',
  capacity: number,
  given: { more?: string; written?: number; sequence?: boolean } = {},
): Promise<StartedLogReader> {
  ring = await startPymodbusRing(kind, capacity);
  await ring.write(given.written ?? 0);
  const { more = '', sequence = false } = given;
  started = await startLogReader(ringPlant({ port: ring.port, kind, capacity, more, sequence }), directory);
  return started;
}

const kept = async (): Promise<readonly PlcLogEntry[]> =>
  (await started?.store.latest({ ...LOG, limit: 100_000 })) ?? [];
const reaches = (number: number): Promise<readonly PlcLogEntry[]> =>
  eventually(`record ${number} is kept`, async () => {
    const entries = await kept();
    return numbersOf(entries).at(-1) === number && entries;
  });

describe('the log reader on a ring of registers of a server of another author', () => {
  it.each(['slot', 'records'] as const)(
    'keeps each record once while the ring goes round (%s head)',
    async (kind) => {
      await begin(kind, 64, { written: 5 });
      await reaches(5);
      for (const last of [30, 64, 65, 100, 150]) {
        await ring.write(last - (await ring.count()));
        await reaches(last);
      }
      expect(numbersOf(await kept())).toEqual(to(150));
    },
  );

  it('gives a record its texts, values and times in the terms of the plant file', async () => {
    const before = Math.floor(Date.now() / 1000) * 1000;
    await begin('records', 64, { written: 2 });
    const [first] = recordsOf(await reaches(2));
    expect(first).toMatchObject({
      ref: LOG,
      code: 1,
      values: { number: 1, load: 0.1, number_again: 1 },
      badFields: [],
      atSource: 'plc',
      clockOffsetMs: null,
      correctedAtMs: null,
    });
    expect(first?.plcAtMs).toBeGreaterThanOrEqual(before);
    expect(first?.plcTime).toBe(new Date(first?.plcAtMs ?? 0).toISOString().slice(0, 19).replace('T', ' '));
    expect(first?.arrivedAtMs).toBeGreaterThanOrEqual(first?.plcAtMs ?? 0);
  });

  it('says exactly how many were overwritten behind a counting head', async () => {
    await begin('records', 64, { written: 10 });
    await reaches(10);
    await ring.write(500);
    const entries = await reaches(510);
    expect(entries.filter(({ kind }) => kind !== 'record')).toMatchObject([
      { kind: 'overrun', lost: 500 - 63, exact: true },
    ]);
    await eventually('health shows it', () => started?.reader.health().figures?.['lost_total'] === 437);
    expect(started?.reader.health()).toMatchObject({ status: 'ok', figures: { overruns_total: 1 } });
  });

  it('says "at least" behind a slot head, and exactly when the records count themselves', async () => {
    await begin('slot', 50, { written: 10 });
    await reaches(10);
    await ring.write(170);
    const [gap] = (await reaches(180)).filter(({ kind }) => kind !== 'record');
    expect(gap).toMatchObject({ kind: 'overrun', lost: 21, exact: false });
    await eventually('health shows it', () => started?.reader.health().detail.includes('at least 21 lost'));
  });

  it('counts by the sequence of the records what a slot head cannot tell', async () => {
    await begin('slot', 50, { written: 10, sequence: true });
    await reaches(10);
    await ring.write(170);
    const [gap] = (await reaches(180)).filter(({ kind }) => kind !== 'record');
    expect(gap).toMatchObject({ kind: 'overrun', lost: 121, exact: true });
  });

  it('takes a PLC that restarted for one that restarted, not for thousands lost', async () => {
    await begin('records', 64, { written: 200 });
    await reaches(200);
    await ring.restart();
    await ring.write(3);
    const entries = await reaches(203);
    expect(entries.filter(({ kind }) => kind !== 'record')).toMatchObject([{ kind: 'restarted', lost: 0 }]);
    expect(numbersOf(entries).slice(-3)).toEqual([201, 202, 203]);
  });

  it('measures the clock of the PLC and sets right what it says, beside what it said', async () => {
    const clock = '        clock: { register: holding, address: 2, format: unix_s, time_zone: "+02:00" }';
    ring = await startPymodbusRing('records', 64);
    // The clock ticks in the ring's own loop.
    await ring.rate(20);
    await eventually('the clock is set', async () => (await ring.count()) >= 2);
    await ring.rate(0);
    started = await startLogReader(
      ringPlant({ port: ring.port, kind: 'records', capacity: 64, more: clock }),
      directory,
    );
    const last = await ring.count();
    const record = recordsOf(await reaches(last)).at(-1);
    // It shows UTC and is said to show +02:00, so it seems two hours behind.
    const twoHoursMs = 7_200_000;
    expect(Math.abs((record?.clockOffsetMs ?? 0) - twoHoursMs)).toBeLessThan(2_500);
    expect(record?.atSource).toBe('corrected');
    expect(record?.correctedAtMs).toBe((record?.plcAtMs ?? 0) + (record?.clockOffsetMs ?? 0));
    expect(started.reader.health().detail).toMatch(/the PLC's clock is (?:7199|720\d)\.\d s behind$/);
  });

  it('goes on where it was after a restart of this program, with what came meanwhile', async () => {
    await begin('slot', 64, { written: 20 });
    await reaches(20);
    await started?.stop();
    await ring.write(30);
    started = await startLogReader(ringPlant({ port: ring.port, kind: 'slot', capacity: 64 }), directory);
    expect(numbersOf(await reaches(50))).toEqual(to(50));
  });

  it('tells what was overwritten while this program was down, from the place it had kept', async () => {
    await begin('records', 64, { written: 20 });
    await reaches(20);
    await started?.stop();
    await ring.write(200);
    started = await startLogReader(ringPlant({ port: ring.port, kind: 'records', capacity: 64 }), directory);
    const entries = await reaches(220);
    expect(entries.filter(({ kind }) => kind !== 'record')).toMatchObject([
      { kind: 'overrun', lost: 200 - 63 },
    ]);
    expect(numbersOf(entries)).toEqual([...to(20), ...to(220).slice(220 - 63)]);
  });
});
