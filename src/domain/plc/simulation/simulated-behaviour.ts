import { z } from 'zod';

/**
 * What a point of a simulated machine does, as a plant file says it. A machine's points act on each other: `of`, `mean_of`,
 * `switch` and the like name other points of the same machine.
 */

const seconds = z.number().positive().max(86_400);
const pointKey = z.string().min(1).max(63);

/** Faults of a machine that its physics feel; faults of the wire are none of the machine's. */
export const MACHINE_FAULTS = ['overheat', 'jam'] as const;
export type MachineFault = (typeof MACHINE_FAULTS)[number];

/** Adds `per_unit` times what point `of` is above `from`. */
const couplingSchema = z.strictObject({ of: pointKey, per_unit: z.number(), from: z.number().default(0) });
export type Coupling = z.infer<typeof couplingSchema>;
const couplings = z.array(couplingSchema).max(10).default([]);

const effectSchema = z.strictObject({
  /** What the fault adds to the value that the point moves towards. */
  adds: z.number().default(0),
  /** The value itself, in place of the usual one. */
  to: z.number().optional(),
  /** Of the way there; the point's own unless given. */
  time_constant_s: seconds.optional(),
});

/** Follows a swinging mean with the lag of a first-order process, noise on top, such as an oven's temperature. */
const processSchema = z.strictObject({
  behaviour: z.literal('process'),
  /** In place of a mean: the point whose value is the mean, such as a setpoint. */
  mean_of: pointKey.optional(),
  mean: z.number().default(0),
  /** Half the height of the slow sine around the mean. */
  swing: z.number().nonnegative().default(0),
  period_s: seconds.default(60),
  /** Standard deviation of the measuring noise. */
  noise: z.number().nonnegative().default(0),
  /** Time after which 63 % of a change is through. */
  time_constant_s: seconds.default(10),
  /** The same while the value falls, for what heats fast and cools slowly. */
  cooling_time_constant_s: seconds.optional(),
  /** Value at the start; the mean unless given. */
  start: z.number().optional(),
  /** Value towards which it moves while the machine is not running; the mean unless given. */
  at_rest: z.number().optional(),
  /** Means by the value of a `steps` point, in place of the mean. */
  by_step: z
    .strictObject({ of: pointKey, means: z.record(z.string().regex(/^\d{1,5}$/), z.number()) })
    .optional(),
  /** Does nothing at rest. */
  adds: couplings,
  faults: z.partialRecord(z.enum(MACHINE_FAULTS), effectSchema).default({}),
  /** Above it the machine trips, and runs again when the value is back below and no fault is left. */
  trip_above: z.number().optional(),
});

/** Counts while the machine runs. */
const counterSchema = z.strictObject({
  behaviour: z.literal('counter'),
  per_minute: z.number().nonnegative(),
  start: z.number().nonnegative().default(0),
  /** The count that reads as 0 again. */
  wraps_at: z.number().positive().optional(),
  /** Counts faster and slower with another point, at `per_minute` where that reads `nominal`. */
  scales_with: z.strictObject({ of: pointKey, nominal: z.number().positive() }).optional(),
});

/** How many pieces of a counter are scrap: each is with a chance that grows with its couplings, such as wear. */
const scrapSchema = z.strictObject({
  behaviour: z.literal('scrap'),
  of: pointKey,
  chance: z.number().min(0).max(1),
  start: z.number().nonnegative().default(0),
  adds: couplings,
});

/** What is left of one counter without another: good parts. */
const differenceSchema = z.strictObject({
  behaviour: z.literal('difference'),
  of: pointKey,
  minus: pointKey,
});

/**
 * Whether the machine runs: on for `on_s`, then off for `off_s`, over and over; always on without `off_s`. A writable one
 * starts and stops the machine.
 */
const runningSchema = z.strictObject({
  behaviour: z.literal('running'),
  on_s: seconds.default(3_600),
  off_s: z.number().nonnegative().max(86_400).default(0),
  /** What a point that is no bool reads while running, while not, and while tripped or jammed. */
  running_value: z.number().default(1),
  stopped_value: z.number().default(0),
  fault_value: z.number().optional(),
  /** A writable point that starts and stops the machine. */
  switch: pointKey.optional(),
  /** A point that stops the machine while it is on, such as an open door. */
  stops_while: pointKey.optional(),
});

/** A value that stays as written; of text never written. */
const constantSchema = z.strictObject({
  behaviour: z.literal('constant'),
  value: z.union([z.number(), z.boolean(), z.string()]),
});

