import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ModbusPlcBus } from '../../../src/adapters/modbus/modbus-plc-bus.ts';
import { DeviceBackoffs } from '../../../src/app/plc/device-backoffs.ts';
import { PatientBus } from '../../../src/app/plc/patient-bus.ts';
import { PlantPoller } from '../../../src/app/plc/plant-poller.ts';
import { PointImage } from '../../../src/app/plc/point-image.ts';
import type { KnownReading } from '../../../src/domain/plc/reading.ts';
import { systemClocks, systemScheduler } from '../../../src/runtime/clocks.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { eventually } from '../../support/eventually.ts';
import { plantOf } from '../../support/plant-file.ts';
import { type PymodbusServer, startPymodbusServer } from '../../support/pymodbus-server.ts';

const dependencies = { logger: silentLogger(), clocks: systemClocks(), scheduler: systemScheduler };

const names = (name: string) => `names: { en: [${name}], zh: [${name}] }`;
const point = (key: string, address: number) =>
  `${key}: { ${names(key)}, register: holding, address: ${address}, type: uint16 }`;

/** Two devices on one bus, each with a machine of its own. */
const plantFile = (port: number, timeoutMs: number, more = '') => `
connections:
  line-1: { transport: tcp, host: 127.0.0.1, port: ${port}, timeout_ms: ${timeoutMs}${more} }
devices:
  oven-plc: { connection: line-1, unit_id: 1, address_base: 0, poll_interval_ms: 100, stale_after_ms: 1000 }
  pump-plc: { connection: line-1, unit_id: 9, address_base: 0, poll_interval_ms: 100, stale_after_ms: 1000 }
machines:
  oven:
    ${names('oven')}
    device: oven-plc
    points:
      ${point('temperature', 10)}
      ${point('pressure', 11)}
      ${point('flow', 12)}
  pump:
    ${names('pump')}
    device: pump-plc
    points:
      ${point('speed', 0)}
`;

