import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PlcBus } from '../../../src/app/ports/plc-bus.ts';
import type { PlcLogEntry } from '../../../src/app/ports/plc-log-store.ts';
import { ModbusRefusal, modbusError } from '../../../src/domain/plc/modbus-error.ts';
import { eventually } from '../../support/eventually.ts';
import { plantOf } from '../../support/plant-file.ts';
import { recordsOf, type StartedLogReader, startLogReader } from '../../support/plc-log.ts';

const CAPACITY = 16;
const REGISTERS = 6;
const HEAD = 0;
const FIRST = 100;

/** A device in this process whose registers and file are one memory. */
class ScriptedDevice implements Pick<PlcBus, 'read' | 'readFile'> {
  readonly registers = new Map<number, number>();
  failure: Error | undefined;
  fileReads: number[] = [];
  written = 0;

  async read(_device: string, { address, count }: { address: number; count: number }): Promise<number[]> {
    if (this.failure !== undefined) throw this.failure;
    return Array.from({ length: count }, (_, index) => this.registers.get(address + index) ?? 0);
  }

  async readFile(device: string, { file, record, count }: { file: number; record: number; count: number }) {
    if (file !== 7) throw new ModbusRefusal(2, undefined);
    this.fileReads.push(count);
    return this.read(device, { address: FIRST + record, count });
  }

  write(...words: readonly number[]): void {
    const at = FIRST + (this.written % CAPACITY) * REGISTERS;
    for (const [index, word] of words.entries()) this.registers.set(at + index, word);
    this.written += 1;
    this.registers.set(HEAD, this.written % CAPACITY);
  }
}

function plant(log: string) {
  return plantOf(`
connections: { line-1: { transport: tcp, host: 127.0.0.1, port: 1 } }
devices: { plc: { connection: line-1, unit_id: 1, address_base: 0 } }
machines:
  pump:
    names: { en: [pump], zh: [泵] }
    device: plc
    points: {}
    logs:
      events:
        ${log}
        register: holding
        head: ${HEAD}
        head_counts: slot
        capacity: ${CAPACITY}
        record_registers: ${REGISTERS}
        settle_ms: 5
        poll_interval_ms: 50
        fields:
          timestamp: { at: 0, format: bcd_ymdhms, time_zone: utc }
          code: { at: 3, type: uint16 }
          values: { who: { at: 4, type: string, length: 2 } }
`);
}

let directory: string;
let started: StartedLogReader | undefined;
let device: ScriptedDevice;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'hermes-plclog-'));
  device = new ScriptedDevice();
});
afterEach(async () => {
  await started?.stop();
  rmSync(directory, { recursive: true });
});

const begin = async (log = `kind: ring\n        first_record: ${FIRST}`): Promise<StartedLogReader> => {
  started = await startLogReader(plant(log), directory, { bus: device });
  return started;
};
const kept = (count: number): Promise<readonly PlcLogEntry[]> =>
  eventually(`${count} entries are kept`, async () => {
    const entries = (await started?.store.latest({ limit: 1_000 })) ?? [];
    return entries.length === count && entries;
  });
const health = () => started?.reader.health();

