import { ModbusPlcBus, type ModbusPlcBusOptions } from '../../src/adapters/modbus/modbus-plc-bus.ts';
import { PointReader } from '../../src/app/plc/point-reader.ts';
import type { PlcReader } from '../../src/app/ports/plc-reader.ts';
import type { Clocks, Scheduler } from '../../src/runtime/clocks.ts';
import type { Logger } from '../../src/runtime/logger.ts';
import type { Health } from '../../src/runtime/service.ts';

/** A reader of points over a bus of its own. */
export interface StartedReader extends PlcReader {
  health(): Health;
  stop(): Promise<void>;
}

export async function startReader(
  options: ModbusPlcBusOptions,
  dependencies: { readonly logger: Logger; readonly clocks: Clocks; readonly scheduler: Scheduler },
): Promise<StartedReader> {
  const bus = new ModbusPlcBus(options, dependencies);
  const reader = new PointReader({ plant: options.plant, bus, clocks: dependencies.clocks });
  await bus.start(new AbortController().signal);
  return {
    read: (points, deadlineMs, priority) => reader.read(points, deadlineMs, priority),
    health: () => bus.health(),
    stop: () => bus.stop(1_000),
  };
}
