import type { Behaviour, Behaviours, SimulatedBehaviour } from './simulated-behaviour.ts';

/** A simulated machine as it is worked through once a scan: points by number instead of by key. */
export interface MachineModel {
  readonly seed: number;
  readonly keys: readonly string[];
  readonly behaviours: readonly SimulatedBehaviour[];
  /** The number of a point; -1 for none. */
  indexOf(key: string | undefined): number;
  /** What turns its drive on and off; undefined where it always runs. */
  readonly drive: Drive | undefined;
  /** Points that trip it above a limit. */
  readonly trips: readonly { readonly index: number; readonly limit: number }[];
}

/** Points by number, -1 for none. */
export interface Drive {
  readonly index: number;
  readonly switch: number;
  readonly stopsWhile: number;
  readonly onScans: number;
  readonly periodScans: number;
}

/** A PLC works out its values once a scan and shows them until the next one, seconds. */
export const SCAN_S = 0.2;

export function machineModel(behaviours: Behaviours, seed: number): MachineModel {
  const keys = Object.keys(behaviours);
  const list = Object.values(behaviours);
  const numbers = new Map(keys.map((key, index) => [key, index]));
  const indexOf = (key: string | undefined): number => (key === undefined ? -1 : (numbers.get(key) ?? -1));
  return {
    seed: seed >>> 0,
    keys,
    behaviours: list,
    indexOf,
    drive: driveOf(list, indexOf),
    trips: list.flatMap((behaviour, index) =>
      behaviour.behaviour === 'process' && behaviour.trip_above !== undefined
        ? [{ index, limit: behaviour.trip_above }]
        : [],
    ),
  };
}

function driveOf(
  list: readonly SimulatedBehaviour[],
  indexOf: (key: string | undefined) => number,
): Drive | undefined {
  const index = list.findIndex(({ behaviour }) => behaviour === 'running');
  const cycle = list[index];
  if (cycle?.behaviour !== 'running') return undefined;
  const onScans = scansOf(cycle.on_s);
  return {
    index,
    switch: indexOf(cycle.switch),
    stopsWhile: indexOf(cycle.stops_while),
    onScans,
    periodScans: cycle.off_s === 0 ? onScans : scansOf(cycle.on_s + cycle.off_s),
  };
}

/** Scans of a batch. */
export function batchScans({ steps }: Behaviour<'steps'>): number {
  return steps.reduce((sum, step) => sum + scansOf(step.for_s), 0);
}

/** The value of the step that is on after so many scans of all batches. */
export function stepAt(behaviour: Behaviour<'steps'>, scans: number): number {
  let left = scans % batchScans(behaviour);
  for (const { value, for_s } of behaviour.steps) {
    left -= scansOf(for_s);
    if (left < 0) return value;
  }
  return 0;
}

/** At least one. */
export function scansOf(durationS: number): number {
  return Math.max(1, Math.round(durationS / SCAN_S));
}
