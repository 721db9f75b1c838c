import { describe, expect, it } from 'vitest';
import { HistoryRecorder } from '../../../../src/app/history/history-recorder.ts';
import { PointImage } from '../../../../src/app/plc/point-image.ts';
import type { Sample } from '../../../../src/domain/history/sample.ts';
import type { PointValue } from '../../../../src/domain/plc/reading.ts';
import { systemClocks } from '../../../../src/runtime/clocks.ts';
import { plantOf } from '../../../support/plant-file.ts';

/** A recorder over one point with these settings; `read` lets a good reading of a value come. */
async function recording(settings: string) {
  const time = { nowMs: 0 };
  const clocks = {
    ...systemClocks(),
    monotonicMs: () => time.nowMs,
    wall: () => new Date(1_000_000 + time.nowMs),
  };
  const plant = plantOf(`
connections: { line: { transport: tcp, host: a } }
devices: { plc: { connection: line, unit_id: 1, address_base: 0 } }
machines:
  m:
    names: { en: [m], zh: [m] }
    device: plc
    points: { a: { names: { en: [a], zh: [a] }, register: holding, address: 0, type: int16${settings} } }`);
  const image = new PointImage(plant, clocks);
  const samples: Sample[] = [];
  const store = { append: (some: readonly Sample[]) => void samples.push(...some) };
  const recorder = new HistoryRecorder({ plant, image, store, clocks, clockState: () => 'synced' });
  await recorder.start(new AbortController().signal);
  const points = plant.points();
  return {
    samples,
    recorder,
    read(value: PointValue, afterMs = 1_000) {
      time.nowMs += afterMs;
      const [point] = points;
      if (point === undefined) throw new Error('no point');
      image.record(points, [{ ref: point.ref, ...image.stamp(), quality: 'good', value }]);
    },
    fail(afterMs: number) {
      time.nowMs += afterMs;
      image.noteTrouble(points, 'timeout', 'no answer');
    },
    values: () => samples.map(({ value }) => value),
  };
}

describe('what history keeps of a point', () => {
  it('is every change, and now and then that there was none', async () => {
    const { read, values } = await recording('');
    for (const value of [5, 5, 6, 6, 5]) read(value);
    expect(values()).toEqual([5, 6, 5]);
    for (let i = 0; i < 60; i += 1) read(5);
    expect(values()).toEqual([5, 6, 5, 5]);
  });

  it('leaves out changes within the deadband of the last one kept', async () => {
    const { read, values } = await recording(', deadband: 2');
    for (const value of [10, 11, 12, 13, 12]) read(value);
    expect(values()).toEqual([10, 13]);
  });

  it('is one value a period where the map says so', async () => {
    const { read, values } = await recording(', report: on_period, report_period_ms: 5000');
    for (let value = 0; value < 11; value += 1) read(value);
    expect(values()).toEqual([0, 5, 10]);
  });

  it('is that a value went stale, without a number, and that it came back', async () => {
    const { read, fail, samples } = await recording('');
    read(7);
    fail(3_500);
    fail(1_000);
    read(7);
    expect(samples.map(({ quality, value, reason }) => [quality, value, reason])).toEqual([
      ['good', 7, undefined],
      ['stale', undefined, 'timeout'],
      ['good', 7, undefined],
    ]);
  });

  it('carries time, boot and order, and ends when the recorder stops', async () => {
    const { read, samples, recorder } = await recording('');
    read(1);
    await recorder.stop(0);
    read(2);
    expect(samples).toMatchObject([{ atMs: 1_001_000, monotonicMs: 1_000, clock: 'synced', seq: 1 }]);
  });
});
