import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { Database } from '../../../src/adapters/sqlite/database.ts';
import { SqliteAudit } from '../../../src/adapters/sqlite/sqlite-audit.ts';
import { STATE_MIGRATIONS } from '../../../src/adapters/sqlite/state-migrations.ts';
import { PointReader } from '../../../src/app/plc/point-reader.ts';
import { PointWriter, type PointWriterOptions } from '../../../src/app/plc/point-writer.ts';
import { settleUnfinishedWrites } from '../../../src/app/plc/unfinished-writes.ts';
import type { Audit } from '../../../src/app/ports/audit.ts';
import { systemClocks, systemScheduler } from '../../../src/runtime/clocks.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { AuditList } from '../../support/audit-list.ts';
import { plantOf } from '../../support/plant-file.ts';
import { type StartedWriter, startWriter } from '../../support/point-writer.ts';
import {
  type ArrivedRequest,
  type ScriptedModbusServer,
  startScriptedModbusServer,
} from '../../support/scripted-modbus-server.ts';

const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const TIMEOUT_MS = 200;
const names = (name: string) => `names: { en: [${name}], zh: [${name}] }`;

const plantAt = (port: number) =>
  plantOf(`
connections: { line: { transport: tcp, host: 127.0.0.1, port: ${port}, timeout_ms: ${TIMEOUT_MS}, busy_retries: 0 } }
devices: { plc: { connection: line, unit_id: 1, address_base: 0 } }
machines:
  oven:
    ${names('oven')}
    device: plc
    points:
      setpoint:
        ${names('setpoint')}
        register: holding
        address: 0
        type: int32
        access: read_write
        write_when: [ready]
      ready: { ${names('ready')}, register: holding, address: 10, bit: 0, type: bool }
      lamp: { ${names('lamp')}, register: holding, address: 2, bit: 4, type: bool, access: read_write }
`);

interface Device extends ScriptedModbusServer {
  readonly registers: Map<number, number>;
  readonly writes: readonly ArrivedRequest[];
}

/** A device of a few registers that reads as it should, and does with a write what the test says. */
async function startDevice(
  onWrite: (request: ArrivedRequest, apply: () => void, device: Device) => void,
): Promise<Device> {
  const registers = new Map([
    [0, 0],
    [1, 7],
    [2, 0xa5a5],
    [10, 1],
  ]);
  const writes: ArrivedRequest[] = [];
  const server = await startScriptedModbusServer((request) => {
    const { functionCode, address, count } = request;
    if (functionCode === 3) {
      request.reply(Array.from({ length: count }, (_, index) => registers.get(address + index) ?? 0));
      return;
    }
    writes.push(request);
    onWrite(
      request,
      () => {
        for (const [index, word] of writtenBy(request, registers).entries())
          registers.set(address + index, word);
      },
      device,
    );
  });
  let stopped: Promise<void> | undefined;
  const device: Device = {
    registers,
    writes,
    port: server.port,
    requests: server.requests,
    get connections() {
      return server.connections;
    },
    stop: () => {
      stopped ??= server.stop();
      return stopped;
    },
  };
  cleanups.push(() => device.stop());
  return device;
}

/** The registers from the address on as the write leaves them. */
function writtenBy(
  { functionCode, address, count, pdu }: ArrivedRequest,
  registers: Map<number, number>,
): number[] {
  if (functionCode === 16)
    return Array.from({ length: count }, (_, index) => pdu.readUInt16BE(6 + index * 2));
  if (functionCode === 6) return [count];
  const orMask = pdu.readUInt16BE(5);
  return [((registers.get(address) ?? 0) & count) | (orMask & ~count & 0xffff)];
}

async function startOn(
  device: Device,
  options: Partial<PointWriterOptions> = {},
  audit: Audit = new AuditList(),
): Promise<StartedWriter> {
  const writer = await startWriter(plantAt(device.port), audit, options);
  cleanups.push(() => writer.stop());
  return writer;
}

