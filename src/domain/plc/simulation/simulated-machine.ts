import { chanceAt, noiseAt } from './chance.ts';
import type { MachineEvent, MachineEventName } from './machine-event.ts';
import { batchScans, type MachineModel, SCAN_S, scansOf, stepAt } from './machine-model.ts';
import type { Behaviour, MachineFault, SimulatedBehaviour, SimulatedValue } from './simulated-behaviour.ts';

/**
 * One simulated machine. In: what its points do, the scans that pass, faults and writes. Out: its values and what happened.
 * Called by the simulated line. Pure: the state after a number of scans depends on nothing else, least of all on how
 * often somebody looked.
 */
export interface MachineState {
  /** Scans since the start. */
  readonly scan: number;
  /** Without noise and wrap; a switch is 0 or 1. By number of the point, as in the model. */
  readonly values: readonly number[];
  /** What a behaviour remembers beside its value: scans counted, pieces judged, whether it was told to run. */
  readonly kept: readonly number[];
  /** The drive is on. */
  readonly powered: boolean;
  /** Stopped by a value above its limit until that is past. */
  readonly tripped: boolean;
  readonly faults: readonly MachineFault[];
}

export interface MachineRun {
  readonly state: MachineState;
  readonly events: readonly MachineEvent[];
}

/** After a trip a value has to fall by this share of its limit before the machine runs again. */
const TRIP_HYSTERESIS = 0.05;
/** A counter beyond any machine's pace has its scrap reckoned instead of drawn piece by piece. */
const MOST_PIECES_DRAWN = 1_000;
/** Keeps the rounding of a sum from hiding the last piece. */
const ROUNDING = 1e-6;

export function startMachine(model: MachineModel): MachineState {
  const values = model.behaviours.map((behaviour) => startValue(behaviour, model));
  // A difference starts from the values of others.
  for (const [index, behaviour] of model.behaviours.entries())
    if (behaviour.behaviour === 'difference') values[index] = differenceOf(behaviour, values, model);
  const kept = model.behaviours.map((behaviour) => {
    if (behaviour.behaviour === 'running') return 1;
    if (behaviour.behaviour === 'scrap') return values[model.indexOf(behaviour.of)] ?? 0;
    return 0;
  });
  const start = { scan: 0, values, kept, powered: true, tripped: false, faults: [] };
  return { ...start, powered: isPowered(model, values, kept, 0, false) };
}

/** The machine `scans` scans later, a whole number of 0 or more, with the same faults all the while. */
export function runMachine(
  before: MachineState,
  model: MachineModel,
  scans: number,
  faults: readonly MachineFault[] = [],
): MachineRun {
  if (scans <= 0) return { state: before, events: [] };
  const events: MachineEvent[] = [];
  let old = [...before.values];
  let now = [...before.values];
  const kept = [...before.kept];
  let { powered, tripped } = before;
  let jammed = before.faults.includes('jam');
  const last = before.scan + scans;
  for (let scan = before.scan + 1; scan <= last; scan += 1) {
    const note = (name: MachineEventName, value: number): void => void events.push({ scan, name, value });
    const isJammed = faults.includes('jam');
    if (isJammed !== jammed) note(isJammed ? 'jam' : 'recovered', 0);
    jammed = isJammed;
    const trip = tripOf(model, old, tripped, faults.length > 0);
    if (trip !== undefined) note(trip.tripped ? 'overheat' : 'recovered', trip.value);
    tripped = trip?.tripped ?? tripped;
    const wasPowered = powered;
    powered = isPowered(model, old, kept, scan, tripped);
    if (powered !== wasPowered) note(powered ? 'start' : 'stop', 0);
    const moment: Moment = { scan, powered, produces: powered && !jammed, faults, old, kept, note };
    for (const [index, behaviour] of model.behaviours.entries())
      now[index] = nextValue(index, behaviour, model, moment);
    [old, now] = [now, old];
  }
  return { state: { scan: last, values: old, kept, powered, tripped, faults }, events };
}

