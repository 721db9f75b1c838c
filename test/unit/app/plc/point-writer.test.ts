import { beforeEach, describe, expect, it } from 'vitest';
import { PointReader } from '../../../../src/app/plc/point-reader.ts';
import { PointWriter, type PointWriterOptions } from '../../../../src/app/plc/point-writer.ts';
import { type BegunWrite, settleUnfinishedWrites } from '../../../../src/app/plc/unfinished-writes.ts';
import { ModbusRefusal, modbusError } from '../../../../src/domain/plc/modbus-error.ts';
import type { PointValue } from '../../../../src/domain/plc/reading.ts';
import type { WriteOrder, WriteOutcome } from '../../../../src/domain/plc/writing/write-order.ts';
import { EdgeError } from '../../../../src/runtime/edge-error.ts';
import { silentLogger } from '../../../../src/runtime/logger.ts';
import { AuditList } from '../../../support/audit-list.ts';
import { JumpingTime } from '../../../support/jumping-time.ts';
import { plantOf } from '../../../support/plant-file.ts';
import { RecordingPlcBus } from '../../../support/recording-plc-bus.ts';

const names = (name: string) => `names: { en: [${name}], zh: [${name}] }`;
const bits = Array.from(
  { length: 16 },
  (_, bit) =>
    `      bit-${bit}: { ${names(`bit ${bit}`)}, register: holding, address: 40, bit: ${bit}, type: bool, access: read_write }`,
);

const plant = plantOf(`
connections:
  line: { transport: tcp, host: 10.0.0.7 }
  bus: { transport: rtu, serial_path: /dev/ttyS9 }
devices:
  plc: { connection: line, unit_id: 1, address_base: 0 }
  plc-2: { connection: line, unit_id: 2, address_base: 0 }
  all: { connection: bus, unit_id: 0, address_base: 0 }
  drive: { connection: bus, unit_id: 5, address_base: 0 }
machines:
  oven:
    ${names('oven')}
    device: plc
    points:
      setpoint:
        ${names('setpoint')}
        register: holding
        address: 0
        type: int16
        scale: 0.1
        access: read_write
        write_min: 0
        write_max: 250
        write_when: ['mode == "stopped" and pressure < 2', fan.guard]
      mode:
        ${names('mode')}
        register: holding
        address: 10
        type: uint16
        access: read_write
        enum: { 0: { en: stopped, zh: 停止 }, 1: { en: running, zh: 运行 } }
      pressure: { ${names('pressure')}, register: input, address: 0, type: uint16, scale: 0.1 }
      total: { ${names('total')}, register: holding, address: 20, type: int32, access: read_write }
      reset: { ${names('reset')}, register: holding, address: 30, type: uint16, access: write }
      strobe: { ${names('strobe')}, register: holding, address: 31, bit: 2, type: bool, access: write }
      batch: { ${names('batch')}, register: holding, address: 60, type: string, length: 2, access: read_write }
      lamp: { ${names('lamp')}, register: coil, address: 5, type: bool, access: read_write }
      level: { ${names('level')}, register: holding, address: 50, type: float32, access: read_write }
${bits.join('\n')}
  fan:
    ${names('fan')}
    device: plc-2
    points:
      guard: { ${names('guard')}, register: discrete_input, address: 0, type: bool }
      speed:
        ${names('speed')}
        register: holding
        address: 1
        type: uint16
        access: read_write
        write_when: [oven.mode == "stopped"]
  drives:
    ${names('drives')}
    device: all
    points:
      stop: { ${names('stop')}, register: coil, address: 0, type: bool, access: write }
  drive:
    ${names('drive')}
    device: drive
    points:
      torque: { ${names('torque')}, register: holding, address: 0, type: uint16, access: read_write }
`);

let bus: RecordingPlcBus;
let audit: AuditList;
let time: JumpingTime;

beforeEach(() => {
  bus = new RecordingPlcBus();
  audit = new AuditList();
  time = new JumpingTime();
  bus.set('plc', 'holding', 0, 200);
  bus.set('plc', 'holding', 10, 0);
  bus.set('plc', 'input', 0, 15);
  bus.set('plc', 'holding', 20, 0, 7);
  bus.set('plc', 'holding', 30, 0, 0);
  bus.set('plc', 'holding', 40, 0xa5a5);
  bus.set('plc', 'holding', 50, 0x7fc0, 0);
  bus.set('plc', 'coil', 5, 0);
  bus.set('plc-2', 'discrete_input', 0, 1);
  bus.set('plc-2', 'holding', 1, 900);
  bus.set('drive', 'holding', 0, 1);
});

