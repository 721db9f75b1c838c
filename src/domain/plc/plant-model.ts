import { EdgeError } from '../../runtime/edge-error.ts';
import { LANGUAGES, type Language, type Spoken } from '../language/language.ts';
import { checkQuantities } from './device-map-checks.ts';
import type {
  ConnectionSettings,
  DeviceMap,
  DeviceSettings,
  MachineSettings,
  PointSettings,
} from './device-map-shape.ts';
import {
  checkConnections,
  type ForbiddenSpan,
  forbiddenSpans,
  isBroadcast,
} from './device-settings-checks.ts';
import { checkLines } from './line-checks.ts';
import { type PlantLog, plantLogOf } from './log/plant-log.ts';
import { isBitTable } from './modbus-request.ts';
import type { PointEncoding } from './point-encoding.ts';
import type { PointRef } from './point-ref.ts';
import { encodingOf, type SettingsIssue } from './point-settings-checks.ts';
import type { PointValue } from './reading.ts';
import { type RegisterTable, resolveAddress } from './register-address.ts';
import type { SimulatedBehaviour } from './simulation/simulated-behaviour.ts';
import { checkInterlocks } from './writing/interlock-checks.ts';

/** Names in every language: the first is the one that is said. */
export type SpokenNames = Readonly<Record<Language, readonly string[]>>;

/** An entry of a sentence list: what is meant, and how people say it. */
export interface NamedEntry {
  readonly value: string;
  readonly spoken: SpokenNames;
}

/** What is asked under one unit id of one connection. */
export interface PlantDevice {
  readonly id: string;
  readonly connection: string;
  readonly unitId: number;
  readonly maxRegistersPerRequest: number;
  readonly maxBitsPerRequest: number;
  /** Registers or bits without a use that may be read to join two points. */
  readonly maxGap: number;
  readonly forbidden: readonly ForbiddenSpan[];
  readonly oneRequestPerPoint: boolean;
  readonly pollIntervalMs: number;
  readonly staleAfterMs: number;
  readonly alwaysWriteMany: boolean;
  /** Obeys and never answers. */
  readonly isBroadcast: boolean;
}

/** A production line of the plant. */
export interface PlantLine {
  readonly id: string;
  readonly names: SpokenNames;
}

/** What people have a name for; its points may be in several devices. */
export interface PlantMachine {
  readonly id: string;
  readonly names: SpokenNames;
  /** The id of the production line it stands in, where the plant file says so. */
  readonly line: string | undefined;
  readonly points: ReadonlyMap<string, PlantPoint>;
  /** What each command writes. */
  readonly commands: ReadonlyMap<string, { readonly point: string; readonly value: PointValue }>;
  /** The event logs of its PLC. */
  readonly logs: ReadonlyMap<string, PlantLog>;
}

export type PointAccess = PointSettings['access'];

/** What history keeps of a point. */
export interface PointReport {
  readonly when: PointSettings['report'];
  readonly periodMs: number;
  /** In the point's unit. */
  readonly deadband: number;
}

export interface PlantPoint {
  readonly ref: PointRef;
  readonly names: SpokenNames;
  /** The id of the device it is in. */
  readonly device: string;
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
  readonly access: PointAccess;
  /** The least and the most that may be written, in the point's unit. */
  readonly writeMin: number | undefined;
  readonly writeMax: number | undefined;
  /** Conditions that must all hold for a write. */
  readonly writeWhen: readonly string[];
  readonly writeRisk: 'physical' | 'dangerous';
  /** Whether it is said when the status of its machine is asked for. */
  readonly inStatus: boolean;
  readonly report: PointReport;
  readonly simulated: SimulatedBehaviour | undefined;
}

/** Polls without a value after which the last one counts no longer, unless the device map says so itself. */
const STALE_AFTER_POLLS = 3;

/** The machines and points of a whole plant, from one or more plant files. */
export class PlantModel {
  readonly connections: ReadonlyMap<string, ConnectionSettings>;
  readonly devices: ReadonlyMap<string, PlantDevice>;
  readonly machines: ReadonlyMap<string, PlantMachine>;
  readonly lines: ReadonlyMap<string, PlantLine>;

  /** Throws EdgeError PLANT_CONFLICT when two files give the same id or name to different things. */
  constructor(maps: readonly DeviceMap[]) {
    const connections = new Map<string, ConnectionSettings>();
    const devices = new Map<string, PlantDevice>();
    const machines = new Map<string, PlantMachine>();
    const lines = new Map<string, PlantLine>();
    for (const map of maps) {
      for (const [id, settings] of Object.entries(map.connections))
        addOnce(connections, id, settings, 'connection');
      for (const [id, settings] of Object.entries(map.devices))
        addOnce(devices, id, deviceOf(id, settings, map), 'device');
      for (const [id, settings] of Object.entries(map.machines))
        addOnce(machines, id, machineOf(id, settings, map), 'machine');
      for (const [id, settings] of Object.entries(map.lines ?? {})) lines.set(id, { id, ...settings });
    }
    refuse(checkQuantities(maps)[0], 'Give points with the same name the same key in every plant file.');
    refuse(checkConnections(maps)[0], 'Describe everything on one bus in one plant file.');
    refuse(checkLines(maps)[0], 'Give a line the same names in every plant file.');
    refuse(checkInterlocks(maps, true)[0], 'Mend the condition in the plant file.');
    this.connections = connections;
    this.devices = devices;
    this.machines = machines;
    this.lines = lines;
  }

