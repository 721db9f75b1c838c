import { chanceAt } from './chance.ts';
import type { MachineEventName } from './machine-event.ts';
import { batchScans, type MachineModel, SCAN_S, scansOf, stepAt } from './machine-model.ts';
import type { Behaviour, Coupling, SimulatedBehaviour } from './simulated-behaviour.ts';

/** What a point goes by when it works out its next value. */
export interface Moment {
  scan: number;
  powered: boolean;
  /** Powered and nothing jammed. */
  produces: boolean;
  readonly isHot: boolean;
  readonly isJammed: boolean;
  /** Values of the scan before: what each point sees of the others and of itself. */
  old: number[];
  readonly kept: number[];
  note(name: MachineEventName, value: number): void;
}

/** The value of one point in this scan. */
export type PointStep = (moment: Moment) => number;

/** A counter beyond any machine's pace has its scrap reckoned instead of drawn piece by piece. */
const MOST_PIECES_DRAWN = 1_000;
/** Keeps the rounding of a sum from hiding the last piece. */
const ROUNDING = 1e-6;

const compiled = new WeakMap<MachineModel, readonly PointStep[]>();

/** The steps of a machine's points, in their order; what does not change from scan to scan is worked out once. */
export function physicsOf(model: MachineModel): readonly PointStep[] {
  const known = compiled.get(model);
  if (known !== undefined) return known;
  const steps = model.behaviours.map((behaviour, index) => stepOf(behaviour, index, model));
  compiled.set(model, steps);
  return steps;
}

export function differenceOf(of: number, minus: number): number {
  return Math.max(0, of - minus);
}

function stepOf(behaviour: SimulatedBehaviour, index: number, model: MachineModel): PointStep {
  switch (behaviour.behaviour) {
    case 'process':
      return processStep(behaviour, index, model);
    case 'counter':
      return counterStep(behaviour, index, model);
    case 'scrap':
      return scrapStep(behaviour, index, model);
    case 'difference': {
      const [of, minus] = [model.indexOf(behaviour.of), model.indexOf(behaviour.minus)];
      return ({ old }) => differenceOf(old[of] ?? 0, old[minus] ?? 0);
    }
    case 'running':
      return ({ powered }) => (powered ? 1 : 0);
    case 'setpoint': {
      const start = Number(behaviour.start);
      return behaviour.momentary ? () => start : ({ old }) => old[index] ?? 0;
    }
    case 'wear':
      return wearStep(behaviour, index, model);
    case 'level': {
      const { min, max, adds } = behaviour;
      const flows = sumOf(adds, model);
      return ({ old }) => Math.min(max, Math.max(min, (old[index] ?? 0) + flows(old) * SCAN_S));
    }
    case 'steps':
      return ({ kept, produces }) => {
        if (produces) kept[index] = (kept[index] ?? 0) + 1;
        return stepAt(behaviour, kept[index] ?? 0);
      };
    case 'batches':
      return batchesStep(behaviour, index, model);
    case 'door':
      return doorStep(behaviour, index, model);
    case 'constant':
    case 'clock':
      return ({ old }) => old[index] ?? 0;
  }
}

function processStep(behaviour: Behaviour<'process'>, index: number, model: MachineModel): PointStep {
  const { swing, period_s, at_rest, faults, time_constant_s } = behaviour;
  const base = baseOf(behaviour, model);
  const coupled = sumOf(behaviour.adds, model);
  const falling = behaviour.cooling_time_constant_s;
  const turn = (2 * Math.PI * SCAN_S) / period_s;
  const rising = kept(time_constant_s);
  const cooling = falling === undefined ? rising : kept(falling);
  const effects = { overheat: faults.overheat, jam: faults.jam };
  return ({ old, scan, powered, isHot, isJammed }) => {
    const before = old[index] ?? 0;
    const heat = isHot ? effects.overheat : undefined;
    const jam = isJammed && powered ? effects.jam : undefined;
    // What overheats does so whether it runs or not: a trip alone would end the fault.
    let target =
      !powered && at_rest !== undefined && heat === undefined
        ? at_rest
        : base(old) + (swing === 0 ? 0 : swing * Math.sin(turn * scan)) + coupled(old);
    let left = rising;
    if (heat !== undefined) {
      target = (heat.to ?? target) + heat.adds;
      left = heat.time_constant_s === undefined ? left : kept(heat.time_constant_s);
    }
    if (jam !== undefined) {
      target = (jam.to ?? target) + jam.adds;
      left = jam.time_constant_s === undefined ? left : kept(jam.time_constant_s);
    }
    if (target < before && falling !== undefined) left = cooling;
    return target + (before - target) * left;
  };
}

