import type { Behaviour, Behaviours, SimulatedBehaviour } from './simulated-behaviour.ts';

/** A simulated machine as it is worked through once a scan: points by number instead of by key. */
export interface MachineModel {
  readonly seed: number;
  readonly keys: readonly string[];
  readonly behaviours: readonly SimulatedBehaviour[];
  /** The number of a point; -1 for none. */
  indexOf(key: string | undefined): number;
  /** For each point the numbers of the points that its `adds` name. */
  readonly coupled: readonly (readonly number[])[];
  /** The point that says whether the machine runs; -1 without one. */
  readonly running: number;
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
    coupled: list.map((behaviour) =>
      'adds' in behaviour ? behaviour.adds.map(({ of }) => indexOf(of)) : [],
    ),
    running: list.findIndex(({ behaviour }) => behaviour === 'running'),
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