describe('the polling of a plant against a server of another author', () => {
  let server: PymodbusServer;
  let bus: ModbusPlcBus;
  let poller: PlantPoller;
  let image: PointImage;
  let told: KnownReading[];

  const start = async (timeoutMs = 300, more = ''): Promise<void> => {
    const plant = plantOf(plantFile(server.port, timeoutMs, more));
    bus = new ModbusPlcBus({ plant }, dependencies);
    image = new PointImage(plant, dependencies.clocks);
    told = [];
    image.onReadings((readings) => told.push(...readings));
    const backoffs = new DeviceBackoffs();
    const patient = new PatientBus({ bus, backoffs, clocks: dependencies.clocks });
    poller = new PlantPoller({ ...dependencies, plant, bus: patient, backoffs, image });
    await bus.start(new AbortController().signal);
    await poller.start(new AbortController().signal);
  };
  const qualityOf = (machine: string, key: string) => image.known({ machine, point: key }).quality;
  const valueNow = (machine: string, key: string) => {
    const reading = image.known({ machine, point: key });
    return reading.quality === 'good' ? reading.value : undefined;
  };

  beforeEach(async () => {
    server = await startPymodbusServer();
    await server.set(1, 'holding', 10, 215, 3, 77);
    await server.set(9, 'holding', 0, 1450);
  });

  afterEach(async () => {
    await poller.stop(1_000);
    await bus.stop(1_000);
    await server.stop();
  });

  it('keeps every value up to date', async () => {
    await start();
    await eventually(
      'all are read',
      () => valueNow('pump', 'speed') === 1450 && valueNow('oven', 'flow') === 77,
    );
    await server.set(9, 'holding', 0, 1500);
    await eventually('the new value is seen', () => valueNow('pump', 'speed') === 1500);
    expect(poller.health()).toMatchObject({ status: 'ok', figures: { requests_per_cycle: 2 } });
  });

  it('leaves out the address that a device refuses, with the reason, and goes on with the others', async () => {
    await server.stop();
    server = await startPymodbusServer();
    await server.set(1, 'holding', 10, 215);
    await server.set(1, 'holding', 12, 77);
    await server.set(9, 'holding', 0, 1450);
    await start();
    await eventually('the others are read', () => valueNow('oven', 'flow') === 77);
    expect(valueNow('oven', 'temperature')).toBe(215);
    expect(image.known({ machine: 'oven', point: 'pressure' })).toMatchObject({
      quality: 'bad',
      reason: 'refused',
      detail: 'exception 2 (illegal data address)',
    });
    expect(poller.health()).toMatchObject({
      status: 'degraded',
      detail: 'oven-plc refuses oven.pressure: exception 2 (illegal data address)',
      figures: { refused_points: 1 },
    });
    const refusedBefore = bus.health().figures?.['refused_total'];
    const cyclesBefore = poller.health().figures?.['cycles_total'] ?? 0;
    await eventually(
      'ten more cycles',
      () => (poller.health().figures?.['cycles_total'] ?? 0) > cyclesBefore + 10,
    );
    expect(bus.health().figures?.['refused_total']).toBe(refusedBefore);
  });

  it('lets a dead unit cost the others on its bus one timeout a step and no value', async () => {
    await server.stop();
    server = await startPymodbusServer();
    await server.set(1, 'holding', 10, 215, 3, 77);
    await start();
    await eventually('the oven is read', () => valueNow('oven', 'flow') === 77);
    const stale: string[] = [];
    image.onReadings((readings) => {
      for (const { ref, quality } of readings)
        if (ref.machine === 'oven' && quality !== 'good') stale.push(ref.point);
    });
    const before = poller.health().figures?.['cycles_total'] ?? 0;
    await eventually(
      'thirty cycles of the oven',
      () => (poller.health().figures?.['cycles_total'] ?? 0) > before + 30,
      20_000,
    );
    expect(stale).toEqual([]);
    expect(bus.health().figures?.['timeouts_total']).toBeLessThanOrEqual(5);
    expect(poller.health()).toMatchObject({
      status: 'degraded',
      detail: expect.stringContaining('pump-plc: unit 9'),
    });
  });

  it('reads a device that takes 120 to 380 ms without calling a value stale', async () => {
    await server.delay(120, 380);
    await start(1_000);
    await eventually(
      'all are read',
      () => valueNow('pump', 'speed') === 1450 && valueNow('oven', 'flow') === 77,
    );
    const before = poller.health().figures?.['cycles_total'] ?? 0;
    await eventually(
      'six more cycles',
      () => (poller.health().figures?.['cycles_total'] ?? 0) > before + 6,
      20_000,
    );
    expect(told.filter(({ quality }) => quality !== 'good')).toEqual([]);
  });

  it('leaves the connection to others between two cycles where the map says so', async () => {
    await start(300, ', close_after_cycle: true');
    await eventually(
      'all are read',
      () => valueNow('pump', 'speed') === 1450 && valueNow('oven', 'flow') === 77,
    );
    const connects = () => bus.health().figures?.['connects_total'] ?? 0;
    const before = connects();
    await eventually('it was closed and opened again five times', () => connects() >= before + 5);
    expect(qualityOf('oven', 'flow')).toBe('good');
    expect(bus.health().figures).toMatchObject({ timeouts_total: 0, garbled_total: 0 });
  });

  it('says during an outage that values are stale, and has them again after it without a restart', async () => {
    await start();
    await eventually('all are read', () => valueNow('oven', 'flow') === 77);
    await server.stop();
    await eventually('it is stale', () => qualityOf('oven', 'flow') === 'stale');
    expect(image.known({ machine: 'oven', point: 'flow' })).toMatchObject({
      reason: 'unreachable',
      last: { value: 77 },
    });
    expect(poller.health().status).toBe('down');
    await server.restart();
    await eventually('they are back', () => valueNow('oven', 'flow') === 77, 15_000);
    await eventually('it is well', () => poller.health().status === 'ok', 15_000);
  });
});