function writerOf(options: Partial<PointWriterOptions> = {}): PointWriter {
  const reader = new PointReader({ plant, bus, clocks: time });
  return new PointWriter(
    { writes: 'on', ...options },
    { plant, bus, reader, audit, clocks: time, scheduler: time, logger: silentLogger() },
  );
}

const orderOf = (name: string, value: PointValue, more: Partial<WriteOrder> = {}): WriteOrder => {
  const [machine = '', point = ''] = name.split('.');
  return { ref: { machine, point }, value, by: 'Wang', because: 'trial batch', ...more };
};
const write = (name: string, value: PointValue, more: Partial<WriteOrder> = {}): Promise<WriteOutcome> =>
  writerOf().write(orderOf(name, value, more));

const openOutcome = () => modbusError('MODBUS_TIMEOUT', 'no answer', undefined, 'unknown-outcome');

describe('a write to a point', () => {
  it('reads the conditions, then the point, is on record, goes out once, and is read back', async () => {
    audit.onAppend = (kind) => bus.log.push(kind);
    const outcome = await write('oven.setpoint', 180, { expected: 20 });
    expect(outcome).toEqual({
      status: 'verified',
      reason: 'as_asked',
      id: expect.stringMatching(/^boot-\d+$/),
      ref: { machine: 'oven', point: 'setpoint' },
      detail: 'read back as asked',
      asked: 180,
      written: 180,
      isRounded: false,
      isRecorded: true,
      before: { quality: 'good', value: 20 },
      found: { quality: 'good', value: 180 },
    });
    expect(bus.log.slice(0, 3).toSorted()).toEqual([
      'confirm plc holding 10+1',
      'confirm plc input 0+1',
      'confirm plc-2 discrete_input 0+1',
    ]);
    expect(bus.log.slice(3)).toEqual([
      'confirm plc holding 0+1',
      'plc.write.begun',
      'write plc registers 0',
      'verify plc holding 0+1',
      'plc.write.ended',
    ]);
  });

  it('is on record with who, why, what was there, what was asked and what was found', async () => {
    await write('oven.setpoint', 18.04, { expected: 20 });
    const who = {
      machine: 'oven',
      point: 'setpoint',
      by: 'Wang',
      because: 'trial batch',
      asked: 18.04,
      written: 18,
    };
    expect(audit.entries).toEqual([
      {
        kind: 'plc.write.begun',
        detail: {
          ...who,
          id: expect.any(String),
          expected: 20,
          mode: 'on',
          is_rounded: true,
          place: 'plc holding 0 1 int16 ABCD',
          words: [180],
          words_before: [200],
        },
      },
      {
        kind: 'plc.write.ended',
        detail: {
          ...who,
          id: audit.entries[0]?.detail['id'],
          status: 'verified',
          reason: 'as_asked',
          detail: 'read back as asked',
          isRounded: true,
          before: { quality: 'good', value: 20 },
          found: { quality: 'good', value: 18 },
        },
      },
    ]);
  });

  interface Refused {
    readonly why: string;
    readonly order: WriteOrder;
    readonly options?: Partial<PointWriterOptions>;
    readonly arrange?: () => void;
    readonly detail: string | RegExp;
    /** How far it may have come: what the bus and the audit saw. */
    readonly reads: 'none' | 'conditions' | 'present';
    readonly isBegun?: boolean;
  }

  const good = orderOf('oven.setpoint', 180, { expected: 20 });
  const wrong = { ...good, by: ' ', ref: { machine: 'oven', point: 'presure' }, value: 999, expected: 1 };
  const readOnly = { ...orderOf('oven.pressure', 'high', { expected: 3 }) };
  // Each is also wrong in everything that is looked at later, as far as that is possible.
  const refusals: readonly (readonly [string, Refused])[] = [
    [
      'writes_off',
      { why: 'off', order: wrong, options: { writes: 'off' }, detail: /switched off/, reads: 'none' },
    ],
    ['unattributed', { why: 'nobody', order: wrong, detail: /says who asks and why/, reads: 'none' }],
    [
      'unattributed',
      {
        why: 'a long reason',
        order: { ...wrong, by: 'Wang', because: 'x'.repeat(201) },
        detail: /1 to 200/,
        reads: 'none',
      },
    ],
    [
      'unknown_point',
      {
        why: 'no such point',
        order: { ...wrong, by: 'Wang' },
        detail: 'no point presure of oven in the plant',
        reads: 'none',
      },
    ],
    [
      'read_only',
      { why: 'access', order: readOnly, detail: 'oven.pressure has access: read', reads: 'none' },
    ],
    [
      'wrong_type',
      {
        why: 'type',
        order: { ...good, value: 'hot', expected: 1 },
        detail: '"hot" is no number',
        reads: 'none',
      },
    ],
    [
      'above_maximum',
      {
        why: 'range',
        order: { ...good, value: 999, expected: 1 },
        detail: '999 is above write_max 250',
        reads: 'none',
      },
    ],
    [
      'below_minimum',
      {
        why: 'range',
        order: { ...good, value: -1, expected: 1 },
        detail: '-1 is below write_min 0',
        reads: 'none',
      },
    ],
    [
      'interlock_unmet',
      {
        why: 'a condition does not hold',
        order: { ...good, expected: 1 },
        arrange: () => bus.set('plc', 'holding', 10, 1),
        detail: 'mode == "stopped" and pressure < 2 does not hold: oven.mode 1, oven.pressure 1.5',
        reads: 'conditions',
      },
    ],
    [
      'interlock_unknown',
      {
        why: 'a condition cannot be seen',
        order: { ...good, expected: 1 },
        arrange: () => {
          bus.onRead = (device) => {
            if (device === 'plc-2') throw modbusError('MODBUS_UNREACHABLE', 'cable out');
          };
        },
        detail: 'fan.guard cannot be told: fan.guard unreachable',
        reads: 'conditions',
      },
    ],
    [
      'present_unreadable',
      {
        why: 'the point cannot be read',
        order: { ...good, expected: 1 },
        arrange: () => {
          bus.onRead = (_, { table, address }) => {
            if (table === 'holding' && address === 0) throw new ModbusRefusal(4, undefined);
          };
        },
        detail: 'exception 4 (device failure)',
        reads: 'present',
      },
    ],
    [
      'present_changed',
      {
        why: 'the ground has moved',
        order: { ...good, expected: 21 },
        arrange: () => {
          audit.onAppend = (kind) => {
            if (kind === 'plc.write.begun') throw new EdgeError('STATE_DB_FAILED', 'disk full');
          };
        },
        detail: 'it showed 21 when it was confirmed, now 20',
        reads: 'present',
      },
    ],
    [
      'audit_failed',
      {
        why: 'the disk is full',
        order: good,
        arrange: () => {
          audit.onAppend = (kind) => {
            if (kind === 'plc.write.begun') throw new EdgeError('STATE_DB_FAILED', 'disk full');
          };
        },
        detail: 'nothing is written that is not on record: disk full',
        reads: 'present',
      },
    ],
    [
      'too_late',
      {
        why: 'the disk is slow',
        order: good,
        arrange: () => {
          audit.onAppend = () => time.pass(5_001);
        },
        detail: 'what it was decided on is 5001 ms old',
        reads: 'present',
        isBegun: true,
      },
    ],
  ];

  it.each(refusals)('is refused with %s, and goes no further: $why', async (reason, refusal) => {
    refusal.arrange?.();
    const outcome = await writerOf(refusal.options).write(refusal.order);
    expect(outcome).toMatchObject({ status: 'refused', reason });
    if (typeof refusal.detail === 'string') expect(outcome.detail).toBe(refusal.detail);
    else expect(outcome.detail).toMatch(refusal.detail);
    expect(bus.writes).toEqual([]);
    const isPresent = (line: string) => line === 'confirm plc holding 0+1';
    expect(bus.log.some((line) => !isPresent(line))).toBe(refusal.reads !== 'none');
    expect(bus.log.some(isPresent)).toBe(refusal.reads === 'present');
    expect(audit.details('plc.write.begun')).toHaveLength(refusal.isBegun === true ? 1 : 0);
    expect(audit.details('plc.write.ended')).toMatchObject([
      { status: 'refused', reason, by: refusal.order.by },
    ]);
  });

  it('says which condition kept it from being written, and what that saw', async () => {
    bus.set('plc', 'input', 0, 20);
    expect((await write('oven.setpoint', 180)).condition).toEqual({
      text: 'mode == "stopped" and pressure < 2',
      verdict: 'unmet',
      saw: [
        { ref: { machine: 'oven', point: 'mode' }, value: 0 },
        { ref: { machine: 'oven', point: 'pressure' }, value: 2 },
      ],
    });
  });

  it('does everything but the write while the plant is being commissioned, and says so', async () => {
    const outcome = await writerOf({ writes: 'commissioning' }).write(
      orderOf('oven.setpoint', 180, { expected: 20 }),
    );
    expect(outcome).toMatchObject({
      status: 'simulated',
      reason: 'commissioning',
      before: { quality: 'good', value: 20 },
    });
    expect(bus.writes).toEqual([]);
    expect(bus.log).toContain('confirm plc holding 0+1');
    expect(audit.details('plc.write.begun')).toMatchObject([{ mode: 'commissioning' }]);
    expect(audit.details('plc.write.ended')).toMatchObject([{ status: 'simulated' }]);
    bus.set('plc', 'holding', 10, 1);
    expect(await writerOf({ writes: 'commissioning' }).write(orderOf('oven.setpoint', 180))).toMatchObject({
      status: 'refused',
      reason: 'interlock_unmet',
    });
  });

  it('is cancelled as long as nothing was sent', async () => {
    const abort = new AbortController();
    audit.onAppend = (kind) => {
      if (kind === 'plc.write.begun') abort.abort();
    };
    expect(await writerOf().write(orderOf('oven.total', 8), abort.signal)).toMatchObject({
      status: 'refused',
      reason: 'cancelled',
    });
    expect(bus.writes).toEqual([]);
    expect(await writerOf().write(orderOf('oven.total', 8), abort.signal)).toMatchObject({
      reason: 'cancelled',
    });
    expect(audit.details('plc.write.begun')).toHaveLength(1);
  });

  it.each<[string, (abort: AbortController) => void]>([
    ['cancelled', (abort) => abort.abort()],
    ['too_late', () => time.pass(5_000)],
  ])(
    'is refused with %s between a mask write that the device does not know and the write of the whole register',
    async (reason, happen) => {
      const abort = new AbortController();
      bus.onWrite = (sent) => {
        if (sent.kind === 'mask') throw new ModbusRefusal(1, undefined, 'write');
      };
      bus.onRead = (_, span, call) => {
        if (span.address === 40 && call.priority === 'verify') happen(abort);
      };
      expect(await writerOf().write(orderOf('oven.bit-1', true), abort.signal)).toMatchObject({
        status: 'refused',
        reason,
      });
      expect(bus.writes.map(({ kind }) => kind)).toEqual(['mask']);
      expect(bus.cells('plc', { table: 'holding', address: 40, count: 1 })).toEqual([0xa5a5]);
    },
  );

  it('does not wait on the bus for longer than what it was decided on is good for', async () => {
    audit.onAppend = (kind) => {
      if (kind === 'plc.write.begun') time.pass(4_700);
    };
    expect(await writerOf().write(orderOf('oven.total', 8))).toMatchObject({ status: 'verified' });
    expect(bus.writeDeadlinesMs).toEqual([300]);
  });

  it('goes on to its outcome when it is cancelled after it was sent', async () => {
    const abort = new AbortController();
    bus.onWrite = (_, carryOut) => {
      abort.abort();
      carryOut();
    };
    expect(await writerOf().write(orderOf('oven.total', 8), abort.signal)).toMatchObject({
      status: 'verified',
    });
  });

  it('compares an expected enum text with the state that is read', async () => {
    expect(await write('oven.mode', '运行', { expected: 'stopped' })).toMatchObject({
      status: 'verified',
      written: 1,
    });
    expect(await write('oven.mode', 'stopped', { expected: '停止' })).toMatchObject({
      reason: 'present_changed',
      detail: 'it showed "停止" when it was confirmed, now 1',
    });
  });

  it('may replace what is no number, but not when a number was confirmed', async () => {
    expect(await write('oven.level', 2, { expected: 1 })).toMatchObject({ reason: 'present_changed' });
    expect(await write('oven.level', 2)).toMatchObject({
      status: 'verified',
      before: { quality: 'bad', reason: 'not_a_number' },
    });
  });

  it('writes a value of several registers in one request, and a coil as a coil', async () => {
    await write('oven.total', -2);
    await write('oven.lamp', true);
    expect(bus.writes).toEqual([
      { kind: 'registers', address: 20, values: [0xffff, 0xfffe] },
      { kind: 'coils', address: 5, values: [true] },
    ]);
  });

  it('leaves no more of a refused order on record than fits', async () => {
    const long = 'x'.repeat(100_000);
    await write('oven.setpoint', long);
    await write('oven.setpoint', 1, { by: long });
    await write(`oven.${long}`, 1);
    for (const { detail } of audit.entries) expect(JSON.stringify(detail).length).toBeLessThan(2_500);
    expect(audit.entries).toHaveLength(3);
  });

  it('is told from its outcome even when that cannot be put on record', async () => {
    audit.onAppend = (kind) => {
      if (kind === 'plc.write.ended') throw new EdgeError('STATE_DB_FAILED', 'disk full');
    };
    expect(await write('oven.total', 8)).toMatchObject({ status: 'verified', isRecorded: false });
  });

  it('lets a fault of the program through, and holds no device for it', async () => {
    const writer = writerOf();
    bus.onWrite = () => {
      throw new TypeError('a bug');
    };
    await expect(writer.write(orderOf('oven.total', 8))).rejects.toThrow('a bug');
    bus.onWrite = (_, carryOut) => carryOut();
    expect(await writer.write(orderOf('oven.total', 8))).toMatchObject({ status: 'verified' });
  });
});

