import { composeSimulation } from '../composition/line.ts';

interface SimulateOptions {
  readonly plant?: string;
  readonly port?: number;
}

/** `hermes-edge simulate`: serves the machines of a device map until it is stopped. */
export async function simulate(options: SimulateOptions): Promise<void> {
  const line = composeSimulation(options.plant, options.port);
  await line.start(new AbortController().signal);
  process.stdout.write(`${line.health().detail}\nStop with Ctrl-C.\n`);
  await new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
  await line.stop(2000);
}
