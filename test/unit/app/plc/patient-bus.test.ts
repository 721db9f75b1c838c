import { describe, expect, it } from 'vitest';
import { DeviceBackoffs } from '../../../../src/app/plc/device-backoffs.ts';
import { PatientBus } from '../../../../src/app/plc/patient-bus.ts';
import { PointReader } from '../../../../src/app/plc/point-reader.ts';
import type { BusPriority } from '../../../../src/app/ports/plc-bus.ts';
import { systemClocks } from '../../../../src/runtime/clocks.ts';
import { modelDevice } from '../../../support/model-device.ts';
import { registerPlant } from '../../../support/register-plant.ts';

const SPAN = { table: 'holding', address: 0, count: 1 } as const;

function patient() {
  const time = { nowMs: 0 };
  const clocks = { ...systemClocks(), monotonicMs: () => time.nowMs };
  const model = modelDevice();
  const bus = new PatientBus({ bus: model.bus, backoffs: new DeviceBackoffs(), clocks });
  const read = (priority: BusPriority) => bus.read('plc', SPAN, { priority, deadlineMs: 1_000 });
  return { time, clocks, model, bus, read };
}

describe('the bus for all who use it', () => {
  it('does not put to a silent device what nobody waits for, until its pause is over', async () => {
    const { read, model, time } = patient();
    model.isSilent = true;
    await expect(read('poll')).rejects.toMatchObject({ code: 'MODBUS_TIMEOUT' });
    await expect(read('poll')).rejects.toMatchObject({ code: 'MODBUS_LEFT_ALONE', message: 'no answer' });
    expect(model.reads).toHaveLength(1);
    time.nowMs += 2_000;
    await expect(read('poll')).rejects.toMatchObject({ code: 'MODBUS_TIMEOUT' });
    expect(model.reads).toHaveLength(2);
  });

  it('always puts what a person waits for, and lets the polls go on when that is answered', async () => {
    const { read, model } = patient();
    model.isSilent = true;
    await expect(read('poll')).rejects.toMatchObject({ code: 'MODBUS_TIMEOUT' });
    await expect(read('answer')).rejects.toMatchObject({ code: 'MODBUS_TIMEOUT' });
    model.isSilent = false;
    expect(await read('answer')).toEqual([0]);
    expect(await read('poll')).toEqual([0]);
  });

  it('takes a refusal, and noise, for signs of life', async () => {
    const { read, model } = patient();
    model.missing.add(0);
    await expect(read('poll')).rejects.toMatchObject({ code: 'MODBUS_REFUSED' });
    model.isSpoilt = () => true;
    await expect(read('poll')).rejects.toMatchObject({ code: 'MODBUS_GARBLED' });
    model.isSpoilt = () => false;
    model.missing.clear();
    expect(await read('poll')).toEqual([0]);
  });
});

describe('a question about a device', () => {
  it('that gives no answer costs one timeout, however many reads it would take', async () => {
    const { bus, clocks, model } = patient();
    const plant = registerPlant([{ address: 0 }, { address: 10 }, { address: 20 }, { address: 30 }]);
    const reader = new PointReader({ plant, bus, clocks });
    model.isSilent = true;
    const readings = await reader.read(
      plant.points().map(({ ref }) => ref),
      3_000,
    );
    expect(readings).toHaveLength(4);
    expect(readings.every((reading) => reading.quality === 'bad' && reading.reason === 'timeout')).toBe(true);
    expect(model.reads).toHaveLength(1);
  });

  it('that answers is asked for the rest although noise spoils one read', async () => {
    const { bus, clocks, model } = patient();
    const plant = registerPlant([{ address: 0 }, { address: 10 }, { address: 20 }]);
    const reader = new PointReader({ plant, bus, clocks });
    model.isSpoilt = () => model.reads.length === 2;
    const readings = await reader.read(
      plant.points().map(({ ref }) => ref),
      3_000,
    );
    expect(readings.map(({ quality }) => quality)).toEqual(['good', 'bad', 'good']);
  });
});
