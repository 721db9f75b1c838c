import { ModbusPlcBus } from '../adapters/modbus/modbus-plc-bus.ts';
import { DeviceBackoffs } from '../app/plc/device-backoffs.ts';
import { PatientBus } from '../app/plc/patient-bus.ts';
import { PlantPoller } from '../app/plc/plant-poller.ts';
import { PointImage } from '../app/plc/point-image.ts';
import { PointReader } from '../app/plc/point-reader.ts';
import { RememberingReader } from '../app/plc/remembering-reader.ts';
import type { PlcBus } from '../app/ports/plc-bus.ts';
import type { PlcReader } from '../app/ports/plc-reader.ts';
import { knownPoints } from '../app/read-value.ts';
import type { ReadingReport } from '../app/turn-report.ts';
import type { PlantModel } from '../domain/plc/plant-model.ts';
import type { Service } from '../runtime/service.ts';
import type { Runtime } from './runtime.ts';

/** Everything between the devices and those who want their values. */
export interface Field {
  readonly reader: PlcReader;
  readonly image: PointImage;
  readonly bus: PlcBus;
  /** In the order of their start. */
  readonly services: readonly Service[];
  points(): readonly ReadingReport[];
}

export function composeField(
  plant: PlantModel,
  runtime: Runtime,
  endpointOf?: (connection: string) => { readonly host: string; readonly port: number } | undefined,
): Field {
  const { clocks } = runtime;
  const modbus = new ModbusPlcBus({ plant, ...(endpointOf === undefined ? {} : { endpointOf }) }, runtime);
  const backoffs = new DeviceBackoffs();
  const bus = new PatientBus({ bus: modbus, backoffs, clocks });
  const image = new PointImage(plant, clocks);
  const poller = new PlantPoller({ ...runtime, plant, bus, backoffs, image });
  return {
    reader: new RememberingReader(new PointReader({ plant, bus, clocks }), image),
    image,
    bus,
    services: [modbus, poller],
    points: () => knownPoints({ image, plant, clocks }),
  };
}