describe('reading back', () => {
  it('waits for a PLC that shows the new value a while later', async () => {
    let reads = 0;
    let carryOutLater = (): void => undefined;
    bus.onWrite = (_, carryOut) => {
      carryOutLater = carryOut;
    };
    bus.onRead = (_, __, { priority }) => {
      if (priority !== 'verify') return;
      reads += 1;
      if (reads === 5) carryOutLater();
    };
    expect(await write('oven.total', 8)).toMatchObject({ status: 'verified', reason: 'as_asked' });
    expect(bus.writes).toHaveLength(1);
  });

  it.each([
    ['unchanged', [0, 7], 7],
    ['other_value', [0, 9], 9],
  ] as const)('is a mismatch after the whole window: %s', async (reason, words, value) => {
    bus.onWrite = () => bus.set('plc', 'holding', 20, ...words);
    const startedAtMs = time.monotonicMs();
    expect(await write('oven.total', 8)).toMatchObject({
      status: 'mismatch',
      reason,
      found: { quality: 'good', value },
      before: { quality: 'good', value: 7 },
    });
    expect(time.monotonicMs() - startedAtMs).toBe(2_000);
    expect(bus.writes).toHaveLength(1);
    // Pauses grow: 25, 50, 100 and so on to the end of the window.
    expect(bus.log.filter((line) => line.startsWith('verify'))).toHaveLength(8);
  });

  it('is unknown when the last look fails, whatever was seen before', async () => {
    bus.onWrite = () => undefined;
    bus.onRead = (_, __, { priority }) => {
      if (priority === 'verify' && time.monotonicMs() > 2_500)
        throw modbusError('MODBUS_UNREACHABLE', 'cable out');
    };
    expect(await write('oven.total', 8)).toMatchObject({
      status: 'unknown',
      reason: 'unreadable',
      detail: 'the device accepted it; it cannot be read back: cable out',
    });
  });

  it('takes a text that the PLC padded in its own way, and a zero without its sign', async () => {
    bus.onWrite = () => bus.set('plc', 'holding', 50, 0x8000, 0);
    expect(await write('oven.level', 0)).toMatchObject({ status: 'verified' });
    bus.set('plc', 'holding', 60, 0x4142, 0x4344);
    bus.onWrite = () => bus.set('plc', 'holding', 60, 0x4137, 0x2020);
    expect(await write('oven.batch', 'A7')).toMatchObject({ status: 'verified', found: { value: 'A7' } });
  });
});

