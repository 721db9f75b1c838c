import { z } from 'zod';

/**
 * What a point of a simulated machine does. In: its settings and the time that passed. Out: values in the point's
 * own unit. Called by the simulated line; pure, so that a seed and a time give the same line every time.
 */

const seconds = z.number().positive().max(86_400);

/** Follows a swinging mean with the lag of a first-order process, noise on top, such as an oven's temperature. */
const processSchema = z.strictObject({
  behaviour: z.literal('process'),
  mean: z.number(),
  /** Half the height of the slow sine around the mean. */
  swing: z.number().nonnegative().default(0),
  period_s: seconds.default(60),
  /** Standard deviation of the measuring noise. */
  noise: z.number().nonnegative().default(0),
  /** Time after which 63 % of a change is through. */
  time_constant_s: seconds.default(10),
  /** Value at the start; the mean unless given. */
  start: z.number().optional(),
  /** Value towards which it moves while the machine is not running; the mean unless given. */
  at_rest: z.number().optional(),
});

/** Counts while the machine runs. */
const counterSchema = z.strictObject({
  behaviour: z.literal('counter'),
  per_minute: z.number().nonnegative(),
  start: z.number().nonnegative().default(0),
  /** The count that reads as 0 again. */
  wraps_at: z.number().positive().optional(),
});

/** Whether the machine runs: on for `on_s`, then off for `off_s`, over and over; always on without `off_s`. */
const runningSchema = z.strictObject({
  behaviour: z.literal('running'),
  on_s: seconds.default(3_600),
  off_s: z.number().nonnegative().max(86_400).default(0),
  /** What a point that is no bool reads while running and while not. */
  running_value: z.number().default(1),
  stopped_value: z.number().default(0),
});

const constantSchema = z.strictObject({
  behaviour: z.literal('constant'),
  value: z.union([z.number(), z.boolean(), z.string()]),
});

export const simulatedSchema = z.discriminatedUnion('behaviour', [
  processSchema,
  counterSchema,
  runningSchema,
  constantSchema,
]);
export type SimulatedBehaviour = z.infer<typeof simulatedSchema>;

export type SimulatedValue = number | boolean | string;

/** One machine between two steps. */
export interface SimulatedMachine {
  readonly elapsedS: number;
  readonly running: boolean;
  /** State of the noise generator. */
  readonly noiseState: number;
  /** Process values without their noise, counts without their wrap. */
  readonly inner: Readonly<Record<string, number>>;
  /** What a sensor would show; a `running` point is true or false. */
  readonly values: Readonly<Record<string, SimulatedValue>>;
}

export type Behaviours = Readonly<Record<string, SimulatedBehaviour>>;

export function startMachine(behaviours: Behaviours, seed: number): SimulatedMachine {
  const inner: Record<string, number> = {};
  for (const [key, behaviour] of Object.entries(behaviours)) {
    if (behaviour.behaviour === 'process') inner[key] = behaviour.start ?? behaviour.mean;
    if (behaviour.behaviour === 'counter') inner[key] = behaviour.start;
  }
  const start = { elapsedS: 0, running: true, noiseState: seed >>> 0, inner, values: {} };
  return stepMachine(start, behaviours, 0);
}

/** The machine `dtS` seconds later (0 or more). Exact for any step, so a line nobody reads costs nothing. */
export function stepMachine(
  machine: SimulatedMachine,
  behaviours: Behaviours,
  dtS: number,
): SimulatedMachine {
  const elapsedS = machine.elapsedS + dtS;
  const cycle = Object.values(behaviours).find((behaviour) => behaviour.behaviour === 'running');
  const runningS = cycle === undefined ? dtS : onTime(cycle, elapsedS) - onTime(cycle, machine.elapsedS);
  const running = cycle === undefined || isOn(cycle, elapsedS);

  const inner: Record<string, number> = {};
  const values: Record<string, SimulatedValue> = {};
  let noiseState = machine.noiseState;
  for (const [key, behaviour] of Object.entries(behaviours)) {
    const before = machine.inner[key] ?? 0;
    switch (behaviour.behaviour) {
      case 'process': {
        const after = approach(
          before,
          targetOf(behaviour, elapsedS, running),
          dtS,
          behaviour.time_constant_s,
        );
        const noise = gaussian(noiseState);
        noiseState = noise.state;
        inner[key] = after;
        values[key] = after + behaviour.noise * noise.value;
        break;
      }
      case 'counter': {
        const count = before + (behaviour.per_minute / 60) * runningS;
        inner[key] = count;
        values[key] = Math.floor(behaviour.wraps_at === undefined ? count : count % behaviour.wraps_at);
        break;
      }
      case 'running':
        values[key] = running;
        break;
      case 'constant':
        values[key] = behaviour.value;
        break;
    }
  }
  return { elapsedS, running, noiseState, inner, values };
}

type Cycle = z.infer<typeof runningSchema>;

function isOn(cycle: Cycle, elapsedS: number): boolean {
  return elapsedS % (cycle.on_s + cycle.off_s) < cycle.on_s;
}

/** Seconds on between the start and `elapsedS`. */
function onTime(cycle: Cycle, elapsedS: number): number {
  const periodS = cycle.on_s + cycle.off_s;
  return Math.floor(elapsedS / periodS) * cycle.on_s + Math.min(elapsedS % periodS, cycle.on_s);
}

function targetOf(process: z.infer<typeof processSchema>, elapsedS: number, running: boolean): number {
  if (!running && process.at_rest !== undefined) return process.at_rest;
  return process.mean + process.swing * Math.sin((2 * Math.PI * elapsedS) / process.period_s);
}

/** First-order lag: the solution of dy/dt = (target - y) / timeConstant for a target that stays. */
function approach(value: number, target: number, dtS: number, timeConstantS: number): number {
  return target + (value - target) * Math.exp(-dtS / timeConstantS);
}

/** A number of the standard normal distribution (Box and Muller, 1958). */
function gaussian(state: number): { value: number; state: number } {
  const first = uniform(state);
  const second = uniform(first.state);
  const radius = Math.sqrt(-2 * Math.log(1 - first.value));
  return { value: radius * Math.cos(2 * Math.PI * second.value), state: second.state };
}

/** mulberry32 (Tommy Ettinger, public domain): 0 to below 1. */
function uniform(state: number): { value: number; state: number } {
  const next = (state + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(next ^ (next >>> 15), next | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return { value: ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32, state: next };
}
