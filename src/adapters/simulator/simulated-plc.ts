import type { PlantMachine, PlantPoint } from '../../domain/plc/plant-model.ts';
import type { PointValue } from '../../domain/plc/reading.ts';
import { LogRing } from '../../domain/plc/simulation/log-ring.ts';
import { MACHINE_EVENTS, type MachineEventName } from '../../domain/plc/simulation/machine-event.ts';
import { type MachineModel, machineModel, SCAN_S } from '../../domain/plc/simulation/machine-model.ts';
import type {
  MachineFault,
  SimulatedBehaviour,
  SimulatedValue,
} from '../../domain/plc/simulation/simulated-behaviour.ts';
import {
  clockValue,
  isFaulty,
  type MachineState,
  runMachine,
  shownValue,
  startMachine,
  writePoint,
} from '../../domain/plc/simulation/simulated-machine.ts';
import { decodedWords, wordsFor } from './point-words.ts';

/** When the simulation began, and how much faster than the clock on the wall its physics run. */
export interface SimulatedTime {
  readonly startWallS: number;
  readonly speed: number;
}

/** Something that a machine's log has recorded. */
export interface LoggedEvent {
  readonly machine: string;
  readonly name: MachineEventName;
  /** By the clock of the PLC, Unix seconds. */
  readonly atS: number;
  readonly value: number;
}

const NO_CLOCK = { offset_s: 0, drift_s_per_day: 0 };

/** One machine of the line: its physics, what is pinned, its clock and its log. Called by LineImage. */
export class SimulatedPlc {
  readonly machine: PlantMachine;
  readonly points: readonly PlantPoint[];
  readonly #rings: LogRing[] = [];
  readonly #model: MachineModel;
  readonly #time: SimulatedTime;
  readonly #clock: Pick<Extract<SimulatedBehaviour, { behaviour: 'clock' }>, 'offset_s' | 'drift_s_per_day'>;
  readonly #onEvent: (event: LoggedEvent) => void;
  readonly #held = new Map<string, PointValue>();
  readonly #stuck = new Map<string, readonly number[]>();
  #state: MachineState;
  #sinceStartS = 0;
  #clockFaultS = 0;
  /** Words of points since something last changed. */
  #words = new Map<string, readonly number[]>();

  constructor(
    machine: PlantMachine,
    points: readonly PlantPoint[],
    options: {
      readonly seed: number;
      readonly time: SimulatedTime;
      readonly onEvent: (event: LoggedEvent) => void;
    },
  ) {
    this.machine = machine;
    this.points = points;
    const behaviours: Record<string, SimulatedBehaviour> = {};
    for (const { ref, simulated } of points) if (simulated !== undefined) behaviours[ref.point] = simulated;
    this.#model = machineModel(behaviours, options.seed);
    this.#state = startMachine(this.#model);
    this.#time = options.time;
    this.#onEvent = options.onEvent;
    this.#clock = Object.values(behaviours).find((each) => each.behaviour === 'clock') ?? NO_CLOCK;
  }

  /** Lets time pass until `sinceStartS` seconds of the wall clock after the start; no more than six hours of the machine at once. */
  advance(sinceStartS: number, faults: readonly MachineFault[]): void {
    this.#sinceStartS = sinceStartS;
    const scan = Math.floor((sinceStartS * this.#time.speed) / SCAN_S + 1e-6);
    const missed = scan - this.#state.scan;
    if (missed <= 0) return;
    const { state, events } = runMachine(this.#state, this.#model, Math.min(missed, MOST_SCANS), faults);
    // After a longer sleep the machine goes on from where it was.
    this.#state = { ...state, scan };
    for (const event of events)
      this.record(event.name, event.value, (event.scan * SCAN_S) / this.#time.speed);
    this.#words.clear();
  }

  /** Writes to the log what happened `sinceStartS` seconds after the start, or now. */
  record(name: MachineEventName, value: number, sinceStartS = this.#sinceStartS): void {
    const atS = this.clockS(sinceStartS);
    this.append(MACHINE_EVENTS[name], value, atS);
    this.#onEvent({ machine: this.machine.id, name, atS, value });
  }

  /** Keeps another log from now on: all logs of a machine tell the same, as far back as each can. */
  keepLog(capacity: number): LogRing {
    const ring = new LogRing(capacity);
    this.#rings.push(ring);
    return ring;
  }

  /** Writes one record to its logs. */
  append(code: number, value: number, atS = this.clockS()): void {
    for (const ring of this.#rings) ring.append({ atS, code, value });
  }

  /** What the clock of the PLC shows then, Unix seconds. */
  clockS(sinceStartS = this.#sinceStartS): number {
    return clockValue(this.#clock, this.#time.startWallS + sinceStartS + this.#clockFaultS, sinceStartS);
  }

  /** When the PLC was switched on, by its own clock. */
  get startedS(): number {
    return this.clockS(0);
  }

  set clockFaultS(offsetS: number) {
    this.#clockFaultS = offsetS;
    this.#words.clear();
  }

  hold(key: string, value: PointValue | undefined): void {
    if (value === undefined) this.#held.delete(key);
    else this.#held.set(key, value);
    this.#words.clear();
  }

  /** Freezes the registers of a point as they are, to the last bit. */
  stick(point: PlantPoint, isStuck: boolean): void {
    if (isStuck) this.#stuck.set(point.ref.point, this.words(point));
    else this.#stuck.delete(point.ref.point);
    this.#words.clear();
  }

  value(point: PlantPoint): SimulatedValue {
    const held = this.#held.get(point.ref.point);
    if (held !== undefined) return held;
    const nowS = this.#time.startWallS + this.#sinceStartS + this.#clockFaultS;
    return shownValue(this.#state, this.#model, this.#model.indexOf(point.ref.point), {
      nowS,
      sinceStartS: this.#sinceStartS,
    });
  }

  words(point: PlantPoint): readonly number[] {
    const key = point.ref.point;
    const stuck = this.#stuck.get(key);
    if (stuck !== undefined) return stuck;
    const known = this.#words.get(key);
    if (known !== undefined) return known;
    const words = wordsFor(point, this.value(point));
    this.#words.set(key, words);
    return words;
  }

  /**
   * Takes new registers for some of its points, all or none of them. Returns what carries it out, or undefined where the
   * PLC refuses a value.
   */
  prepareWrite(changes: ReadonlyMap<PlantPoint, readonly number[]>): (() => void) | undefined {
    let state = this.#state;
    const records: number[] = [];
    for (const [point, words] of changes) {
      const value = decodedWords(point, words);
      if (value === undefined) return undefined;
      const written = writePoint(state, this.#model, point.ref.point, value);
      if (written === undefined) return undefined;
      state = written;
      records.push(Number(value));
    }
    return () => {
      this.#state = state;
      for (const value of records) this.record('written', value);
      this.#words.clear();
    };
  }

  get isFaulty(): boolean {
    return isFaulty(this.#state);
  }

  get isRunning(): boolean {
    return this.#state.powered && !isFaulty(this.#state);
  }
}

/** Scans of six hours: some tenths of a second of work. */
const MOST_SCANS = Math.round((6 * 3_600) / SCAN_S);