/**
 * What is left of the distance to a target after a scan. First-order lag: the solution of dy/dt = (target - y) / timeConstant
 * for a target that stays.
 */
function kept(timeConstantS: number): number {
  return Math.exp(-SCAN_S / timeConstantS);
}

function baseOf(
  { mean, mean_of, by_step }: Behaviour<'process'>,
  model: MachineModel,
): (values: readonly number[]) => number {
  const other = model.indexOf(mean_of);
  const usual = mean_of === undefined ? () => mean : (values: readonly number[]) => values[other] ?? mean;
  if (by_step === undefined) return usual;
  const step = model.indexOf(by_step.of);
  const means = new Map(Object.entries(by_step.means).map(([value, level]) => [Number(value), level]));
  return (values) => means.get(values[step] ?? -1) ?? usual(values);
}

function sumOf(adds: readonly Coupling[], model: MachineModel): (values: readonly number[]) => number {
  const terms = adds.map(({ of, per_unit, from }) => ({ index: model.indexOf(of), per_unit, from }));
  if (terms.length === 0) return () => 0;
  return (values) => {
    let sum = 0;
    for (let at = 0; at < terms.length; at += 1) {
      const term = terms[at];
      if (term !== undefined) sum += term.per_unit * ((values[term.index] ?? term.from) - term.from);
    }
    return sum;
  };
}

/** Pieces made are kept as a sum beside the count, which is whole and may be written. */
function counterStep(behaviour: Behaviour<'counter'>, index: number, model: MachineModel): PointStep {
  const { scales_with: scaling, per_minute } = behaviour;
  const pieces = (per_minute / 60) * SCAN_S;
  const pace = model.indexOf(scaling?.of);
  return ({ old, kept: memory, produces }) => {
    const before = old[index] ?? 0;
    if (!produces) return before;
    const made = memory[index] ?? 0;
    const share = scaling === undefined ? 1 : Math.max(0, (old[pace] ?? 0) / scaling.nominal);
    const next = made + pieces * share;
    memory[index] = next;
    return before + Math.floor(next + ROUNDING) - Math.floor(made + ROUNDING);
  };
}

function scrapStep(behaviour: Behaviour<'scrap'>, index: number, model: MachineModel): PointStep {
  const counter = model.indexOf(behaviour.of);
  const coupled = sumOf(behaviour.adds, model);
  return ({ old, kept: memory }) => {
    const judged = memory[index] ?? 0;
    const total = old[counter] ?? 0;
    const before = old[index] ?? 0;
    if (total === judged) return before;
    memory[index] = total;
    const chance = Math.min(1, Math.max(0, behaviour.chance + coupled(old)));
    const pieces = total - judged;
    if (pieces > MOST_PIECES_DRAWN) return before + Math.round(pieces * chance);
    let scrap = 0;
    for (let piece = judged + 1; piece <= total; piece += 1)
      if (chanceAt(model.seed, index * 2, piece) < chance) scrap += 1;
    return before + scrap;
  };
}

function wearStep(behaviour: Behaviour<'wear'>, index: number, model: MachineModel): PointStep {
  const { max, per_hour } = behaviour;
  const reset = model.indexOf(behaviour.reset_by);
  const grows = (per_hour * SCAN_S) / 3_600;
  return ({ old, powered, note }) => {
    const before = old[index] ?? 0;
    if (reset < 0 || (old[reset] ?? 0) === 0) return Math.min(max, before + (powered ? grows : 0));
    if (before > 0) note('maintenance', before);
    return 0;
  };
}

function batchesStep(behaviour: Behaviour<'batches'>, index: number, model: MachineModel): PointStep {
  const steps = model.indexOf(behaviour.of);
  const cycle = model.behaviours[steps];
  const scans = cycle?.behaviour === 'steps' ? batchScans(cycle) : Number.POSITIVE_INFINITY;
  return ({ old, kept: memory, note }) => {
    const before = old[index] ?? 0;
    const done = Math.floor((memory[steps] ?? 0) / scans);
    if (done <= (memory[index] ?? 0)) return before;
    memory[index] = done;
    note('batch_done', before + 1);
    return before + 1;
  };
}

function doorStep(behaviour: Behaviour<'door'>, index: number, model: MachineModel): PointStep {
  const every = scansOf(behaviour.every_s);
  const open = Math.min(every, scansOf(behaviour.for_s));
  return ({ old, scan, note }) => {
    const from = Math.floor(chanceAt(model.seed, index * 2, Math.floor(scan / every)) * (every - open));
    const at = scan % every;
    const isOpen = at >= from && at < from + open ? 1 : 0;
    if (isOpen !== old[index]) note(isOpen === 1 ? 'door_open' : 'door_closed', 0);
    return isOpen;
  };
}
