import { ModbusPlcBus } from '../adapters/modbus/modbus-plc-bus.ts';
import { DeviceBackoffs } from '../app/plc/device-backoffs.ts';
import { PatientBus } from '../app/plc/patient-bus.ts';
import { PlantPoller } from '../app/plc/plant-poller.ts';
import { PointImage } from '../app/plc/point-image.ts';
import { PointReader } from '../app/plc/point-reader.ts';
import { PointWriter } from '../app/plc/point-writer.ts';
import { RememberingReader } from '../app/plc/remembering-reader.ts';
import { WriteSettler } from '../app/plc/write-settler.ts';
import type { Audit, AuditTrail } from '../app/ports/audit.ts';
import type { PlcBus } from '../app/ports/plc-bus.ts';
import type { PlcReader } from '../app/ports/plc-reader.ts';
import { knownPoints } from '../app/read-value.ts';
import type { ReadingReport } from '../app/turn-report.ts';
import type { PlantModel } from '../domain/plc/plant-model.ts';
import type { WriteMode, WriteOutcome } from '../domain/plc/writing/write-order.ts';
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

/** Two orders for one device at once are rare; a tool has less time than the writer would give them. */
const LOCK_WAIT_MS = 1500;

/** The one way to write to a PLC. */
export interface Writing {
  readonly writer: PointWriter;
  /** To be started after the field's. */
  readonly service: Service;
}

/** Throws EdgeError PLANT_CONFLICT when a condition of the plant cannot be evaluated. */
export function composeWriting(
  plant: PlantModel,
  { bus }: Pick<Field, 'bus'>,
  given: {
    readonly writes: WriteMode;
    readonly audit: Audit & AuditTrail;
    readonly onSettled?: (outcome: WriteOutcome) => void;
  },
  runtime: Runtime,
): Writing {
  const { writes, audit, onSettled } = given;
  // What a write is decided on is read just then: no remembered value will do.
  const reader = new PointReader({ plant, bus, clocks: runtime.clocks });
  const writer = new PointWriter(
    { writes, lockWaitMs: LOCK_WAIT_MS },
    { ...runtime, plant, bus, reader, audit },
  );
  const settler = new WriteSettler({
    ...runtime,
    writes,
    trail: audit,
    writer,
    ...(onSettled === undefined ? {} : { onSettled }),
  });
  return { writer, service: settler };
}
