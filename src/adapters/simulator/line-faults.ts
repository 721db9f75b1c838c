import { ILLEGAL_ADDRESS, ILLEGAL_VALUE } from '../../domain/plc/modbus-error.ts';
import type { RegisterTable } from '../../domain/plc/register-address.ts';
import { chanceAt } from '../../domain/plc/simulation/chance.ts';
import type {
  LineFault,
  LineFaultName,
  NoiseKind,
  WireFault,
} from '../../domain/plc/simulation/line-fault.ts';
import type { MachineFault } from '../../domain/plc/simulation/simulated-behaviour.ts';

export interface ActiveFault {
  readonly fault: LineFault;
  /** Monotonic; undefined for good. */
  readonly untilMs: number | undefined;
}

/** What a request meets on its way to the device. */
export interface WireEffects {
  readonly isDead: boolean;
  readonly delayMs: number;
  readonly closes: boolean;
  readonly noise: NoiseKind | undefined;
  /** Answered in place of the device. */
  readonly isBusy: boolean;
}

/** The faults that are on. Chance is drawn by the number of the request, so that a run can be repeated. */
export class LineFaults {
  readonly #seed: number;
  readonly #active = new Map<string, ActiveFault>();
  #drawn = 0;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** The same fault on the same target takes the place of the one before. */
  set(fault: LineFault, untilMs: number | undefined): void {
    this.#active.set(`${fault.name} ${fault.target}`, { fault, untilMs });
  }

  /** Takes away the faults of a name, of a target (a machine also has those of its points), or all; returns them. */
  clear(name: LineFaultName | undefined, target: string | undefined): LineFault[] {
    const gone = this.list().filter(
      ({ fault }) =>
        (name === undefined || fault.name === name) &&
        (target === undefined || fault.target === target || fault.target.startsWith(`${target}.`)),
    );
    for (const { fault } of gone) this.#active.delete(`${fault.name} ${fault.target}`);
    return gone.map(({ fault }) => fault);
  }

  list(): ActiveFault[] {
    return [...this.#active.values()];
  }

  /** When the next fault goes by itself, if that is before `nowMs`. */
  nextEndMs(nowMs: number): number | undefined {
    const ends = this.list().flatMap(({ untilMs }) =>
      untilMs !== undefined && untilMs <= nowMs ? [untilMs] : [],
    );
    return ends.length === 0 ? undefined : Math.min(...ends);
  }

  ofMachine(machine: string): MachineFault[] {
    return this.list().flatMap(({ fault: { effect } }) =>
      effect.on === 'machine' && effect.machine === machine ? [effect.fault] : [],
    );
  }

  /** Draws what happens to one request. */
  onWire(unitId: number): WireEffects {
    this.#drawn += 1;
    const chance = (place: number): number => chanceAt(this.#seed, place, this.#drawn);
    let effects: WireEffects = { isDead: false, delayMs: 0, closes: false, noise: undefined, isBusy: false };
    for (const wire of this.#wires(unitId)) {
      if (wire.name === 'dead') effects = { ...effects, isDead: true };
      if (wire.name === 'slow') effects = { ...effects, delayMs: wire.delayMs };
      if (wire.name === 'closes') effects = { ...effects, closes: true };
      if (wire.name === 'busy' && chance(1) < wire.share) effects = { ...effects, isBusy: true };
      if (wire.name === 'noise' && chance(2) < wire.share)
        effects = { ...effects, noise: wire.kinds[Math.floor(chance(3) * wire.kinds.length)] };
    }
    return effects;
  }

  /** The exception that a fault makes of a read or write of these registers. */
  refuses(unitId: number, table: RegisterTable, address: number, count: number): number | undefined {
    for (const wire of this.#wires(unitId)) {
      if (wire.name === 'fewer' && count > wire.most) return ILLEGAL_VALUE;
      if (
        wire.name === 'illegal' &&
        wire.spans.some(
          (span) => span.table === table && address <= span.last && address + count > span.first,
        )
      )
        return ILLEGAL_ADDRESS;
    }
    return undefined;
  }

  #wires(unitId: number): WireFault[] {
    return this.list().flatMap(({ fault: { effect } }) =>
      effect.on === 'wire' && effect.units.includes(unitId) ? [effect.wire] : [],
    );
  }
}
