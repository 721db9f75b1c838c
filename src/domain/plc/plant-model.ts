import { EdgeError } from '../../runtime/edge-error.ts';
import { LANGUAGES, type Language, type Spoken } from '../language/language.ts';
import { checkQuantities } from './device-map-checks.ts';
import type { ConnectionSettings, DeviceMap, MachineSettings, PointSettings } from './device-map-shape.ts';
import type { PointEncoding } from './point-encoding.ts';
import type { PointRef } from './point-ref.ts';
import { encodingOf, isBitTable } from './point-settings-checks.ts';
import type { PointValue } from './reading.ts';
import { type RegisterTable, resolveAddress } from './register-address.ts';
import type { SimulatedBehaviour } from './simulation.ts';

/** Names in every language: the first is the one that is said. */
export type SpokenNames = Readonly<Record<Language, readonly string[]>>;

/** An entry of a sentence list: what is meant, and how people say it. */
export interface NamedEntry {
  readonly value: string;
  readonly spoken: SpokenNames;
}

export interface PlantMachine {
  readonly id: string;
  readonly names: SpokenNames;
  readonly connection: string;
  readonly unitId: number;
  readonly maxRegistersPerRequest: number;
  readonly points: ReadonlyMap<string, PlantPoint>;
}

export interface PlantPoint {
  readonly ref: PointRef;
  readonly names: SpokenNames;
  readonly table: RegisterTable;
  /** As it goes over the wire, 0 to 65535. */
  readonly address: number;
  /** Registers, or 1 for a coil or discrete input. */
  readonly count: number;
  readonly encoding: PointEncoding;
  readonly unit: Spoken | undefined;
  readonly decimals: number | undefined;
  /** Text of each raw value; empty when the point has no enum. */
  readonly enumTexts: ReadonlyMap<number, Spoken>;
  readonly simulated: SimulatedBehaviour | undefined;
}

/** The machines and points of a whole plant, from one or more plant files. */
export class PlantModel {
  readonly connections: ReadonlyMap<string, ConnectionSettings>;
  readonly machines: ReadonlyMap<string, PlantMachine>;

  /** Throws EdgeError PLANT_CONFLICT when two files give the same id or name to different things. */
  constructor(maps: readonly DeviceMap[]) {
    const connections = new Map<string, ConnectionSettings>();
    const machines = new Map<string, PlantMachine>();
    for (const map of maps) {
      for (const [id, settings] of Object.entries(map.connections))
        addOnce(connections, id, settings, 'connection');
      for (const [id, settings] of Object.entries(map.machines))
        addOnce(machines, id, machineOf(id, settings), 'machine');
    }
    const clash = checkQuantities(maps)[0];
    if (clash !== undefined)
      throw new EdgeError('PLANT_CONFLICT', `${clash.path.join('.')}: ${clash.message}`, {
        hint: 'Give points with the same name the same key in every plant file.',
      });
    this.connections = connections;
    this.machines = machines;
  }

  machine(id: string): PlantMachine | undefined {
    return this.machines.get(id);
  }

  point(ref: PointRef): PlantPoint | undefined {
    return this.machines.get(ref.machine)?.points.get(ref.point);
  }

  points(): PlantPoint[] {
    return [...this.machines.values()].flatMap((machine) => [...machine.points.values()]);
  }

  /** The machines as a list of things that can be said; several may share a name. */
  machineList(): NamedEntry[] {
    return [...this.machines.values()].map(({ id, names }) => ({ value: id, spoken: names }));
  }

  /** The point keys of all machines, each once with every name it has anywhere. */
  quantityList(): NamedEntry[] {
    const merged = new Map<string, Record<Language, string[]>>();
    for (const { ref, names } of this.points()) {
      const known = merged.get(ref.point) ?? { en: [], zh: [] };
      for (const language of LANGUAGES)
        known[language].push(...names[language].filter((name) => !known[language].includes(name)));
      merged.set(ref.point, known);
    }
    return [...merged].map(([value, spoken]) => ({ value, spoken }));
  }

  /** The name to say, or the id of a machine that is not in the plant. */
  machineName(id: string): Spoken {
    return saidName(this.machine(id)?.names, id);
  }

  pointName(ref: PointRef): Spoken {
    return saidName(this.point(ref)?.names, ref.point);
  }

  unit(ref: PointRef): Spoken | undefined {
    return this.point(ref)?.unit;
  }

  decimals(ref: PointRef): number | undefined {
    return this.point(ref)?.decimals;
  }

  /** What the value is called, when the point has an enum and the enum has the value. */
  enumText(ref: PointRef, value: PointValue): Spoken | undefined {
    const texts = this.point(ref)?.enumTexts;
    return typeof value === 'string' ? undefined : texts?.get(Number(value));
  }
}

function machineOf(id: string, settings: MachineSettings): PlantMachine {
  const points = new Map<string, PlantPoint>();
  for (const [key, point] of Object.entries(settings.points))
    points.set(key, pointOf({ machine: id, point: key }, point, settings));
  return {
    id,
    names: settings.names,
    connection: settings.connection,
    unitId: settings.unit_id,
    maxRegistersPerRequest: settings.max_registers_per_request,
    points,
  };
}

function pointOf(ref: PointRef, point: PointSettings, machine: MachineSettings): PlantPoint {
  const resolved = resolveAddress(point.register, point.address, machine.address_base);
  if (!resolved.ok) throw new EdgeError('PLANT_CONFLICT', `${ref.machine}.${ref.point}: ${resolved.reason}`);
  const encoding = encodingOf(point, machine);
  return {
    ref,
    names: point.names,
    table: point.register,
    address: resolved.address,
    count: isBitTable(point) ? 1 : encoding.registers,
    encoding,
    unit: point.unit,
    decimals: point.decimals,
    enumTexts: new Map(Object.entries(point.enum ?? {}).map(([raw, text]) => [Number(raw), text])),
    simulated: point.simulated,
  };
}

function saidName(names: SpokenNames | undefined, fallback: string): Spoken {
  return { en: names?.en[0] ?? fallback, zh: names?.zh[0] ?? fallback };
}

function addOnce<T>(into: Map<string, T>, id: string, value: T, kind: string): void {
  if (into.has(id))
    throw new EdgeError('PLANT_CONFLICT', `two plant files have a ${kind} called ${id}`, {
      hint: `Rename the ${kind} in one of the files.`,
    });
  into.set(id, value);
}
