import { noiseAt } from './chance.ts';
import type { MachineEvent, MachineEventName } from './machine-event.ts';
import { type MachineModel, stepAt } from './machine-model.ts';
import { differenceOf, type Moment, physicsOf } from './point-physics.ts';
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
export function startMachine(model: MachineModel): MachineState {
  const values = model.behaviours.map((behaviour) => startValue(behaviour, model));
  // A difference starts from the values of others.
  for (const [index, behaviour] of model.behaviours.entries())
    if (behaviour.behaviour === 'difference')
      values[index] = differenceOf(
        values[model.indexOf(behaviour.of)] ?? 0,
        values[model.indexOf(behaviour.minus)] ?? 0,
      );
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
  const moment: Moment = {
    scan: before.scan,
    powered: before.powered,
    produces: false,
    isHot: faults.includes('overheat'),
    isJammed: faults.includes('jam'),
    old: [...before.values],
    kept: [...before.kept],
    note: (name: MachineEventName, value: number) => void events.push({ scan: moment.scan, name, value }),
  };
  const steps = physicsOf(model);
  let now = [...before.values];
  let { tripped } = before;
  const last = before.scan + scans;
  moment.scan += 1;
  if (moment.isJammed !== before.faults.includes('jam'))
    moment.note(moment.isJammed ? 'jam' : 'recovered', 0);
  for (; moment.scan <= last; moment.scan += 1) {
    const trip = tripOf(model, moment.old, tripped, faults.length > 0);
    if (trip !== undefined) moment.note(trip.tripped ? 'overheat' : 'recovered', trip.value);
    tripped = trip?.tripped ?? tripped;
    const wasPowered = moment.powered;
    moment.powered = isPowered(model, moment.old, moment.kept, moment.scan, tripped);
    if (moment.powered !== wasPowered) moment.note(moment.powered ? 'start' : 'stop', 0);
    moment.produces = moment.powered && !moment.isJammed;
    for (let index = 0; index < steps.length; index += 1) now[index] = steps[index]?.(moment) ?? 0;
    const old = moment.old;
    moment.old = now;
    now = old;
  }
  const { old: values, kept, powered } = moment;
  return { state: { scan: last, values, kept, powered, tripped, faults }, events };
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

function isPowered(
  model: MachineModel,
  values: readonly number[],
  kept: readonly number[],
  scan: number,
  tripped: boolean,
): boolean {
  const { drive } = model;
  if (tripped) return false;
  if (drive === undefined) return true;
  if (kept[drive.index] === 0) return false;
  if (drive.switch >= 0 && values[drive.switch] === 0) return false;
  if (drive.stopsWhile >= 0 && (values[drive.stopsWhile] ?? 0) !== 0) return false;
  return drive.periodScans === drive.onScans || scan % drive.periodScans < drive.onScans;
}

/** A change of the trip, with the value that made it. */
function tripOf(
  model: MachineModel,
  values: readonly number[],
  tripped: boolean,
  hasFault: boolean,
): { readonly tripped: boolean; readonly value: number } | undefined {
  if (tripped && hasFault) return undefined;
  let hottest: number | undefined;
  for (const { index, limit } of model.trips) {
    const value = values[index] ?? 0;
    if (!tripped && value > limit) return { tripped: true, value };
    if (tripped && value > limit - Math.abs(limit) * TRIP_HYSTERESIS) return undefined;
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
