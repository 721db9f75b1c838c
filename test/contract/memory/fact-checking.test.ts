import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SqliteMemoryStore } from '../../../src/adapters/sqlite/sqlite-memory-store.ts';
import { FactCache } from '../../../src/app/memory/fact-cache.ts';
import { FactVerifier } from '../../../src/app/memory/fact-verifier.ts';
import { FactWriter } from '../../../src/app/memory/fact-writer.ts';
import { SystemFactChecker } from '../../../src/app/memory/system-fact-checker.ts';
import type { WorkOrder } from '../../../src/app/ports/work-order-store.ts';
import type { Fact } from '../../../src/domain/memory/fact.ts';
import { systemClocks, systemScheduler } from '../../../src/runtime/clocks.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { claimOf } from '../../support/claims.ts';
import { eventually } from '../../support/eventually.ts';
import { HandTime } from '../../support/hand-time.ts';
import { fact, MemorySite } from '../../support/memory-site.ts';
import { plantOf } from '../../support/plant-file.ts';
import { type StartedReader, startReader } from '../../support/plc-reader.ts';
import { type PymodbusServer, startPymodbusServer } from '../../support/pymodbus-server.ts';

const plantAt = (port: number) =>
  plantOf(`
connections:
  line-1: { transport: tcp, host: 127.0.0.1, port: ${port}, timeout_ms: 500 }
devices:
  plc: { connection: line-1, unit_id: 1, address_base: 0 }
machines:
  oven:
    names: { en: [oven], zh: [烤炉] }
    device: plc
    points:
      temperature: { names: { en: [temperature], zh: [温度] }, register: holding, address: 0, type: int16, scale: 0.1, unit: { en: degrees, zh: 度 }, deadband: 0.5 }
      temp-max: { names: { en: [temperature limit], zh: [温度上限] }, register: holding, address: 1, type: int16, unit: { en: degrees, zh: 度 } }
      setpoint: { names: { en: [setpoint], zh: [设点] }, register: holding, address: 2, type: int16, unit: { en: degrees, zh: 度 }, access: read_write, write_min: 0, write_max: 300 }
      pressure: { names: { en: [pressure], zh: [压力] }, register: holding, address: 3, type: float32, unit: { en: bar, zh: 巴 } }
      flow: { names: { en: [flow], zh: [流量] }, register: holding, address: 5, type: uint16, unavailable_values: [0xffff] }
      mode: { names: { en: [mode], zh: [模式] }, register: coil, address: 0, type: bool, enum: { 0: { en: stopped, zh: 停止 }, 1: { en: running, zh: 运行 } } }
  mixer:
    names: { en: [mixer], zh: [搅拌机] }
    device: plc
    points:
      phase: { names: { en: [status], zh: [状态] }, register: holding, address: 6, type: uint16, enum: { 0: { en: idle, zh: 空闲 }, 1: { en: mixing, zh: 搅拌 } } }
      speed-a: { names: { en: [speed setpoint], zh: [转速设定] }, register: holding, address: 7, type: uint16 }
      speed-b: { names: { en: [target speed], zh: [目标转速] }, register: holding, address: 8, type: uint16 }
`);

const ORDER: WorkOrder = {
  number: 12,
  key: 'k',
  machine: 'oven',
  title: 'change the seal',
  priority: 'high',
  createdAt: '2026-01-02T03:04:05.000Z',
  createdBy: 'line-1',
  state: 'open',
  remote: undefined,
};

let server: PymodbusServer;
let reader: StartedReader;
let checker: SystemFactChecker;
let order: WorkOrder;

beforeAll(async () => {
  server = await startPymodbusServer();
  // 6.2 as a float32 is 40C6 6666.
  await server.set(1, 'holding', 0, 2180, 240, 218, 0x40c6, 0x6666, 0xffff, 1, 900, 901);
  await server.set(1, 'coil', 0, 1);
  const plant = plantAt(server.port);
  const clocks = systemClocks();
  reader = await startReader({ plant }, { logger: silentLogger(), clocks, scheduler: systemScheduler });
  checker = new SystemFactChecker({
    plant,
    reader,
    orders: { find: async (number) => (number === order.number ? order : undefined) },
    clocks,
  });
});
beforeEach(() => {
  order = ORDER;
});
afterAll(async () => {
  await reader.stop();
  await server.stop();
});