/** The machine after somebody has written to one of its points; undefined where the PLC refuses the value. */
export function writePoint(
  state: MachineState,
  model: MachineModel,
  key: string,
  value: number | boolean,
): MachineState | undefined {
  const index = model.indexOf(key);
  const behaviour = model.behaviours[index];
  if (behaviour === undefined || !mayBeWritten(behaviour, Number(value))) return undefined;
  const values = state.values.with(index, Number(value));
  if (behaviour.behaviour === 'running') return { ...state, kept: state.kept.with(index, value ? 1 : 0) };
  return { ...state, values };
}

/** What the point shows; a `clock` is told the time of its PLC in Unix seconds. */
export function shownValue(
  state: MachineState,
  model: MachineModel,
  index: number,
  clock: { readonly nowS: number; readonly sinceStartS: number },
): SimulatedValue {
  const behaviour = model.behaviours[index];
  const value = state.values[index] ?? 0;
  switch (behaviour?.behaviour) {
    case 'process': {
      const stands = !state.powered && behaviour.at_rest === 0;
      return stands ? value : value + noise(behaviour.noise, state, model, index);
    }
    case 'level':
      return value + noise(behaviour.noise, state, model, index);
    case 'counter':
      return behaviour.wraps_at === undefined ? value : value % behaviour.wraps_at;
    case 'running':
      if (behaviour.fault_value !== undefined && isFaulty(state)) return behaviour.fault_value;
      return state.powered ? behaviour.running_value : behaviour.stopped_value;
    case 'constant':
      return typeof behaviour.value === 'string' ? behaviour.value : value;
    case 'clock':
      return clockValue(behaviour, clock.nowS, clock.sinceStartS);
    default:
      return value;
  }
}

/** Whole Unix seconds. */
export function clockValue(
  { offset_s, drift_s_per_day }: Pick<Behaviour<'clock'>, 'offset_s' | 'drift_s_per_day'>,
  nowS: number,
  sinceStartS: number,
): number {
  return Math.floor(nowS + offset_s + (drift_s_per_day * sinceStartS) / 86_400);
}

/** Tripped, or jammed with its drive on. */
export function isFaulty(state: MachineState): boolean {
  return state.tripped || (state.powered && state.faults.includes('jam'));
}

interface Moment {
  readonly scan: number;
  readonly powered: boolean;
  /** Powered and nothing jammed. */
  readonly produces: boolean;
  readonly faults: readonly MachineFault[];
  /** Values of the scan before: what each point sees of the others. */
  readonly old: readonly number[];
  readonly kept: number[];
  note(name: MachineEventName, value: number): void;
}

function nextValue(
  index: number,
  behaviour: SimulatedBehaviour,
  model: MachineModel,
  moment: Moment,
): number {
  const { old, kept, powered, produces, scan, note } = moment;
  const before = old[index] ?? 0;
  const remembered = kept[index] ?? 0;
  switch (behaviour.behaviour) {
    case 'process':
      return nextProcess(behaviour, index, model, moment);
    case 'counter': {
      if (!produces) return before;
      const { scales_with: scaling, per_minute } = behaviour;
      const pace = scaling === undefined ? 1 : (old[model.indexOf(scaling.of)] ?? 0) / scaling.nominal;
      return nextCount(before, index, kept, Math.max(0, pace) * (per_minute / 60) * SCAN_S);
    }
    case 'scrap': {
      const total = old[model.indexOf(behaviour.of)] ?? 0;
      kept[index] = total;
      const chance = behaviour.chance + coupledSum(behaviour.adds, index, model, old);
      return before + scrapAmong(remembered, total, chance, model.seed, index);
    }
    case 'difference':
      return differenceOf(behaviour, old, model);
    case 'running':
      return powered ? 1 : 0;
    case 'setpoint':
      return behaviour.momentary ? Number(behaviour.start) : before;
    case 'wear': {
      if (behaviour.reset_by !== undefined && (old[model.indexOf(behaviour.reset_by)] ?? 0) !== 0) {
        if (before > 0) note('maintenance', before);
        return 0;
      }
      return Math.min(behaviour.max, before + (powered ? (behaviour.per_hour * SCAN_S) / 3_600 : 0));
    }
    case 'level': {
      const level = before + coupledSum(behaviour.adds, index, model, old) * SCAN_S;
      return Math.min(behaviour.max, Math.max(behaviour.min, level));
    }
    case 'steps':
      if (produces) kept[index] = remembered + 1;
      return stepAt(behaviour, kept[index] ?? 0);
    case 'batches': {
      const steps = model.indexOf(behaviour.of);
      const cycle = model.behaviours[steps];
      if (cycle?.behaviour !== 'steps') return before;
      const done = Math.floor((kept[steps] ?? 0) / batchScans(cycle));
      if (done <= remembered) return before;
      kept[index] = done;
      note('batch_done', before + 1);
      return before + 1;
    }
    case 'door': {
      const open = isOpen(behaviour, scan, model.seed, index) ? 1 : 0;
      if (open !== before) note(open === 1 ? 'door_open' : 'door_closed', 0);
      return open;
    }
    case 'constant':
    case 'clock':
      return before;
  }
}

