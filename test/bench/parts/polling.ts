import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ModbusPlcBus } from '../../../src/adapters/modbus/modbus-plc-bus.ts';
import { SqliteHistoryStore } from '../../../src/adapters/sqlite/sqlite-history-store.ts';
import { HistoryRecorder } from '../../../src/app/history/history-recorder.ts';
import { DeviceBackoffs } from '../../../src/app/plc/device-backoffs.ts';
import { DevicePoller } from '../../../src/app/plc/device-poller.ts';
import { PatientBus } from '../../../src/app/plc/patient-bus.ts';
import { PlantPoller } from '../../../src/app/plc/plant-poller.ts';
import { PointImage } from '../../../src/app/plc/point-image.ts';
import type { PlantModel } from '../../../src/domain/plc/plant-model.ts';
import { systemClocks, systemScheduler } from '../../../src/runtime/clocks.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { fewestReads } from '../../support/fewest-reads.ts';
import { startLibmodbusTcpServer } from '../../support/libmodbus-server.ts';
import { plantOf } from '../../support/plant-file.ts';
import { registerPlant, type WantedPoint } from '../../support/register-plant.ts';

const dependencies = { logger: silentLogger(), clocks: systemClocks(), scheduler: systemScheduler };

const TYPES = ['uint16', 'int16', 'float32', 'uint32'] as const;
const REGISTERS = { uint16: 1, int16: 1, float32: 2, uint32: 2 } as const;

/** Points one after another from address 0, with a gap before each, as many as the server has addresses for. */
function rowOf(count: number, gapBefore: (index: number) => number): WantedPoint[] {
  const points: WantedPoint[] = [];
  let next = 0;
  for (let index = 0; index < count; index += 1) {
    const type = TYPES[index % TYPES.length] ?? 'uint16';
    next += gapBefore(index);
    points.push({ address: next, type });
    next += REGISTERS[type];
  }
  return points;
}

/** Three maps as they occur: packed, scattered, and of a device that gives little at once and has holes. */
const MAPS: Readonly<Record<string, { readonly points: WantedPoint[]; readonly settings: string }>> = {
  dense: { points: rowOf(600, () => 0), settings: '' },
  sparse: { points: rowOf(160, (index) => (index * 7) % 10), settings: 'max_gap: 6' },
  limited: {
    points: rowOf(200, (index) => (index % 11 === 0 ? 3 : index % 5 === 0 ? 1 : 0)),
    settings:
      'max_registers_per_request: 16, max_gap: 2, forbidden_ranges: [{ register: holding, first: 10, last: 10 }]',
  },
};

/** Requests that one poll cycle really sends, over the fewest that the limits allow. */
export async function requestsPerCycle(): Promise<Readonly<Record<string, number>>> {
  const figures: Record<string, number> = {};
  let worst = 0;
  for (const [name, { points, settings }] of Object.entries(MAPS)) {
    const server = await startLibmodbusTcpServer();
    const plant = registerPlant(points, settings, server.port);
    const device = plant.device('plc');
    if (device === undefined) throw new Error('no device');
    const bus = new ModbusPlcBus({ plant }, dependencies);
    const image = new PointImage(plant, dependencies.clocks);
    const backoffs = new DeviceBackoffs();
    const patient = new PatientBus({ bus, backoffs, clocks: dependencies.clocks });
    const poller = new DevicePoller(device, plant.points(), {
      ...dependencies,
      bus: patient,
      backoffs,
      image,
    });
    const { signal } = new AbortController();
    await bus.start(signal);
    await poller.cycle(signal);
    const before = bus.health().figures?.['requests_total'] ?? 0;
    await poller.cycle(signal);
    const requests = (bus.health().figures?.['requests_total'] ?? 0) - before;
    if (image.all().some(({ quality }) => quality !== 'good')) throw new Error(`${name}: not all were read`);
    await bus.stop(1_000);
    await server.stop();
    const fewest = fewestReads(device, plant.points());
    figures[`${name}_requests`] = requests;
    figures[`${name}_fewest`] = fewest;
    worst = Math.max(worst, requests / fewest);
  }
  return { ...figures, requests_over_fewest: worst };
}

const POINTS = 10_000;
const POINTS_PER_DEVICE = 625;
const SETTLE_S = 5;
const MEASURE_S = 30;

function largePlant(port: number): PlantModel {
  const devices = Array.from({ length: POINTS / POINTS_PER_DEVICE }, (_, index) => index);
  const row = rowOf(POINTS_PER_DEVICE, () => 0);
  const points = row
    .map(
      ({ address, type }, index) =>
        `p${index}: { names: { en: [p ${index}], zh: [p ${index}] }, register: holding, address: ${address}, type: ${type} }`,
    )
    .join('\n      ');
  return plantOf(`
connections: { line: { transport: tcp, host: 127.0.0.1, port: ${port} } }
devices:
${devices.map((index) => `  plc-${index}: { connection: line, unit_id: ${index + 1}, address_base: 0 }`).join('\n')}
machines:
${devices
  .map(
    (index) => `  m-${index}:
    names: { en: [m ${index}], zh: [m ${index}] }
    device: plc-${index}
    points:
      ${points}`,
  )
  .join('\n')}`);
}

/** 10,000 points once a second over one connection, with their history on disk: how much of one core it takes. */
export async function tenThousandPoints(): Promise<Readonly<Record<string, number>>> {
  const server = await startLibmodbusTcpServer();
  const plant = largePlant(server.port);
  const bus = new ModbusPlcBus({ plant }, dependencies);
  const image = new PointImage(plant, dependencies.clocks);
  const backoffs = new DeviceBackoffs();
  const patient = new PatientBus({ bus, backoffs, clocks: dependencies.clocks });
  const poller = new PlantPoller({ ...dependencies, plant, bus: patient, backoffs, image });
  const directory = mkdtempSync(join(tmpdir(), 'hermes-polling-'));
  const clockState = () => 'synced' as const;
  const store = new SqliteHistoryStore(
    { file: join(directory, 'history.db') },
    { ...dependencies, clockState },
  );
  const recorder = new HistoryRecorder({ plant, image, store, clocks: dependencies.clocks, clockState });
  let readings = 0;
  image.onReadings((batch) => {
    readings += batch.length;
  });
  const { signal } = new AbortController();
  await store.start();
  await recorder.start(signal);
  await bus.start(signal);
  await poller.start(signal);
  await pause(SETTLE_S);
  const [startedAt, cpuBefore] = [performance.now(), process.cpuUsage()];
  const lateBefore = poller.health().figures?.['late_cycles_total'] ?? 0;
  readings = 0;
  await pause(MEASURE_S);
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  const late = (poller.health().figures?.['late_cycles_total'] ?? 0) - lateBefore;
  const bad = image.all().filter(({ quality }) => quality !== 'good').length;
  await poller.stop(1_000);
  await bus.stop(1_000);
  await recorder.stop(1_000);
  await store.stop();
  await server.stop();
  rmSync(directory, { recursive: true });
  return {
    points: plant.points().length,
    point_readings_per_s: readings / seconds,
    cpu_share_of_one_core: (user + system) / 1e6 / seconds,
    late_cycles: late,
    points_not_good: bad,
  };
}

function pause(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
