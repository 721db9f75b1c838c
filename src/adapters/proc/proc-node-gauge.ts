import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { NodeFigures, NodeGauge } from '../../app/ports/node-gauge.ts';
import type { Cancel, Clocks, Scheduler } from '../../runtime/clocks.ts';
import type { Health, Service } from '../../runtime/service.ts';

const EVERY_MS = 5000;
/** Older than this, a sample says nothing of now. */
const MAX_AGE_MS = 30_000;
/** Hotter than any chip that still works: a sensor that says so is broken. Degrees Celsius. */
const MAX_PLAUSIBLE_C = 150;

interface Parts {
  readonly clocks: Clocks;
  readonly scheduler: Scheduler;
  /** Where `proc` and `sys` are. */
  readonly root?: string;
}

/** Time of all cores since the start of the machine, in ticks. */
interface CpuTimes {
  readonly total: number;
  readonly idle: number;
}

/** How busy the box is, from /proc and /sys every five seconds: four small files that the kernel makes as they are read. */
export class ProcNodeGauge implements NodeGauge, Service {
  readonly name = 'node load';
  readonly #parts: Parts;
  #cancel: Cancel | undefined;
  #cpu: CpuTimes | undefined;
  #sample: { readonly figures: NodeFigures; readonly atMs: number } | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    this.#take();
  }

  async stop(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  figures(): NodeFigures {
    const sample = this.#sample;
    return sample === undefined || this.#parts.clocks.monotonicMs() - sample.atMs > MAX_AGE_MS
      ? {}
      : sample.figures;
  }

  health(): Health {
    const figures = this.figures();
    const { cpu_used_percent: cpu, memory_used_percent: memory } = figures;
    const detail = `CPU ${shown(cpu)}, memory ${shown(memory)}`;
    return { status: 'ok', detail, figures: { ...figures } };
  }

  #take(): void {
    const { clocks, scheduler } = this.#parts;
    const before = this.#cpu;
    this.#cpu = cpuTimes(this.#text('proc/stat'));
    const figures = {
      cpu_used_percent: cpuUsed(before, this.#cpu),
      load_per_core: loadPerCore(this.#text('proc/loadavg')),
      memory_used_percent: memoryUsed(this.#text('proc/meminfo')),
      temperature_c: celsius(this.#text('sys/class/thermal/thermal_zone0/temp')),
    };
    this.#sample = { figures: known(figures), atMs: clocks.monotonicMs() };
    this.#cancel = scheduler.after(EVERY_MS, () => this.#take());
  }

  /** Empty for a file that is not there: a container may lack any of them, and most boxes have no thermal zone. */
  #text(file: string): string {
    try {
      return readFileSync(join(this.#parts.root ?? '/', file), 'latin1');
    } catch {
      return '';
    }
  }
}

/** The line of all cores: user, nice, system, idle, iowait, irq, softirq, steal (proc(5)). */
function cpuTimes(stat: string): CpuTimes | undefined {
  const ticks = /^cpu +([\d ]+)$/m.exec(stat)?.[1]?.split(' ').map(Number).slice(0, 8);
  const [, , , idle, iowait] = ticks ?? [];
  if (ticks === undefined || idle === undefined || iowait === undefined) return undefined;
  return { total: ticks.reduce((sum, each) => sum + each, 0), idle: idle + iowait };
}

function cpuUsed(before: CpuTimes | undefined, now: CpuTimes | undefined): number | undefined {
  if (before === undefined || now === undefined || now.total <= before.total) return undefined;
  const share = 1 - (now.idle - before.idle) / (now.total - before.total);
  return percent(share);
}

function loadPerCore(loadavg: string): number | undefined {
  const load = /^\d+\.\d+/.exec(loadavg)?.[0];
  return load === undefined ? undefined : Math.round((Number(load) / availableParallelism()) * 100) / 100;
}

function memoryUsed(meminfo: string): number | undefined {
  const total = Number(/^MemTotal: +(\d+) kB$/m.exec(meminfo)?.[1]);
  const available = Number(/^MemAvailable: +(\d+) kB$/m.exec(meminfo)?.[1]);
  return total > 0 && available >= 0 ? percent(1 - available / total) : undefined;
}

function celsius(temp: string): number | undefined {
  const found = /^-?\d+$/.exec(temp.trim())?.[0];
  const degrees = Number(found) / 1000;
  return found === undefined || Math.abs(degrees) > MAX_PLAUSIBLE_C ? undefined : degrees;
}

function percent(share: number): number {
  return Math.round(Math.min(1, Math.max(0, share)) * 1000) / 10;
}

function known(figures: Readonly<Record<string, number | undefined>>): NodeFigures {
  return Object.fromEntries(
    Object.entries(figures).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function shown(value: number | undefined): string {
  return value === undefined ? 'unknown' : `${value} %`;
}
