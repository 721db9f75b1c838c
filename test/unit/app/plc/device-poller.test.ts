import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DeviceBackoffs } from '../../../../src/app/plc/device-backoffs.ts';
import { DevicePoller } from '../../../../src/app/plc/device-poller.ts';
import { PatientBus } from '../../../../src/app/plc/patient-bus.ts';
import { PointImage } from '../../../../src/app/plc/point-image.ts';
import type { KnownReading } from '../../../../src/domain/plc/reading.ts';
import { type Clocks, systemClocks } from '../../../../src/runtime/clocks.ts';
import { silentLogger } from '../../../../src/runtime/logger.ts';
import { fewestReads } from '../../../support/fewest-reads.ts';
import { type ModelDevice, modelDevice } from '../../../support/model-device.ts';
import { registerPlant, type WantedPoint } from '../../../support/register-plant.ts';

const life = new AbortController().signal;

function polled(wanted: readonly WantedPoint[], settings = '') {
  const time = { nowMs: 0 };
  const clocks: Clocks = { ...systemClocks(), monotonicMs: () => time.nowMs };
  const model: ModelDevice = modelDevice();
  const plant = registerPlant(wanted, settings);
  const device = plant.device('plc');
  if (device === undefined) throw new Error('no device');
  const image = new PointImage(plant, clocks);
  const told: KnownReading[] = [];
  image.onReadings((readings) => told.push(...readings));
  const points = plant.points();
  const backoffs = new DeviceBackoffs();
  const bus = new PatientBus({ bus: model.bus, backoffs, clocks });
  const poller = new DevicePoller(device, points, { bus, backoffs, image, clocks, logger: silentLogger() });
  return {
    time,
    model,
    device,
    points,
    poller,
    image,
    told,
    /** Polls once, a second later, and returns the requests that it took. */
    async cycle(afterMs = 1_000) {
      time.nowMs += afterMs;
      const before = model.reads.length;
      await poller.cycle(life);
      return model.reads.slice(before).map(({ address, count }) => `${address}+${count}`);
    },
    value: (index: number) => {
      const reading = image.known({ machine: 'm', point: `p${index}` });
      return reading.quality === 'good' ? reading.value : `${reading.quality}: ${reading.reason}`;
    },
  };
}

const row = (...addresses: number[]): WantedPoint[] => addresses.map((address) => ({ address }));

