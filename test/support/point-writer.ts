import { ModbusPlcBus } from '../../src/adapters/modbus/modbus-plc-bus.ts';
import { PointReader } from '../../src/app/plc/point-reader.ts';
import { PointWriter, type PointWriterOptions } from '../../src/app/plc/point-writer.ts';
import type { Audit } from '../../src/app/ports/audit.ts';
import type { PlantModel } from '../../src/domain/plc/plant-model.ts';
import type { PointValue } from '../../src/domain/plc/reading.ts';
import type { WriteOrder, WriteOutcome } from '../../src/domain/plc/writing/write-order.ts';
import { systemClocks, systemScheduler } from '../../src/runtime/clocks.ts';
import { silentLogger } from '../../src/runtime/logger.ts';

/** A writer of points over a bus of its own. */
export interface StartedWriter {
  readonly bus: ModbusPlcBus;
  /** `name` is machine.point. */
  write(name: string, value: PointValue, more?: Partial<WriteOrder>): Promise<WriteOutcome>;
  stop(): Promise<void>;
}

export async function startWriter(
  plant: PlantModel,
  audit: Audit,
  options: Partial<PointWriterOptions> = {},
): Promise<StartedWriter> {
  const dependencies = { logger: silentLogger(), clocks: systemClocks(), scheduler: systemScheduler };
  const bus = new ModbusPlcBus({ plant }, dependencies);
  const reader = new PointReader({ plant, bus, clocks: dependencies.clocks });
  const writer = new PointWriter(
    { writes: 'on', ...options },
    { ...dependencies, plant, bus, reader, audit },
  );
  await bus.start(new AbortController().signal);
  return {
    bus,
    write: (name, value, more) => {
      const [machine = '', point = ''] = name.split('.');
      return writer.write({ ref: { machine, point }, value, by: 'Wang', because: 'trial batch', ...more });
    },
    stop: () => bus.stop(1_000),
  };
}