describe('a write without an answer', () => {
  it.each([
    ['a timeout', openOutcome],
    ['a broken connection', () => modbusError('MODBUS_UNREACHABLE', 'reset', undefined, 'unknown-outcome')],
    ['"acknowledge, still working"', () => new ModbusRefusal(5, undefined, 'write')],
    ['a gateway that did not hear the device', () => new ModbusRefusal(11, undefined, 'write')],
    ['a device that failed in the middle', () => new ModbusRefusal(4, undefined, 'write')],
  ])('is settled by reading, never by writing again: %s', async (_, error) => {
    bus.onWrite = (_write, carryOut) => {
      carryOut();
      throw error();
    };
    expect(await write('oven.total', 8)).toMatchObject({ status: 'verified', reason: 'settled_by_reading' });
    expect(bus.writes).toHaveLength(1);
  });

  it('was not carried out as far as can be seen while the old value stays, and may arrive late', async () => {
    bus.onWrite = () => {
      throw openOutcome();
    };
    const startedAtMs = time.monotonicMs();
    expect(await write('oven.total', 8)).toMatchObject({
      status: 'mismatch',
      reason: 'not_carried_out',
      detail: 'no answer; not carried out as far as can be seen, it may yet arrive late',
      found: { quality: 'good', value: 7 },
    });
    expect(time.monotonicMs() - startedAtMs).toBe(5_000);
    expect(bus.writes).toHaveLength(1);
  });

  it('is unknown when it cannot be read either', async () => {
    bus.onWrite = (_, carryOut) => {
      carryOut();
      bus.onRead = () => {
        throw modbusError('MODBUS_UNREACHABLE', 'cable out');
      };
      throw openOutcome();
    };
    expect(await write('oven.total', 8)).toMatchObject({
      status: 'unknown',
      reason: 'unreadable',
      detail: 'no answer; it cannot be read back: cable out',
    });
    expect(bus.writes).toHaveLength(1);
  });

  it('is refused when it never left', async () => {
    bus.onWrite = () => {
      throw modbusError('MODBUS_UNREACHABLE', 'no connection');
    };
    expect(await write('oven.total', 8)).toMatchObject({ status: 'refused', reason: 'not_sent' });
    expect(bus.log.at(-1)).toBe('write plc registers 20');
  });

  it.each([1, 2, 3, 6, 10])(
    'is refused with exception %d, which says that nothing was done',
    async (exception) => {
      bus.onWrite = () => {
        throw new ModbusRefusal(exception, undefined);
      };
      expect(await write('oven.total', 8)).toMatchObject({ status: 'refused', reason: 'device_refused' });
      expect(bus.writes).toHaveLength(1);
    },
  );

  it('is refused with exception 4 once the old value is seen to stay', async () => {
    bus.onWrite = () => {
      throw new ModbusRefusal(4, undefined, 'write');
    };
    expect(await write('oven.total', 8)).toMatchObject({
      status: 'refused',
      reason: 'device_refused',
      found: { quality: 'good', value: 7 },
    });
  });
});