function nextProcess(
  behaviour: Behaviour<'process'>,
  index: number,
  model: MachineModel,
  moment: Moment,
): number {
  const before = moment.old[index] ?? 0;
  const { overheat, jam } = behaviour.faults;
  const isHot = overheat !== undefined && moment.faults.includes('overheat');
  const isJammed = jam !== undefined && moment.powered && moment.faults.includes('jam');
  let target = meanOf(behaviour, index, model, moment);
  // What overheats does so whether it runs or not: a trip alone would end the fault.
  if (!moment.powered && behaviour.at_rest !== undefined && !isHot) target = behaviour.at_rest;
  let lagS = behaviour.time_constant_s;
  for (const effect of [...(isHot ? [overheat] : []), ...(isJammed ? [jam] : [])]) {
    target = (effect.to ?? target) + effect.adds;
    lagS = effect.time_constant_s ?? lagS;
  }
  if (target < before && behaviour.cooling_time_constant_s !== undefined)
    lagS = behaviour.cooling_time_constant_s;
  return approach(before, target, SCAN_S, lagS);
}

function meanOf(behaviour: Behaviour<'process'>, index: number, model: MachineModel, moment: Moment): number {
  const { mean_of, by_step, mean, swing, period_s, adds } = behaviour;
  let base = mean_of === undefined ? mean : (moment.old[model.indexOf(mean_of)] ?? mean);
  if (by_step !== undefined) {
    const step = moment.old[model.indexOf(by_step.of)];
    base = by_step.means[String(step)] ?? base;
  }
  const phase = swing === 0 ? 0 : Math.sin((2 * Math.PI * moment.scan * SCAN_S) / period_s);
  return base + swing * phase + coupledSum(adds, index, model, moment.old);
}

/** First-order lag: the solution of dy/dt = (target - y) / timeConstant for a target that stays. */
function approach(value: number, target: number, dtS: number, timeConstantS: number): number {
  return target + (value - target) * Math.exp(-dtS / timeConstantS);
}

function coupledSum(
  adds: readonly { readonly per_unit: number; readonly from: number }[],
  index: number,
  model: MachineModel,
  values: readonly number[],
): number {
  if (adds.length === 0) return 0;
  const others = model.coupled[index] ?? [];
  let sum = 0;
  for (const [at, { per_unit, from }] of adds.entries())
    sum += per_unit * ((values[others[at] ?? -1] ?? from) - from);
  return sum;
}

/** Pieces made are kept as a sum beside the count, which is whole and may be written. */
function nextCount(before: number, index: number, kept: number[], pieces: number): number {
  const made = kept[index] ?? 0;
  kept[index] = made + pieces;
  return before + Math.floor(made + pieces + ROUNDING) - Math.floor(made + ROUNDING);
}

function scrapAmong(judged: number, total: number, chance: number, seed: number, place: number): number {
  const pieces = total - judged;
  if (pieces > MOST_PIECES_DRAWN) return Math.round(pieces * Math.min(1, Math.max(0, chance)));
  let scrap = 0;
  for (let piece = judged + 1; piece <= total; piece += 1)
    if (chanceAt(seed, place * 2, piece) < chance) scrap += 1;
  return scrap;
}