describe('a write to a device', () => {
  it('that shows it some scans later is verified', async () => {
    const device = await startDevice((request, apply) => {
      request.confirm();
      setTimeout(apply, 300);
    });
    const writer = await startOn(device);
    expect(await writer.write('oven.setpoint', 70_000, { expected: 7 })).toMatchObject({
      status: 'verified',
      reason: 'as_asked',
      before: { value: 7 },
      found: { value: 70_000 },
    });
    expect(device.writes).toHaveLength(1);
  });

  it('that accepts it and keeps its old value is a mismatch', async () => {
    const device = await startDevice((request) => request.confirm());
    const writer = await startOn(device, { verifyWindowMs: 200 });
    expect(await writer.write('oven.setpoint', 8)).toMatchObject({
      status: 'mismatch',
      reason: 'unchanged',
      found: { value: 7 },
    });
    expect(device.writes).toHaveLength(1);
  });

  it('that takes it and never answers is settled by reading, having been asked once', async () => {
    const device = await startDevice((_, apply) => apply());
    const writer = await startOn(device);
    expect(await writer.write('oven.setpoint', 8)).toMatchObject({
      status: 'verified',
      reason: 'settled_by_reading',
      found: { value: 8 },
    });
    expect(device.writes).toHaveLength(1);
  });

  it('that neither takes it nor answers is not carried out as far as can be seen', async () => {
    const device = await startDevice(() => undefined);
    const writer = await startOn(device, { settleWindowMs: 400 });
    expect(await writer.write('oven.setpoint', 8)).toMatchObject({
      status: 'mismatch',
      reason: 'not_carried_out',
      detail: expect.stringContaining('may yet arrive late'),
    });
    expect(device.writes).toHaveLength(1);
  });

  it('that drops the connection behind it is settled over a new one', async () => {
    const device = await startDevice(({ socket }, apply) => {
      apply();
      socket.destroy();
    });
    const writer = await startOn(device);
    expect(await writer.write('oven.setpoint', 8)).toMatchObject({
      status: 'verified',
      reason: 'settled_by_reading',
    });
    expect(device.writes).toHaveLength(1);
    expect(device.connections).toBe(2);
  });

  it('that is gone after it is unknown', async () => {
    const device = await startDevice((_, apply, self) => {
      apply();
      void self.stop();
    });
    const writer = await startOn(device, { settleWindowMs: 400 });
    expect(await writer.write('oven.setpoint', 8)).toMatchObject({ status: 'unknown', reason: 'unreadable' });
    expect(device.writes).toHaveLength(1);
  });

  it('that answers with the echo of another write is settled by reading', async () => {
    const device = await startDevice(({ socket, pdu, transactionId }, apply) => {
      apply();
      const answer = Buffer.from([0, 0, 0, 0, 0, 6, 1, ...pdu.subarray(0, 5)]);
      answer.writeUInt16BE(transactionId, 0);
      answer.writeUInt16BE(999, 8);
      socket.write(answer);
    });
    const writer = await startOn(device);
    expect(await writer.write('oven.setpoint', 8)).toMatchObject({
      status: 'verified',
      reason: 'settled_by_reading',
    });
    expect(device.writes).toHaveLength(1);
  });

  it.each([1, 2, 3, 4, 6])('that refuses it with exception %d is refused', async (exception) => {
    const device = await startDevice((request) => request.refuse(exception));
    const writer = await startOn(device, { settleWindowMs: 200 });
    expect(await writer.write('oven.setpoint', 8)).toMatchObject({
      status: 'refused',
      reason: 'device_refused',
      detail: expect.stringContaining(`exception ${exception} `),
    });
    expect(device.writes).toHaveLength(1);
    expect(device.registers.get(1)).toBe(7);
  });

  it('without mask writes changes one bit, and learns that once', async () => {
    const device = await startDevice((request, apply) => {
      if (request.functionCode === 22) request.refuse(1);
      else {
        apply();
        request.confirm();
      }
    });
    const writer = await startOn(device);
    expect(await writer.write('oven.lamp', true)).toMatchObject({
      status: 'verified',
      before: { value: false },
    });
    expect(device.registers.get(2)).toBe(0xa5b5);
    expect(await writer.write('oven.lamp', false)).toMatchObject({
      status: 'verified',
      before: { value: true },
    });
    expect(device.registers.get(2)).toBe(0xa5a5);
    expect(device.writes.map(({ functionCode }) => functionCode)).toEqual([22, 6, 6]);
  });

  it('goes on being polled while the effect of a write is waited for', async () => {
    const device = await startDevice((request, apply) => {
      request.confirm();
      setTimeout(apply, 500);
    });
    const writer = await startOn(device);
    const order = writer.write('oven.setpoint', 8);
    let polled = 0;
    const isDone = order.then(() => true);
    while (!(await Promise.race([isDone, sleep(20, false)]))) {
      const call = { priority: 'poll', deadlineMs: 1_000 } as const;
      expect(await writer.bus.read('plc', { table: 'holding', address: 10, count: 1 }, call)).toEqual([1]);
      polled += 1;
    }
    expect(await order).toMatchObject({ status: 'verified' });
    expect(polled).toBeGreaterThan(5);
  });

  it('is not written when its condition does not hold there', async () => {
    const device = await startDevice((request) => request.confirm());
    device.registers.set(10, 0);
    const writer = await startOn(device);
    expect(await writer.write('oven.setpoint', 8)).toMatchObject({
      status: 'refused',
      reason: 'interlock_unmet',
      detail: 'ready does not hold: oven.ready false',
    });
    expect(device.writes).toEqual([]);
  });
});