describe('a point that cannot be read', () => {
  it('is sent, and its outcome is unknown: write-only', async () => {
    expect(await write('oven.reset', 1)).toMatchObject({
      status: 'unknown',
      reason: 'write_only',
      detail: 'the device accepted it; the point cannot be read back',
    });
    expect(bus.log).toEqual(['write plc registers 30']);
  });

  it('is sent, and its outcome is unknown: broadcast', async () => {
    bus.set('all', 'coil', 0, 0);
    expect(await write('drives.stop', true)).toMatchObject({
      status: 'unknown',
      reason: 'broadcast',
      detail: 'sent; it is for every device of the line, and none of them answers',
    });
    expect(bus.log).toEqual(['write all coils 0']);
  });

  it.each(['oven.reset', 'drives.stop'])('cannot have been confirmed: %s', async (name) => {
    const value = name === 'oven.reset' ? 1 : true;
    expect(await write(name, value, { expected: value })).toMatchObject({ reason: 'present_unknowable' });
    expect(bus.log).toEqual([]);
  });

  it('is refused for a bit of a register in a device that cannot write single bits', async () => {
    bus.onWrite = () => {
      throw new ModbusRefusal(1, undefined, 'write');
    };
    expect(await write('oven.strobe', true)).toMatchObject({ status: 'refused', reason: 'bit_unwritable' });
    expect(bus.writes).toMatchObject([{ kind: 'mask' }]);
  });
});

