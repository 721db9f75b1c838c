import { EmbeddedBroker } from '../adapters/mqtt/embedded-broker.ts';
import { SimulatedLine } from '../adapters/simulator/simulated-line.ts';
import { shipped } from '../config/shipped.ts';
import type { PlantModel } from '../domain/plc/plant-model.ts';
import { EdgeError } from '../runtime/edge-error.ts';
import { createRuntime, type Runtime } from './runtime.ts';
import { loadPlant } from './site.ts';

/** The simulated line of a plant's only connection. Throws EdgeError USAGE when the plant has another number of them. */
export function composeLine(plant: PlantModel, port: number | undefined, runtime: Runtime): SimulatedLine {
  const connections = [...plant.connections.keys()];
  const [connection, ...others] = connections;
  if (connection === undefined || others.length > 0) {
    throw new EdgeError(
      'USAGE',
      `a simulated line serves one connection; the device map has ${connections.length}`,
    );
  }
  return new SimulatedLine({ plant, connection, ...(port === undefined ? {} : { port }) }, runtime);
}

export function composeBroker(port: number): EmbeddedBroker {
  return new EmbeddedBroker(port);
}

/** A simulated line on its own, from a plant file or the demo's. */
export function composeSimulation(file: string | undefined, port: number | undefined): SimulatedLine {
  return composeLine(loadPlant([file ?? shipped('config/plant/demo.yaml')]), port, createRuntime('warn'));
}
