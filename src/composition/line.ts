import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedBroker } from '../adapters/mqtt/embedded-broker.ts';
import { LineControl, lineSocket } from '../adapters/simulator/line-control.ts';
import { SimulatedLine, type SimulatedLineOptions } from '../adapters/simulator/simulated-line.ts';
import { shipped } from '../config/shipped.ts';
import type { PlantModel } from '../domain/plc/plant-model.ts';
import { EdgeError } from '../runtime/edge-error.ts';
import type { Service } from '../runtime/service.ts';
import { createRuntime, type Runtime } from './runtime.ts';
import { loadPlant } from './site.ts';

export type LineOptions = Omit<SimulatedLineOptions, 'plant' | 'connection' | 'responseDelayMs'>;

/** The simulated line of a plant's only connection. Throws EdgeError USAGE when the plant has another number of them. */
export function composeLine(plant: PlantModel, options: LineOptions, runtime: Runtime): SimulatedLine {
  const connections = [...plant.connections.keys()];
  const [connection, ...others] = connections;
  if (connection === undefined || others.length > 0) {
    throw new EdgeError(
      'USAGE',
      `a simulated line serves one connection; the device map has ${connections.length}`,
    );
  }
  return new SimulatedLine({ ...options, plant, connection }, runtime);
}

/** The line with the socket by which faults are put on it, to be started in this order. */
export function composeControlledLine(
  plant: PlantModel,
  options: LineOptions,
  runtime: Runtime,
): readonly [SimulatedLine, Service] {
  const line = composeLine(plant, options, runtime);
  return [line, new LineControl(lineDirectory(), line, runtime.logger)];
}

export function composeBroker(port: number): EmbeddedBroker {
  return new EmbeddedBroker(port);
}

/** A simulated line on its own, from a plant file or the demo's. */
export function composeSimulation(
  file: string | undefined,
  options: LineOptions,
): readonly [SimulatedLine, Service, PlantModel] {
  const plant = loadPlant([file ?? shipped('config/plant/demo.yaml')]);
  return [...composeControlledLine(plant, options, createRuntime('warn')), plant];
}

/** Where the running lines of this user have their sockets. */
function lineDirectory(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  const given = environment['XDG_RUNTIME_DIR'];
  return given?.startsWith('/')
    ? join(given, 'hermes-edge')
    : join(tmpdir(), `hermes-edge-${process.getuid?.() ?? 0}`);
}

/** Port and control socket of the lines of this user; a line that was killed may be among them. */
export function runningLines(): readonly { readonly port: number; readonly socket: string }[] {
  const directory = lineDirectory();
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .flatMap((file) => {
      const port = /^line-(\d{1,5})\.sock$/.exec(file)?.[1];
      return port === undefined ? [] : [{ port: Number(port), socket: lineSocket(directory, Number(port)) }];
    })
    .sort((one, other) => one.port - other.port);
}