  device(id: string): PlantDevice | undefined {
    return this.devices.get(id);
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

  logs(): PlantLog[] {
    return [...this.machines.values()].flatMap((machine) => [...machine.logs.values()]);
  }

  /** The machines as a list of things that can be said; several may share a name. */
  machineList(): NamedEntry[] {
    return [...this.machines.values()].map(({ id, names }) => ({ value: id, spoken: names }));
  }

  /** The production lines as a list of things that can be said. */
  lineList(): NamedEntry[] {
    return [...this.lines.values()].map(({ id, names }) => ({ value: id, spoken: names }));
  }

  /** The points of one machine as a list of things that can be said. */
  pointList(machine: string): NamedEntry[] {
    const points = this.machine(machine)?.points.values() ?? [];
    return [...points].map(({ ref, names }) => ({ value: ref.point, spoken: names }));
  }

  /** The logs of a machine, or of all, as a list of things that can be said; machines may have logs of one key. */
  logList(machine?: string): NamedEntry[] {
    return this.logs()
      .filter(({ ref }) => machine === undefined || ref.machine === machine)
      .map(({ ref, names }) => ({ value: ref.log, spoken: names }));
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

function refuse(clash: SettingsIssue | undefined, hint: string): void {
  if (clash === undefined) return;
  throw new EdgeError('PLANT_CONFLICT', `${clash.path.join('.')}: ${clash.message}`, { hint });
}

function deviceOf(id: string, settings: DeviceSettings, map: DeviceMap): PlantDevice {
  return {
    id,
    connection: settings.connection,
    unitId: settings.unit_id,
    maxRegistersPerRequest: settings.max_registers_per_request,
    maxBitsPerRequest: settings.max_bits_per_request,
    maxGap: settings.max_gap,
    forbidden: forbiddenSpans(settings),
    oneRequestPerPoint: settings.one_request_per_point,
    pollIntervalMs: settings.poll_interval_ms,
    staleAfterMs: settings.stale_after_ms ?? STALE_AFTER_POLLS * settings.poll_interval_ms,
    alwaysWriteMany: settings.always_write_many,
    isBroadcast: isBroadcast(settings, map.connections[settings.connection]),
  };
}

function machineOf(id: string, settings: MachineSettings, map: DeviceMap): PlantMachine {
  const points = new Map<string, PlantPoint>();
  for (const [key, point] of Object.entries(settings.points))
    points.set(key, pointOf({ machine: id, point: key }, point, point.device ?? settings.device, map));
  const commands = new Map(Object.entries(settings.commands ?? {}));
  const logs = logsOf(id, settings, map);
  return { id, names: settings.names, line: settings.line, points, commands, logs };
}

function logsOf(machine: string, settings: MachineSettings, map: DeviceMap): Map<string, PlantLog> {
  const logs = new Map<string, PlantLog>();
  for (const [key, log] of Object.entries(settings.logs ?? {})) {
    const id = log.device ?? settings.device;
    const device = map.devices[id];
    if (device === undefined)
      throw new EdgeError('PLANT_CONFLICT', `${machine}.${key}: no device is called ${id}`);
    logs.set(key, plantLogOf({ machine, log: key }, log, id, device));
  }
  return logs;
}

function pointOf(ref: PointRef, point: PointSettings, deviceId: string, map: DeviceMap): PlantPoint {
  const name = `${ref.machine}.${ref.point}`;
  const device = map.devices[deviceId];
  if (device === undefined) throw new EdgeError('PLANT_CONFLICT', `${name}: no device is called ${deviceId}`);
  const resolved = resolveAddress(point.register, point.address, device.address_base);
  if (!resolved.ok) throw new EdgeError('PLANT_CONFLICT', `${name}: ${resolved.reason}`);
  const encoding = encodingOf(point, device);
  return {
    ref,
    names: point.names,
    device: deviceId,
    table: point.register,
    address: resolved.address,
    count: isBitTable(point.register) ? 1 : encoding.registers,
    encoding,
    unit: point.unit,
    decimals: point.decimals,
    enumTexts: new Map(Object.entries(point.enum ?? {}).map(([raw, text]) => [Number(raw), text])),
    access: point.access,
    writeMin: point.write_min,
    writeMax: point.write_max,
    writeWhen: point.write_when ?? [],
    writeRisk: point.write_risk ?? 'physical',
    inStatus: point.in_status ?? point.access === 'read',
    report: { when: point.report, periodMs: point.report_period_ms, deadband: point.deadband ?? 0 },
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
