/**
 * How fast the bus is beside libmodbus in C, on the same C server: time per round trip with a device that takes 5 ms, and
 * processor time per 1,000 reads with one that takes none; requests of a poll cycle beside the fewest possible; the share
 * of a core that 10,000 points a second take. Ends with one JSON line.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ModbusPlcBus } from '../../src/adapters/modbus/modbus-plc-bus.ts';
import { systemClocks, systemScheduler } from '../../src/runtime/clocks.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { compileWithLibmodbus } from '../support/compile-c.ts';
import { startLibmodbusTcpServer } from '../support/libmodbus-server.ts';
import { plantOf } from '../support/plant-file.ts';
import { requestsPerCycle, tenThousandPoints } from './parts/polling.ts';
import { percentile, report } from './report.ts';

interface Run {
  readonly wallMs: number;
  readonly cpuMs: number;
  /** Of one read. */
  readonly medianMs: number;
}

type Reader = (reads: number) => Promise<Run>;

const SERVICE_US = 5_000;
/** Many short rounds: what disturbs the machine for a second spoils few of them. */
const PACED = { rounds: 41, reads: 20 };
const FLAT_OUT = { rounds: 11, reads: 3_000 };
const BUDGET = { ratio_vs_libmodbus: 1.1, requests_over_fewest: 1, late_cycles: 0, points_not_good: 0 };

/** Reads 10 holding registers over and over by our bus; libmodbus's server has one client at a time. */
async function withBus<T>(port: number, use: (reads: Reader) => Promise<T>): Promise<T> {
  const plant = plantOf(`
connections: { line-1: { transport: tcp, host: 127.0.0.1, port: ${port} } }
devices: { plc: { connection: line-1, unit_id: 1, address_base: 0 } }
machines: {}`);
  const dependencies = { logger: silentLogger(), clocks: systemClocks(), scheduler: systemScheduler };
  const bus = new ModbusPlcBus({ plant }, dependencies);
  await bus.start(new AbortController().signal);
  const span = { table: 'holding', address: 20, count: 10 } as const;
  const call = { priority: 'poll', deadlineMs: 5_000 } as const;
  await bus.read('plc', span, call);
  try {
    return await use(async (reads) => {
      const startedMs = performance.now();
      const before = process.cpuUsage();
      const tookMs = new Array<number>(reads).fill(0);
      for (let read = 0; read < reads; read += 1) {
        const begunMs = performance.now();
        const words = await bus.read('plc', span, call);
        tookMs[read] = performance.now() - begunMs;
        if (words[9] !== 29) throw new Error(`wrong answer ${words.join(' ')}`);
      }
      const { user, system } = process.cpuUsage(before);
      const wallMs = performance.now() - startedMs;
      return { wallMs, cpuMs: (user + system) / 1_000, medianMs: percentile(tookMs, 0.5) };
    });
  } finally {
    await bus.stop(1_000);
  }
}

async function withLibmodbus<T>(
  program: string,
  port: number,
  use: (reads: Reader) => Promise<T>,
): Promise<T> {
  const child = spawn(program, [String(port)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  try {
    return await use(async (reads) => {
      child.stdin.write(`${reads}\n`);
      const [wallMs, cpuMs, medianMs] = String((await lines.next()).value)
        .split(' ')
        .map(Number);
      if (wallMs === undefined || cpuMs === undefined || medianMs === undefined)
        throw new Error('the libmodbus client has failed');
      return { wallMs, cpuMs, medianMs };
    });
  } finally {
    child.kill();
  }
}

/** Medians per read of runs that take turns, so that whatever else the machine does meets both alike. */
async function besides(
  program: string,
  serviceUs: number,
  { rounds, reads }: { readonly rounds: number; readonly reads: number },
): Promise<{ ours: Run; theirs: Run }> {
  const ours: Run[] = [];
  const theirs: Run[] = [];
  const server = await startLibmodbusTcpServer(serviceUs);
  await withBus(server.port, (read) => read(reads));
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await withBus(server.port, (read) => read(reads)));
    theirs.push(await withLibmodbus(program, server.port, (read) => read(reads)));
  }
  await server.stop();
  return { ours: perRead(ours, reads), theirs: perRead(theirs, reads) };
}

function perRead(runs: readonly Run[], reads: number): Run {
  const median = (of: (run: Run) => number): number => percentile(runs.map(of), 0.5);
  return {
    wallMs: median(({ wallMs }) => wallMs) / reads,
    cpuMs: median(({ cpuMs }) => cpuMs) / reads,
    medianMs: median(({ medianMs }) => medianMs),
  };
}

/** The bus alone, beside libmodbus. */
async function roundTrips(): Promise<Record<string, number>> {
  const program = await compileWithLibmodbus(fileURLToPath(new URL('./libmodbus-client.c', import.meta.url)));
  // First, so that the paced runs find the program as warm as one that has run for a day.
  const flatOut = await besides(program, 0, FLAT_OUT);
  const paced = await besides(program, SERVICE_US, PACED);
  return {
    ratio_vs_libmodbus: paced.ours.medianMs / paced.theirs.medianMs,
    round_trip_p50_ms: paced.ours.medianMs,
    libmodbus_round_trip_p50_ms: paced.theirs.medianMs,
    round_trips_per_s: 1_000 / paced.ours.wallMs,
    libmodbus_round_trips_per_s: 1_000 / paced.theirs.wallMs,
    cpu_ms_per_1000_reads: flatOut.ours.cpuMs * 1_000,
    libmodbus_cpu_ms_per_1000_reads: flatOut.theirs.cpuMs * 1_000,
    flat_out_reads_per_s: 1_000 / flatOut.ours.wallMs,
    libmodbus_flat_out_reads_per_s: 1_000 / flatOut.theirs.wallMs,
  };
}

// The bench's parts, each with figures of its own; what has a budget is in BUDGET.
report(
  'modbus',
  { ...(await roundTrips()), ...(await requestsPerCycle()), ...(await tenThousandPoints()) },
  BUDGET,
);
