import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ModbusPlcBus } from '../../../src/adapters/modbus/modbus-plc-bus.ts';
import { SimulatedLine } from '../../../src/adapters/simulator/simulated-line.ts';
import { Database } from '../../../src/adapters/sqlite/database.ts';
import { PLC_LOG_MIGRATION, SqlitePlcLogStore } from '../../../src/adapters/sqlite/sqlite-plc-log-store.ts';
import { DeviceBackoffs } from '../../../src/app/plc/device-backoffs.ts';
import { PatientBus } from '../../../src/app/plc/patient-bus.ts';
import { PlantPoller } from '../../../src/app/plc/plant-poller.ts';
import { PlcLogReader } from '../../../src/app/plc/plc-log-reader.ts';
import { PointImage } from '../../../src/app/plc/point-image.ts';
import { PointReader } from '../../../src/app/plc/point-reader.ts';
import { PointWriter } from '../../../src/app/plc/point-writer.ts';
import { systemClocks, systemScheduler } from '../../../src/runtime/clocks.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { eventually } from '../../support/eventually.ts';
import { demoPlant } from '../../support/plant-file.ts';

const dependencies = { logger: silentLogger(), clocks: systemClocks(), scheduler: systemScheduler };
const plant = demoPlant();
const POINTS = plant.points().length;
const OVEN = [...(plant.machine('oven-1')?.points.keys() ?? [])];