const OVEN = 'machine:oven';
const MIXER = 'machine:mixer';
const WORK_ORDER = 'work_order:12';

const asked = (subject: string, predicate: string, value: Fact['value'], unit?: string) =>
  checker.check(fact(1, { subject, predicate, value, unit, validFromMs: 0 }), new AbortController().signal);

describe('what a PLC says of a fact', () => {
  it.each([
    [OVEN, 'value.temperature', 218.4, 'degrees', 'agrees'],
    [OVEN, 'value.temperature', 218.6, 'degrees', 'differs'],
    [OVEN, 'value.温度', 218, '度', 'agrees'],
    [OVEN, 'value.temperature', 424.4, 'degF', 'agrees'],
    [OVEN, 'value.temperature', 218, 'bar', 'unknown'],
    [OVEN, 'value.pressure', 6.2, 'bar', 'agrees'],
    [OVEN, 'value.pressure', 620, 'kpa', 'agrees'],
    [OVEN, 'value.pressure', 6.3, 'bar', 'differs'],
    [OVEN, 'limit.temperature', 240, 'degC', 'agrees'],
    [OVEN, 'limit.temperature', 260, 'degrees', 'differs'],
    [OVEN, 'limit.min.temperature', 20, 'degrees', 'unknown'],
    [OVEN, 'limit.pressure', 8, 'bar', 'unknown'],
    [OVEN, 'setpoint.temperature', 218, 'degrees', 'agrees'],
    [OVEN, 'setpoint.pressure', 218, undefined, 'unknown'],
    [OVEN, 'state', 'running', undefined, 'agrees'],
    [OVEN, 'state', '停止', undefined, 'differs'],
    [OVEN, 'state', 'in good order', undefined, 'unknown'],
    [MIXER, 'state', '搅拌', undefined, 'agrees'],
    [MIXER, 'state', 'idle', undefined, 'differs'],
    // A value that the device itself gives as none, two points that it may mean, and machines and points that are not there.
    [OVEN, 'value.flow', 3, undefined, 'unknown'],
    [MIXER, 'setpoint.speed', 900, undefined, 'unknown'],
    [OVEN, 'value.colour', 3, undefined, 'unknown'],
    ['machine:ghost', 'value.temperature', 3, undefined, 'unknown'],
  ] as const)('%s %s %s %s: %s', async (subject, predicate, value, unit, answer) => {
    await expect(asked(subject, predicate, value, unit)).resolves.toBe(answer);
  });

  it('is unknown when it does not answer', async () => {
    await server.stop();
    await expect(asked(OVEN, 'value.temperature', 218)).resolves.toBe('unknown');
    await server.restart();
    await eventually('it is back', async () => (await asked(OVEN, 'value.temperature', 218)) === 'agrees');
  });

  it('is unknown when the value is an old one', async () => {
    const old = new SystemFactChecker({
      plant: plantAt(server.port),
      reader: {
        read: async (refs) => {
          const [reading] = await reader.read(refs, 1000);
          if (reading === undefined) return [];
          return [{ ...reading, atMs: reading.atMs - 3_001 }];
        },
      },
      orders: { find: async () => undefined },
      clocks: systemClocks(),
    });
    const claim = fact(1, { subject: OVEN, predicate: 'limit.temperature', value: 240, validFromMs: 0 });
    await expect(old.check(claim, new AbortController().signal)).resolves.toBe('unknown');
  });
});

