import { SimulatedLine, type SimulatedLineOptions } from '../../src/adapters/simulator/simulated-line.ts';
import { systemClocks, systemScheduler } from '../../src/runtime/clocks.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { demoPlant } from './plant-file.ts';

export interface StartedLine {
  readonly line: SimulatedLine;
  readonly port: number;
  /** Lets this much time pass for the line; it stands still otherwise. */
  pass(seconds: number): void;
  stop(): Promise<void>;
}

/** A simulated line, the demo's unless another plant is given, whose time passes as it is told. */
export async function startLine(options: Partial<SimulatedLineOptions> = {}): Promise<StartedLine> {
  let nowMs = 0;
  const line = new SimulatedLine(
    { plant: demoPlant(), connection: 'line-1', port: 0, ...options },
    {
      logger: silentLogger(),
      clocks: { ...systemClocks(), monotonicMs: () => nowMs },
      scheduler: systemScheduler,
    },
  );
  await line.start(new AbortController().signal);
  return {
    line,
    port: line.endpoint()?.port ?? 0,
    pass(seconds) {
      nowMs += seconds * 1000;
      // Worked out now, so that no peer waits for hours of physics.
      line.faults();
    },
    stop: () => line.stop(1_000),
  };
}