describe('the shipped line, polled by the daemon while things go wrong', () => {
  let line: SimulatedLine;
  let bus: ModbusPlcBus;
  let image: PointImage;
  let poller: PlantPoller;

  beforeEach(async () => {
    const { signal } = new AbortController();
    line = new SimulatedLine({ plant, connection: 'line-1', port: 0 }, dependencies);
    await line.start(signal);
    bus = new ModbusPlcBus({ plant, endpointOf: () => line.endpoint() }, dependencies);
    image = new PointImage(plant, dependencies.clocks);
    const backoffs = new DeviceBackoffs();
    const patient = new PatientBus({ bus, backoffs, clocks: dependencies.clocks });
    poller = new PlantPoller({ ...dependencies, plant, bus: patient, backoffs, image });
    await bus.start(signal);
    await poller.start(signal);
    await eventually('all points are read', () => goodPoints().length === POINTS);
  });
  afterEach(async () => {
    await poller.stop(1_000);
    await bus.stop(1_000);
    await line.stop(1_000);
  });

  const goodPoints = (machine?: string) =>
    image.all().filter(({ quality, ref }) => quality === 'good' && (machine ?? ref.machine) === ref.machine);
  const figure = (name: string) => bus.health().figures?.[name] ?? 0;
  const cycles = () => poller.health().figures?.['cycles_total'] ?? 0;
  const severalCycles = async (): Promise<void> => {
    const before = cycles();
    await eventually('several cycles', () => cycles() > before + 18, 30_000);
  };

  it.each([
    { name: 'closes', target: 'oven-1' },
    { name: 'fewer', target: 'oven-1', most: 2 },
    { name: 'slow', target: 'oven-1', delay_ms: 380 },
    { name: 'busy', target: 'oven-1', share: 0.5 },
  ] as const)('goes on reading every point of a device that is $name', async (fault) => {
    line.fault(fault);
    await severalCycles();
    await eventually('all are good', () => goodPoints().length === POINTS, 20_000);
    expect(poller.health().status).toBe('ok');
  });

  it('never takes noise on the line for a value, and reads on through it', async () => {
    const truth = new Map(
      OVEN.map((point) => {
        const reading = image.known({ machine: 'oven-1', point });
        return [point, reading.quality === 'good' ? reading.value : undefined];
      }),
    );
    for (const point of OVEN) {
      const value = truth.get(point);
      if (value !== undefined) line.hold({ machine: 'oven-1', point }, value);
    }
    const seen = new Map<string, Set<unknown>>();
    const leave = image.onReadings((readings) => {
      for (const reading of readings)
        if (reading.quality === 'good' && reading.ref.machine === 'oven-1')
          seen.set(reading.ref.point, (seen.get(reading.ref.point) ?? new Set()).add(reading.value));
    });
    await severalCycles();
    seen.clear();
    line.fault({ name: 'noise', target: 'oven-1', share: 0.3 });
    await eventually('every point is read in the midst of it', () => seen.size === OVEN.length, 30_000);
    await severalCycles();
    leave();
    expect(figure('garbled_total') + figure('timeouts_total')).toBeGreaterThan(0);
    for (const [point, values] of seen) expect([...values]).toEqual([truth.get(point)]);
    line.clearFaults();
    await eventually('all are good again', () => goodPoints().length === POINTS, 30_000);
  });

  it('marks what is refused, and goes on with all others', async () => {
    line.fault({ name: 'illegal', target: 'oven-1', registers: 'holding:101-101' });
    const pressure = () => image.known({ machine: 'oven-1', point: 'pressure' });
    await eventually('it is bad', () => pressure().quality === 'bad');
    expect(pressure()).toMatchObject({ reason: 'refused', detail: 'exception 2 (illegal data address)' });
    await severalCycles();
    expect(goodPoints()).toHaveLength(POINTS - 1);
  });

  it('loses only the dead device, says so, and has it back without a restart', async () => {
    line.fault({ name: 'dead', target: 'oven-1' });
    await eventually('it is not good any more', () => goodPoints('oven-1').length === 0, 20_000);
    expect(goodPoints()).toHaveLength(POINTS - OVEN.length);
    expect(poller.health()).toMatchObject({ status: 'degraded', figures: { silent_devices: 1 } });
    line.clearFaults();
    await eventually('it is back', () => goodPoints().length === POINTS, 30_000);
    await eventually('it says so', () => poller.health().status === 'ok');
  });

  it('takes a setpoint that is written, read back and polled', async () => {
    const reader = new PointReader({ plant, bus, clocks: dependencies.clocks });
    const audit = { append: async () => undefined };
    const writer = new PointWriter({ writes: 'on' }, { ...dependencies, plant, bus, reader, audit });
    const ref = { machine: 'machine-12', point: 'setpoint' };
    const outcome = await writer.write({
      ref,
      value: 900,
      expected: 1450,
      by: 'Wang',
      because: 'trial batch',
    });
    expect(outcome).toMatchObject({ status: 'verified' });
    await eventually('the polls see it', () => {
      const reading = image.known(ref);
      return reading.quality === 'good' && reading.value === 900;
    });
    expect(await writer.write({ ref, value: 5000, by: 'Wang', because: 'trial batch' })).toMatchObject({
      status: 'refused',
    });
  });

  it('is followed in its event logs: a ring of registers and a file of records, each record once', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'hermes-log-'));
    const { database } = await Database.open(join(directory, 'log.db'), [PLC_LOG_MIGRATION], new Date());
    const store = new SqlitePlcLogStore(database);
    const reader = new PlcLogReader({ ...dependencies, plant, bus, store });
    try {
      await reader.start(new AbortController().signal);
      const WRITTEN = 30;
      for (let number = 0; number < WRITTEN; number += 1)
        for (const machine of ['machine-12', 'oven-1']) line.appendLog(machine, 3, number);
      const records = async (machine: string) =>
        (await store.latest({ machine, log: 'events', limit: 1_000 })).flatMap((entry) =>
          entry.kind === 'record' && entry.code === 3 ? [entry.values['value']] : [],
        );
      const all = Array.from({ length: WRITTEN }, (_, number) => number);
      for (const machine of ['machine-12', 'oven-1']) {
        await eventually(`all of ${machine}`, async () => (await records(machine)).length >= WRITTEN, 20_000);
        expect(await records(machine)).toEqual(all);
      }
    } finally {
      await reader.stop(1_000);
      await database.close();
      rmSync(directory, { recursive: true });
    }
  });
});