describe('a bit of a register', () => {
  const withoutMask = (): void => {
    bus.onWrite = (sent, carryOut) => {
      if (sent.kind === 'mask') throw new ModbusRefusal(1, undefined);
      carryOut();
    };
  };
  const register = (): number | undefined => bus.cells('plc', { table: 'holding', address: 40, count: 1 })[0];

  it('is written by its mask', async () => {
    expect(await write('oven.bit-1', true)).toMatchObject({ status: 'verified', reason: 'as_asked' });
    expect(bus.writes).toEqual([{ kind: 'mask', address: 40, andMask: 0xfffd, orMask: 2 }]);
    expect(register()).toBe(0xa5a7);
  });

  it('is written with the others as they are just then, where the device has no mask write, which is tried once', async () => {
    withoutMask();
    const writer = writerOf();
    audit.onAppend = (kind) => {
      if (kind === 'plc.write.begun') bus.set('plc', 'holding', 40, 0xf5a5);
    };
    expect(await writer.write(orderOf('oven.bit-1', true))).toMatchObject({ status: 'verified' });
    expect(register()).toBe(0xf5a7);
    audit.onAppend = () => undefined;
    expect(await writer.write(orderOf('oven.bit-0', false))).toMatchObject({ status: 'verified' });
    expect(bus.writes.map(({ kind }) => kind)).toEqual(['mask', 'registers', 'registers']);
    expect(register()).toBe(0xf5a6);
  });

  it('is a mismatch when other bits changed under a read-modify-write', async () => {
    bus.onWrite = (sent, carryOut) => {
      if (sent.kind === 'mask') throw new ModbusRefusal(1, undefined);
      carryOut();
      bus.set('plc', 'holding', 40, 0x25a7);
    };
    expect(await write('oven.bit-1', true)).toMatchObject({
      status: 'mismatch',
      reason: 'other_bits_changed',
      detail: 'the bit is as asked, but other bits of its register changed meanwhile: a5a5 before, 25a7 now',
      found: { quality: 'good', value: true },
    });
  });

  it('lets the other bits live under a mask write', async () => {
    bus.onWrite = (_, carryOut) => {
      carryOut();
      bus.set('plc', 'holding', 40, 0x25a7);
    };
    expect(await write('oven.bit-1', true)).toMatchObject({ status: 'verified' });
  });

  it.each([
    ['mask writes', () => undefined],
    ['read-modify-writes', withoutMask],
  ])('is one of twenty written at once, and exactly those are changed: %s', async (_, arrange) => {
    arrange();
    const writer = writerOf();
    const orders = Array.from({ length: 20 }, (_, index) =>
      orderOf(`oven.bit-${(index * 3) % 16}`, index % 2 === 0),
    );
    const outcomes = await Promise.all(orders.map((order) => writer.write(order)));
    expect(outcomes.map(({ status }) => status)).toEqual(orders.map(() => 'verified'));
    const expected = orders.reduce((word, { ref, value }) => {
      const mask = 1 << Number(ref.point.slice('bit-'.length));
      return value === true ? word | mask : word & ~mask;
    }, 0xa5a5);
    expect(register()).toBe(expected);
  });
});