describe('the log reader on a device that a script plays', () => {
  it('reads file records by function 20 of a script, since no independent server here speaks it', async () => {
    await begin('kind: file\n        file: 7');
    for (let n = 1; n <= 40; n += 1) {
      device.write(0x2603, 0x0112, 0x0000 + n, n, 0x4100 + n, 0);
      if (n % 8 === 0) await kept(n);
    }
    const records = recordsOf(await kept(40));
    expect(records.map(({ code }) => code)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    expect(Math.max(...device.fileReads)).toBeLessThanOrEqual(124);
    expect(device.fileReads.every((count) => count % REGISTERS === 0)).toBe(true);
  });

  it('keeps a record that makes no sense, and marks what is bad of it', async () => {
    await begin();
    device.write(0x26f3, 0x0112, 0x3456, 17, 0x1b5b, 0x4142);
    device.write(0x2603, 0x0112, 0x3456, 18, 0x4344, 0);
    const [bad, good] = recordsOf(await kept(2));
    expect(bad).toMatchObject({
      plcTime: null,
      plcAtMs: null,
      atSource: 'arrival',
      badFields: ['timestamp'],
      code: 17,
    });
    // The escape that would steer a terminal is gone.
    expect(bad?.values).toEqual({ who: '[AB' });
    expect(bad?.raw).toBe('26f3011234560011' + '1b5b4142');
    expect(good).toMatchObject({ plcTime: '2026-03-01 12:34:56', badFields: [], values: { who: 'CD' } });
    expect(health()).toMatchObject({ status: 'ok', figures: { bad_records_total: 1 } });
  });

  it('is degraded while the device is silent or refuses, and says why; then it reads on', async () => {
    await begin();
    device.write(0x2603, 0x0112, 0x0001, 1, 0, 0);
    await kept(1);
    for (const [failure, reason] of [
      [modbusError('MODBUS_TIMEOUT', 'unit 1 gave no answer'), 'pump.events: unit 1 gave no answer'],
      [new ModbusRefusal(2, undefined), 'pump.events: exception 2 (illegal data address)'],
    ] as const) {
      device.failure = failure;
      await eventually('it is noticed', () => health()?.detail === reason);
      expect(health()?.status).toBe('degraded');
    }
    device.write(0x2603, 0x0112, 0x0002, 2, 0, 0);
    device.failure = undefined;
    await kept(2);
    await eventually('it is well again', () => health()?.status === 'ok');
  });

  it('is degraded by a head that no slot has', async () => {
    await begin();
    device.registers.set(HEAD, 900);
    await eventually('it is noticed', () => health()?.detail.includes('the head reads 900, outside 0 to 15'));
    expect(await started?.store.latest({ limit: 10 })).toEqual([]);
  });

  it('hands an entry to a consumer again that failed on it, and only then the next', async () => {
    const { reader } = await begin();
    const seen: (number | null)[] = [];
    let failures = 0;
    reader.onRecord({
      name: 'alarms',
      begin: 'oldest',
      handle: async (entry) => {
        if (entry.kind !== 'record') return;
        if (entry.code === 2 && failures++ === 0) throw new Error('the disk is full');
        seen.push(entry.code);
      },
    });
    for (let n = 1; n <= 3; n += 1) device.write(0x2603, 0x0112, n, n, 0, 0);
    await eventually('the failure shows', () => health()?.detail.includes('alarms: the disk is full'));
    await eventually('all are handled', () => seen.length === 3);
    expect(seen).toEqual([1, 2, 3]);
  });

  it('answers what happened between two times, how often, and forgets what is too old', async () => {
    const { store } = await begin();
    for (let n = 1; n <= 30; n += 1) {
      device.write(0x2603, 0x0112, ((n >> 3) << 8) + (n % 8), n % 3, 0, 0);
      if (n % 10 === 0) await kept(n);
    }
    const ref = { machine: 'pump', log: 'events' };
    const atMinute = (minute: number) => Date.UTC(2026, 2, 1, 12, minute);
    const between = await store.between({ ...ref, fromMs: atMinute(1), toMs: atMinute(2) - 1, limit: 100 });
    expect(between).toHaveLength(8);
    expect(await store.countByCode(ref)).toMatchObject([
      { code: 0, count: 10 },
      { code: 1, count: 10 },
      { code: 2, count: 10 },
    ]);
    expect(await store.prune(ref, { keepAfterMs: 0, keepRecords: 12, keepNewest: CAPACITY })).toBe(14);
    expect(
      await store.prune(ref, { keepAfterMs: Date.now() + 1_000, keepRecords: 1_000, keepNewest: 5 }),
    ).toBe(11);
    expect(await store.latest({ ...ref, limit: 100 })).toHaveLength(5);
  });
});