describe('what the work orders say of a fact', () => {
  it.each([
    ['state', 'open', 'agrees'],
    ['state', 'refused', 'differs'],
    // The far side may have closed it.
    ['state', 'closed', 'unknown'],
    ['priority', '高', 'agrees'],
    ['priority', 'low', 'differs'],
    ['machine', '烤炉', 'agrees'],
    ['machine', 'mixer', 'differs'],
    ['title', 'change the seal', 'agrees'],
    ['title', 'new gasket', 'unknown'],
  ])('%s %s: %s', async (predicate, value, answer) => {
    await expect(asked(WORK_ORDER, predicate, value)).resolves.toBe(answer);
    await expect(asked('work_order:13', predicate, value)).resolves.toBe('unknown');
  });

  it('that a closed one is open is denied', async () => {
    order = { ...ORDER, state: 'closed' };
    await expect(asked(WORK_ORDER, 'state', 'open')).resolves.toBe('differs');
    await expect(asked(WORK_ORDER, 'state', '完成')).resolves.toBe('agrees');
  });
});

describe('the second signature of a PLC', () => {
  let site: MemorySite;
  let store: SqliteMemoryStore;
  let time: HandTime;
  let cache: FactCache;
  let writer: FactWriter;
  let verifier: FactVerifier;
  let told: Fact[];
  let audited: unknown[];
  let checks: number;

  beforeEach(async () => {
    site = new MemorySite();
    store = await site.open();
    time = new HandTime();
    told = [];
    audited = [];
    checks = 0;
    const parts = { clocks: time, scheduler: time, logger: silentLogger() };
    cache = new FactCache({ store, ...parts, isClockSet: () => true });
    await cache.start();
    await eventually('facts are read', () => cache.health().status === 'ok');
    writer = new FactWriter({ store, cache, clocks: time, newId: randomUUID });
    verifier = new FactVerifier({
      store,
      writer,
      checker: {
        check: async (claim, signal) => {
          const answer = await checker.check(claim, signal);
          checks += 1;
          return answer;
        },
      },
      audit: { append: async (kind, detail) => void audited.push([kind, detail]) },
      telling: { rejected: (rejected) => told.push(rejected) },
      ...parts,
    });
    await verifier.start();
  });
  afterEach(async () => {
    await verifier.stop();
    await cache.stop();
    await site.remove();
  });

  const claim = (value: number) =>
    writer.tell(
      claimOf({ source: 'model', subject: OVEN, predicate: 'limit.temperature', value, unit: 'degrees' }),
    );
  const known = () => cache.look({ subject: 'oven', attribute: 'limit.temperature' });
  const nowOf = async () => (await store.factsNow()).map(({ status, source }) => `${status} ${source}`);

  async function scanned(): Promise<void> {
    const before = checks;
    time.pass(300_000);
    await eventually('the PLC was asked', () => checks > before);
  }

  it('comes within one scan to a claim of a model that agrees', async () => {
    await claim(240);
    expect(known().kind).not.toBe('known');
    await scanned();
    await eventually('it is believed', () => known().kind === 'known');
    expect(await nowOf()).toEqual(['verified plc']);
    expect(told).toEqual([]);
  });

  it('is refused to one that differs: told, audited, and not believed', async () => {
    await claim(260);
    await scanned();
    await eventually('it is audited', () => audited.length === 1);
    expect(audited).toMatchObject([['memory.rejected', { predicate: 'limit.temperature', by: 'plc' }]]);
    expect(told).toMatchObject([{ subject: OVEN, value: 260, source: 'model' }]);
    expect(known().kind).not.toBe('known');
    expect(await nowOf()).toEqual(['rejected model']);
  });

  it('waits while the PLC is away, and comes when the link returns', async () => {
    await server.stop();
    await claim(240);
    await scanned();
    expect(await nowOf()).toEqual(['pending model']);
    expect(told).toEqual([]);
    await server.restart();
    await eventually(
      'the link is back',
      async () => (await asked(OVEN, 'limit.temperature', 240)) === 'agrees',
    );
    await scanned();
    await eventually('it is believed', () => known().kind === 'known');
    expect(await nowOf()).toEqual(['verified plc']);
  });
});