describe('the polling of one device', () => {
  it('reads its points in as few requests as it can', async () => {
    const { cycle, value } = polled(row(0, 1, 2, 10));
    expect(await cycle()).toEqual(['0+3', '10+1']);
    expect([0, 1, 2, 3].map(value)).toEqual([0, 1, 2, 10]);
  });

  it('finds the one register that is refused, keeps the others going and leaves it out of the next poll', async () => {
    const { cycle, value, model, poller } = polled(row(0, 1, 2, 3, 4, 5, 6, 7));
    model.missing.add(5);
    await cycle();
    expect([0, 1, 2, 3, 4, 5, 6, 7].map(value)).toEqual([0, 1, 2, 3, 4, 'bad: refused', 6, 7]);
    expect(poller.refused.map(([point, detail]) => [point.address, detail])).toEqual([
      [5, 'exception 2 (illegal data address)'],
    ]);
    expect(await cycle()).toEqual(['0+5', '6+2']);
  });

  it('tries a refused register again after a while, more and more rarely, and takes it back when it is given', async () => {
    const { cycle, value, model, poller, time } = polled(row(0, 1, 2));
    model.missing.add(1);
    await cycle();
    expect(await cycle()).toEqual(['0+1', '2+1']);
    time.nowMs += 60_000;
    expect(await cycle()).toEqual(['0+1', '2+1', '1+1']);
    time.nowMs += 60_000;
    expect(await cycle()).toEqual(['0+1', '2+1']);
    time.nowMs += 60_000;
    model.missing.clear();
    expect(await cycle()).toEqual(['0+1', '2+1', '1+1']);
    expect(value(1)).toBe(1);
    expect(poller.refused).toEqual([]);
    expect(await cycle()).toEqual(['0+3']);
  });

  it('stops reading over a gap that the device refuses, without blaming a point', async () => {
    const { cycle, value, model } = polled(row(0, 1, 4, 5), 'max_gap: 10');
    model.missing.add(2);
    await cycle();
    expect([0, 1, 2, 3].map(value)).toEqual([0, 1, 4, 5]);
    expect(await cycle()).toEqual(['0+2', '4+2']);
  });

  it('finds the border between two blocks that are not given together', async () => {
    const { cycle, value, model } = polled(row(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
    model.blockStarts.add(3);
    for (let i = 0; i < 8; i += 1) await cycle();
    expect([0, 3, 9].map(value)).toEqual([0, 3, 9]);
    expect(await cycle()).toEqual(['0+3', '3+7']);
  });

  it('finds how many registers the device gives at once', async () => {
    const { cycle, model, poller } = polled(row(...Array.from({ length: 100 }, (_, address) => address)));
    model.most = 37;
    for (let i = 0; i < 12; i += 1) await cycle();
    expect(await cycle()).toEqual(['0+37', '37+37', '74+26']);
    expect(poller.refused).toEqual([]);
  });

  it('puts to the test what it learned: at once when the device was away, else after a while', async () => {
    const { cycle, model, value, time } = polled(row(...Array.from({ length: 40 }, (_, address) => address)));
    model.most = 10;
    model.missing.add(39);
    for (let i = 0; i < 8; i += 1) await cycle();
    expect((await cycle()).length).toBeGreaterThan(3);
    model.isSilent = true;
    await cycle();
    model.isSilent = false;
    model.most = 125;
    model.missing.clear();
    time.nowMs += 3_000;
    await cycle();
    expect(await cycle()).toEqual(['0+40']);
    expect(value(39)).toBe(39);

    model.most = 10;
    for (let i = 0; i < 8; i += 1) await cycle();
    model.most = 125;
    expect((await cycle()).length).toBeGreaterThan(3);
    time.nowMs += 600_000;
    await cycle();
    expect(await cycle()).toEqual(['0+40']);
  });

  it('asks a silent device once, and then ever more rarely', async () => {
    const { cycle, model, poller } = polled(row(0, 10, 20));
    await cycle();
    model.isSilent = true;
    const requests: number[] = [];
    for (let i = 0; i < 60; i += 1) requests.push((await cycle()).length);
    expect(Math.max(...requests)).toBe(1);
    expect(requests.filter((count) => count === 1).length).toBeLessThanOrEqual(7);
    expect(poller.trouble).toBe('no answer');
    model.isSilent = false;
    for (let i = 0; i < 61; i += 1) await cycle();
    expect(poller.trouble).toBeUndefined();
    expect(await cycle()).toHaveLength(3);
  });

  it('holds the last value of a silent device until it is stale, then says so once', async () => {
    const { cycle, model, image, told, value } = polled(row(0), 'stale_after_ms: 2500');
    await cycle();
    model.isSilent = true;
    told.length = 0;
    await cycle();
    await cycle();
    expect(value(0)).toBe(0);
    expect(told).toEqual([]);
    await cycle();
    await cycle();
    expect(image.known({ machine: 'm', point: 'p0' })).toMatchObject({
      quality: 'stale',
      reason: 'timeout',
      last: { quality: 'good', value: 0, atMs: 1_000 },
    });
    expect(told.map(({ quality }) => quality)).toEqual(['stale']);
  });

  it('says of a point that was never read why, and of one not yet read that it was not', async () => {
    const { cycle, model, value, told } = polled(row(0));
    expect(value(0)).toBe('bad: not_read');
    model.isSilent = true;
    await cycle();
    expect(value(0)).toBe('bad: timeout');
    expect(told).toMatchObject([{ quality: 'bad', reason: 'timeout' }]);
  });

  it.each([0, 20, 40])(
    'keeps reading the others when its read at %d gets no answer, and asks that one ever more rarely',
    async (silent) => {
      const { cycle, model, value, poller } = polled(row(0, 10, 20, 30, 40), 'stale_after_ms: 4000');
      const others = [0, 10, 20, 30, 40].filter((address) => address !== silent);
      await cycle();
      model.silentAt.add(silent);
      const asked: number[] = [];
      for (let i = 0; i < 120; i += 1) {
        const before = model.reads.length;
        await cycle();
        asked.push(...model.reads.slice(before).map(({ address }) => address));
        for (const address of others) expect(value(address / 10)).toBe(address);
      }
      expect(value(silent / 10)).toBe('stale: timeout');
      expect(asked.filter((address) => address === silent).length).toBeLessThanOrEqual(9);
      for (const address of others)
        expect(asked.filter((each) => each === address).length).toBeGreaterThan(90);
      expect(poller.silentReads).toBe(1);
      expect(poller.trouble).toBeUndefined();
      model.silentAt.clear();
      for (let i = 0; i < 70; i += 1) await cycle();
      expect(value(silent / 10)).toBe(silent);
      expect(poller.silentReads).toBe(0);
    },
  );

  it('reads every point through noise that spoils three answers in ten', async () => {
    const { cycle, model, value } = polled(row(0, 10, 20, 30, 40, 50));
    let draw = 7;
    model.isSpoilt = () => {
      draw = (draw * 1_103_515_245 + 12_345) % 2 ** 31;
      return draw / 2 ** 31 < 0.3;
    };
    const good = [0, 0, 0, 0, 0, 0];
    for (let i = 0; i < 100; i += 1) {
      const before = model.reads.length;
      await cycle();
      expect(model.reads.length - before).toBeLessThanOrEqual(18);
      for (const index of good.keys()) if (value(index) === index * 10) good[index] = (good[index] ?? 0) + 1;
    }
    for (const count of good) expect(count).toBeGreaterThan(97);
  });

  it('gives up for a while on a device of which nothing can be understood', async () => {
    const { cycle, model, value, poller } = polled(row(0, 10, 20, 30), 'stale_after_ms: 3000');
    await cycle();
    model.isSpoilt = () => true;
    const before = model.reads.length;
    for (let i = 0; i < 20; i += 1) await cycle();
    expect(model.reads.length - before).toBeLessThan(20 * 9);
    expect(value(0)).toBe('stale: unreachable');
    expect(poller.trouble).toBe('a wrong checksum');
  });

  it('ends without news when it is stopped in the middle', async () => {
    const { model, poller, told, time } = polled(row(0));
    const abort = new AbortController();
    model.isSilent = true;
    time.nowMs = 1_000;
    const cycle = poller.cycle(abort.signal);
    abort.abort();
    await cycle;
    expect(told).toEqual([]);
    expect(poller.trouble).toBeUndefined();
  });

  it('comes to rest with the right quality of every point and nothing refused, whatever the device hides', async () => {
    const hidden = fc.record({
      missing: fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 5 }),
      blockStarts: fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 3 }),
    });
    const addresses = fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(addresses, hidden, fc.integer({ min: 0, max: 3 }), async (wanted, secret, gap) => {
        const { cycle, points, model, value } = polled(row(...wanted), `max_gap: ${gap}`);
        for (const cell of secret.missing) model.missing.add(cell);
        for (const cell of secret.blockStarts) model.blockStarts.add(cell);
        for (let i = 0; i < 12; i += 1) await cycle();
        for (const [index, { address }] of points.entries())
          expect(value(index)).toBe(model.missing.has(address) ? 'bad: refused' : address);
        const before = model.reads.length;
        await cycle();
        // No request is refused any more: what was learned is enough.
        const last = model.reads.slice(before);
        for (const { address, count } of last)
          for (let cell = address; cell < address + count; cell += 1) {
            expect(model.missing.has(cell)).toBe(false);
            if (cell > address) expect(model.blockStarts.has(cell)).toBe(false);
          }
      }),
      { numRuns: 200 },
    );
  });

  it('takes the fewest requests where the device hides nothing', async () => {
    const { cycle, points, device } = polled(row(0, 1, 5, 6, 30, 31, 200), 'max_gap: 4');
    expect((await cycle()).length).toBe(fewestReads(device, points));
  });
});