describe('two orders', () => {
  it('for one device do not come between the reading and the reading back of each other', async () => {
    const writer = writerOf();
    await Promise.all([writer.write(orderOf('oven.total', 1)), writer.write(orderOf('oven.total', 2))]);
    const turn = ['confirm plc holding 20+2', 'write plc registers 20', 'verify plc holding 20+2'];
    expect(bus.log).toEqual([...turn, ...turn]);
  });

  it('that each rest on what the other changes come one after the other', async () => {
    const writer = writerOf();
    const [running, speed] = await Promise.all([
      writer.write(orderOf('oven.mode', 'running')),
      writer.write(orderOf('fan.speed', 1_000)),
    ]);
    expect(running).toMatchObject({ status: 'verified' });
    expect(speed).toMatchObject({
      reason: 'interlock_unmet',
      detail: expect.stringContaining('oven.mode 1'),
    });
  });

  it('for different devices go on beside each other, and a broadcast waits for every device of its line', async () => {
    bus.set('all', 'coil', 0, 0);
    bus.onWrite = ({ kind }, carryOut) => {
      if (kind === 'coils') carryOut();
    };
    const writer = writerOf();
    const stuck = writer.write(orderOf('drive.torque', 5));
    const broadcast = writer.write(orderOf('drives.stop', true));
    expect(await writer.write(orderOf('oven.lamp', true))).toMatchObject({ status: 'verified' });
    expect(bus.log).not.toContain('write all coils 0');
    expect(await stuck).toMatchObject({ status: 'mismatch' });
    expect(await broadcast).toMatchObject({ status: 'unknown', reason: 'broadcast' });
  });

  it('do not wait for each other without end', async () => {
    bus.onWrite = () => undefined;
    const writer = writerOf({ lockWaitMs: 1_000 });
    const [first, second] = await Promise.all([
      writer.write(orderOf('oven.total', 1)),
      writer.write(orderOf('oven.lamp', true)),
    ]);
    expect(first).toMatchObject({ status: 'mismatch' });
    expect(second).toMatchObject({
      status: 'refused',
      reason: 'device_busy',
      detail: 'other orders for its devices took more than 1000 ms',
    });
    bus.onWrite = (_, carryOut) => carryOut();
    expect(await writer.write(orderOf('oven.lamp', true))).toMatchObject({ status: 'verified' });
  });
});