describe('the record of a write', () => {
  async function openAudit(): Promise<{ audit: SqliteAudit; close: () => Promise<void> }> {
    const directory = mkdtempSync(join(tmpdir(), 'hermes-writes-'));
    cleanups.push(() => rmSync(directory, { recursive: true }));
    const { database } = await Database.open(join(directory, 'state.db'), STATE_MIGRATIONS, new Date());
    let closed: Promise<void> | undefined;
    const close = () => {
      closed ??= database.close();
      return closed;
    };
    cleanups.push(close);
    return { close, audit: new SqliteAudit(database, systemClocks(), () => 'synced') };
  }

  it('is on disk when the device sees the write', async () => {
    const { audit } = await openAudit();
    let begunWhenWritten: Promise<unknown> | undefined;
    const device = await startDevice((request, apply) => {
      begunWhenWritten = audit.entries('plc.write.begun', 10).then((entries) => {
        apply();
        request.confirm();
        return entries;
      });
    });
    const writer = await startOn(device, {}, audit);
    expect(await writer.write('oven.setpoint', 8)).toMatchObject({ status: 'verified', isRecorded: true });
    expect(await begunWhenWritten).toMatchObject([
      { detail: { machine: 'oven', point: 'setpoint', words: [0, 8], words_before: [0, 7] } },
    ]);
    expect(await audit.entries('plc.write.ended', 10)).toMatchObject([{ detail: { status: 'verified' } }]);
    expect(await audit.firstBreak()).toBeUndefined();
  });

  it('lets nothing out when it cannot be made', async () => {
    const { audit, close } = await openAudit();
    const device = await startDevice((request) => request.confirm());
    const writer = await startOn(device, {}, audit);
    await close();
    expect(await writer.write('oven.setpoint', 8)).toMatchObject({
      status: 'refused',
      reason: 'audit_failed',
      isRecorded: false,
    });
    expect(device.writes).toEqual([]);
  });

  it('tells after a crash which writes have no end, and they are settled by reading', async () => {
    const { audit } = await openAudit();
    const device = await startDevice((request, apply) => {
      apply();
      request.confirm();
    });
    const writer = await startOn(device, {}, audit);
    expect(await writer.write('oven.lamp', true)).toMatchObject({ status: 'verified' });
    expect(await writer.write('oven.setpoint', 8)).toMatchObject({ status: 'verified' });
    const begun = await audit.entries('plc.write.begun', 10);
    // A third one, as a crash behind its write leaves it.
    device.registers.set(1, 9);
    await audit.append('plc.write.begun', {
      ...detailOf(begun[1]),
      id: 'lost',
      asked: 9,
      written: 9,
      words: [0, 9],
    });

    const plant = plantAt(device.port);
    const parts = {
      logger: silentLogger(),
      clocks: systemClocks(),
      scheduler: systemScheduler,
      plant,
      audit,
    };
    const reader = new PointReader({ ...parts, bus: writer.bus });
    const again = new PointWriter({ writes: 'on' }, { ...parts, bus: writer.bus, reader });
    const settle = () => settleUnfinishedWrites(audit, (write) => again.settle(write));
    expect(await settle()).toMatchObject({
      outcomes: [{ id: 'lost', status: 'verified', reason: 'settled_by_reading' }],
      unreadable: 0,
    });
    expect(await settle()).toEqual({ outcomes: [], unreadable: 0 });
    expect(device.writes).toHaveLength(2);
  });
});

function detailOf(entry: { readonly detail: unknown } | undefined): object {
  if (typeof entry?.detail !== 'object' || entry.detail === null) throw new Error('no detail');
  return entry.detail;
}