function differenceOf(
  { of, minus }: Behaviour<'difference'>,
  values: readonly number[],
  model: MachineModel,
): number {
  return Math.max(0, (values[model.indexOf(of)] ?? 0) - (values[model.indexOf(minus)] ?? 0));
}

function isOpen(door: Behaviour<'door'>, scan: number, seed: number, place: number): boolean {
  const every = scansOf(door.every_s);
  const open = Math.min(every, scansOf(door.for_s));
  const from = Math.floor(chanceAt(seed, place * 2, Math.floor(scan / every)) * (every - open));
  const at = scan % every;
  return at >= from && at < from + open;
}

function isPowered(
  model: MachineModel,
  values: readonly number[],
  kept: readonly number[],
  scan: number,
  tripped: boolean,
): boolean {
  const cycle = model.behaviours[model.running];
  if (tripped) return false;
  if (cycle?.behaviour !== 'running') return true;
  if (kept[model.running] === 0) return false;
  if (cycle.switch !== undefined && values[model.indexOf(cycle.switch)] === 0) return false;
  if (cycle.stops_while !== undefined && (values[model.indexOf(cycle.stops_while)] ?? 0) !== 0) return false;
  return cycle.off_s === 0 || scan % scansOf(cycle.on_s + cycle.off_s) < scansOf(cycle.on_s);
}

/** A change of the trip, with the value that made it. */
function tripOf(
  model: MachineModel,
  values: readonly number[],
  tripped: boolean,
  hasFault: boolean,
): { readonly tripped: boolean; readonly value: number } | undefined {
  let hottest: number | undefined;
  for (const [index, behaviour] of model.behaviours.entries()) {
    if (behaviour.behaviour !== 'process' || behaviour.trip_above === undefined) continue;
    const value = values[index] ?? 0;
    const limit = behaviour.trip_above;
    if (!tripped && value > limit) return { tripped: true, value };
    if (tripped && (hasFault || value > limit - Math.abs(limit) * TRIP_HYSTERESIS)) return undefined;
    hottest = Math.max(value, hottest ?? value);
  }
  return tripped ? { tripped: false, value: hottest ?? 0 } : undefined;
}

function startValue(behaviour: SimulatedBehaviour, model: MachineModel): number {
  switch (behaviour.behaviour) {
    case 'process':
      return behaviour.start ?? startMean(behaviour, model);
    case 'setpoint':
      return Number(behaviour.start);
    case 'constant':
      return typeof behaviour.value === 'string' ? 0 : Number(behaviour.value);
    case 'steps':
      return stepAt(behaviour, 0);
    case 'running':
      return 1;
    case 'difference':
    case 'door':
    case 'clock':
      return 0;
    default:
      return behaviour.start;
  }
}

function startMean({ mean, mean_of, by_step }: Behaviour<'process'>, model: MachineModel): number {
  const setpoint = model.behaviours[model.indexOf(mean_of)];
  if (setpoint?.behaviour === 'setpoint') return Number(setpoint.start);
  const steps = model.behaviours[model.indexOf(by_step?.of)];
  if (steps?.behaviour === 'steps') return by_step?.means[String(stepAt(steps, 0))] ?? mean;
  return mean;
}

function mayBeWritten(behaviour: SimulatedBehaviour, value: number): boolean {
  if (!Number.isFinite(value)) return false;
  switch (behaviour.behaviour) {
    case 'setpoint':
      return value >= (behaviour.min ?? value) && value <= (behaviour.max ?? value);
    case 'counter':
    case 'batches':
      return value >= 0;
    case 'constant':
      return typeof behaviour.value !== 'string';
    case 'running':
    case 'process':
    case 'level':
    case 'wear':
      return true;
    default:
      return false;
  }
}

function noise(size: number, state: MachineState, model: MachineModel, index: number): number {
  return size === 0 ? 0 : size * noiseAt(model.seed, index, state.scan);
}