describe('a write that was begun and of which no end is known', () => {
  async function crash(carriesOut: boolean, name = 'oven.total', value: PointValue = 8): Promise<void> {
    bus.onWrite = (_, carryOut) => {
      if (carriesOut) carryOut();
      throw new Error('killed');
    };
    await expect(write(name, value)).rejects.toThrow('killed');
    bus.onWrite = (_, carryOut) => carryOut();
  }
  const settleAll = async () => {
    const writer = writerOf({ writes: 'off' });
    return (await settleUnfinishedWrites(audit, (begun) => writer.settle(begun))).outcomes;
  };

  it.each([
    [true, { status: 'verified', reason: 'settled_by_reading', found: { value: 8 } }],
    [false, { status: 'mismatch', reason: 'not_carried_out', found: { value: 7 } }],
  ] as const)(
    'is settled by reading after a restart, carried out or not: %s',
    async (carriesOut, outcome) => {
      await write('oven.lamp', true);
      await crash(carriesOut);
      const [begun] = audit.details('plc.write.begun').slice(-1);
      expect(await settleAll()).toMatchObject([{ ...outcome, id: begun?.['id'], before: { value: 7 } }]);
      expect(bus.writes).toHaveLength(2);
      expect(audit.details('plc.write.ended').at(-1)).toMatchObject({
        id: begun?.['id'],
        by: 'Wang',
        status: outcome.status,
      });
      expect(await settleAll()).toEqual([]);
    },
  );

  it('stays unfinished while its device cannot be read', async () => {
    await crash(true);
    bus.onRead = () => {
      throw modbusError('MODBUS_UNREACHABLE', 'not up yet');
    };
    expect(await settleAll()).toMatchObject([{ status: 'unknown', isRecorded: false }]);
    bus.onRead = () => undefined;
    expect(await settleAll()).toMatchObject([{ status: 'verified', isRecorded: true }]);
  });

  it('cannot be settled, and is ended so, when its point cannot be read at all or is elsewhere now', async () => {
    await crash(true, 'oven.reset', 1);
    expect(await settleAll()).toMatchObject([{ status: 'unknown', reason: 'write_only', isRecorded: true }]);
    await crash(true);
    const writer = writerOf();
    const moved = (begun: BegunWrite) => writer.settle({ ...begun, place: 'plc holding 22 2 int32 ABCD' });
    expect((await settleUnfinishedWrites(audit, moved)).outcomes).toMatchObject([
      {
        status: 'unknown',
        reason: 'unreadable',
        detail: expect.stringContaining('elsewhere'),
        isRecorded: true,
      },
    ]);
  });

  it('is counted, and does not keep the others from being settled, when its entry cannot be read', async () => {
    await audit.append('plc.write.begun', { id: 'of another version' });
    await crash(true);
    const writer = writerOf();
    expect(await settleUnfinishedWrites(audit, (begun) => writer.settle(begun))).toMatchObject({
      outcomes: [{ status: 'verified' }],
      unreadable: 1,
    });
  });
});
