import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, freemem, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProcNodeGauge } from '../../../src/adapters/proc/proc-node-gauge.ts';
import { HandTime } from '../../support/hand-time.ts';

describe('the load of the box', () => {
  let root: string;
  let time: HandTime;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'hermes-proc-'));
    time = new HandTime();
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const write = (file: string, text: string): void => {
    mkdirSync(join(root, file, '..'), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  const gaugeOf = async (): Promise<ProcNodeGauge> => {
    const gauge = new ProcNodeGauge({ clocks: time, scheduler: time, root });
    await gauge.start();
    return gauge;
  };

  it('is what the kernel of this machine says', async () => {
    const gauge = new ProcNodeGauge({ clocks: time, scheduler: time });
    await gauge.start();
    const load = (loadavg()[0] ?? 0) / availableParallelism();
    const { load_per_core: perCore = -1, memory_used_percent: memory = -1 } = gauge.figures();
    expect(perCore).toBeGreaterThan(load - 1);
    expect(perCore).toBeLessThan(load + 1);
    // What is free now is a part of what can be had.
    expect(memory).toBeGreaterThan(0);
    expect(memory).toBeLessThanOrEqual(100 * (1 - freemem() / totalmem()) + 5);
    await gauge.stop();
    expect(time.timers).toBe(0);
  });

  it('is the use of all cores between two looks, five seconds apart', async () => {
    write('proc/stat', 'cpu  100 0 100 700 100 0 0 0 50 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n');
    const gauge = await gaugeOf();
    expect(gauge.figures()).not.toHaveProperty('cpu_used_percent');
    write('proc/stat', 'cpu  150 0 120 720 110 0 0 0 90 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n');
    time.pass(5000);
    expect(gauge.figures()).toEqual({ cpu_used_percent: 70 });
  });

  it('has the memory that can still be had and the temperature, where there are any', async () => {
    write(
      'proc/meminfo',
      'MemTotal:        4000000 kB\nMemFree:          100000 kB\nMemAvailable:    1000000 kB\n',
    );
    write('sys/class/thermal/thermal_zone0/temp', '56780\n');
    const gauge = await gaugeOf();
    expect(gauge.figures()).toEqual({ memory_used_percent: 75, temperature_c: 56.78 });
    expect(gauge.health().detail).toBe('CPU unknown, memory 75 %');
    write('sys/class/thermal/thermal_zone0/temp', '200000\n');
    time.pass(5000);
    expect(gauge.figures()).toEqual({ memory_used_percent: 75 });
  });

  it('is not known from files that make no sense, nor from a sample that is older than 30 s', async () => {
    for (const file of ['proc/stat', 'proc/loadavg', 'proc/meminfo']) write(file, 'cpu x\nMemTotal: many\n');
    const gauge = await gaugeOf();
    expect(gauge.figures()).toEqual({});
    write('proc/meminfo', 'MemTotal: 400 kB\nMemAvailable: 100 kB\n');
    time.pass(5000);
    expect(gauge.figures()).toEqual({ memory_used_percent: 75 });
    await gauge.stop();
    time.pass(30_000);
    expect(gauge.figures()).toEqual({ memory_used_percent: 75 });
    time.pass(1);
    expect(gauge.figures()).toEqual({});
  });
});
