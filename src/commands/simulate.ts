import { composeSimulation, runningLines } from '../composition/line.ts';
import type { PlantModel } from '../domain/plc/plant-model.ts';
import { exampleFault, type FaultRequest } from '../domain/plc/simulation/line-fault.ts';
import { EdgeError } from '../runtime/edge-error.ts';
import { parseDurationMs } from './duration.ts';
import { LineView } from './line-view.ts';
import { programName } from './program-name.ts';

interface SimulateOptions {
  readonly plant?: string;
  readonly port?: number;
  readonly rtuOverTcp?: number;
  readonly serial?: string;
  readonly baud?: number;
  readonly parity?: 'none' | 'even' | 'odd';
  readonly speed?: number;
  readonly seed?: number;
  readonly fault: readonly string[];
  readonly json: boolean;
}

/** `hermes-edge simulate`: serves the machines of a device map until it is stopped. */
export async function simulate(options: SimulateOptions): Promise<void> {
  const { plant: file, port, rtuOverTcp, serial, baud, parity, speed, seed } = options;
  if (serial === undefined && (baud !== undefined || parity !== undefined))
    throw new EdgeError('USAGE', '--baud and --parity go with --serial');
  const view = new LineView(process.stdout, options.json);
  const [line, control, plant] = composeSimulation(file, {
    faults: options.fault.map(faultOf),
    onEvent: (event) => view.event(event),
    ...(port === undefined ? {} : { port }),
    ...(rtuOverTcp === undefined ? {} : { rtuOverTcpPort: rtuOverTcp }),
    ...(speed === undefined ? {} : { speed }),
    ...(seed === undefined ? {} : { seed }),
    ...(serial === undefined
      ? {}
      : {
          serial: {
            path: serial,
            ...(baud === undefined ? {} : { baudRate: baud }),
            ...(parity === undefined ? {} : { parity }),
          },
        }),
  });
  const { signal } = new AbortController();
  await line.start(signal);
  await control.start(signal);
  const rtu = line.rtuEndpoint();
  const isAlone = port === undefined && runningLines().length <= 1;
  view.started({
    detail: line.health().detail,
    endpoint: line.endpoint(),
    rtu,
    serial,
    faultCommand:
      control.health().status === 'ok'
        ? faultCommand(plant, isAlone ? undefined : line.endpoint()?.port)
        : undefined,
  });
  const watching = view.watch(() => line.machines());
  await new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
  watching.stop();
  await control.stop(2000);
  await line.stop(2000);
}

/** What to type to try a fault on the line; with the port where it is needed to tell the line from others. */
function faultCommand(plant: PlantModel, port: number | undefined): string | undefined {
  const fault = exampleFault([...plant.machines.values()]);
  if (fault === undefined) return undefined;
  const which = port === undefined ? '' : ` --port ${port}`;
  return `${programName()} simulate fault ${fault.name} ${fault.target} --for 5m${which}`;
}

/** `overheat:machine-12` or `overheat:machine-12:60s`. */
function faultOf(text: string): FaultRequest {
  const [name = '', target = '', time, ...rest] = text.split(':');
  if (name === '' || target === '' || rest.length > 0)
    throw new EdgeError(
      'USAGE',
      `--fault takes FAULT:MACHINE or FAULT:MACHINE:TIME, such as overheat:machine-12:60s, not "${text}"`,
    );
  return { name, target, ...(time === undefined ? {} : { for_ms: parseDurationMs(time, '--fault') }) };
}