/** What a PLC keeps for somebody to write. */
const setpointSchema = z.strictObject({
  behaviour: z.literal('setpoint'),
  start: z.union([z.number(), z.boolean()]),
  /** The PLC refuses values outside (exception 3). */
  min: z.number().optional(),
  max: z.number().optional(),
  /** Springs back after a moment, like a push button. */
  momentary: z.boolean().default(false),
});

/** Grows with the hours the machine runs, up to `max`, until the point `reset_by` is switched on. */
const wearSchema = z.strictObject({
  behaviour: z.literal('wear'),
  per_hour: z.number().nonnegative(),
  start: z.number().nonnegative().default(0),
  max: z.number().positive().default(100),
  reset_by: pointKey.optional(),
});

/** Sums up flows, such as the level of a tank: its couplings are rates per second. */
const levelSchema = z.strictObject({
  behaviour: z.literal('level'),
  start: z.number(),
  min: z.number().default(0),
  max: z.number(),
  adds: couplings,
  noise: z.number().nonnegative().default(0),
});

/** The steps of a batch, one after another while the machine runs. */
const stepsSchema = z.strictObject({
  behaviour: z.literal('steps'),
  steps: z
    .array(z.strictObject({ value: z.int().min(0).max(65_535), for_s: seconds }))
    .min(2)
    .max(50),
});

/** Counts the batches that a `steps` point has finished. */
const batchesSchema = z.strictObject({
  behaviour: z.literal('batches'),
  of: pointKey,
  start: z.number().nonnegative().default(0),
});

/** Opens once in each `every_s`, at a moment of chance, for `for_s`: a door. */
const doorSchema = z.strictObject({
  behaviour: z.literal('door'),
  every_s: seconds,
  for_s: z.number().positive().max(3_600),
});

/** The clock of the PLC: Unix seconds, wrong by an offset and a drift. */
const clockSchema = z.strictObject({
  behaviour: z.literal('clock'),
  offset_s: z.number().default(0),
  drift_s_per_day: z.number().default(0),
});

export const simulatedSchema = z.discriminatedUnion('behaviour', [
  processSchema,
  counterSchema,
  scrapSchema,
  differenceSchema,
  runningSchema,
  constantSchema,
  setpointSchema,
  wearSchema,
  levelSchema,
  stepsSchema,
  batchesSchema,
  doorSchema,
  clockSchema,
]);
export type SimulatedBehaviour = z.infer<typeof simulatedSchema>;
export type Behaviour<K extends SimulatedBehaviour['behaviour']> = Extract<
  SimulatedBehaviour,
  { readonly behaviour: K }
>;

export type SimulatedValue = number | boolean | string;
export type Behaviours = Readonly<Record<string, SimulatedBehaviour>>;

/** Another point that a behaviour names, and where: paths start at the behaviour. */
export interface NamedPoint {
  readonly point: string;
  readonly path: readonly (string | number)[];
  /** What it has to be, where not any will do. */
  readonly behaviour?: SimulatedBehaviour['behaviour'];
}

export function namedPoints(behaviour: SimulatedBehaviour): NamedPoint[] {
  const coupled = ('adds' in behaviour ? behaviour.adds : []).map(
    ({ of }, index): NamedPoint => ({ point: of, path: ['adds', index, 'of'] }),
  );
  switch (behaviour.behaviour) {
    case 'process':
      return [
        ...coupled,
        ...optional(behaviour.mean_of, ['mean_of']),
        ...optional(behaviour.by_step?.of, ['by_step', 'of'], 'steps'),
      ];
    case 'counter':
      return optional(behaviour.scales_with?.of, ['scales_with', 'of']);
    case 'scrap':
      return [...coupled, ...optional(behaviour.of, ['of'], 'counter')];
    case 'difference':
      return [...optional(behaviour.of, ['of']), ...optional(behaviour.minus, ['minus'])];
    case 'running':
      return [
        ...optional(behaviour.switch, ['switch'], 'setpoint'),
        ...optional(behaviour.stops_while, ['stops_while']),
      ];
    case 'wear':
      return optional(behaviour.reset_by, ['reset_by']);
    case 'batches':
      return optional(behaviour.of, ['of'], 'steps');
    default:
      return coupled;
  }
}

function optional(
  point: string | undefined,
  path: readonly string[],
  behaviour?: SimulatedBehaviour['behaviour'],
): NamedPoint[] {
  if (point === undefined) return [];
  return [{ point, path, ...(behaviour === undefined ? {} : { behaviour }) }];
}
