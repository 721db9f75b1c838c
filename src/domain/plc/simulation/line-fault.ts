import { z } from 'zod';
import { EdgeError } from '../../../runtime/edge-error.ts';
import { didYouMean } from '../../../runtime/nearest.ts';
import type { PlantDevice, PlantMachine, PlantModel, PlantPoint } from '../plant-model.ts';
import type { PointRef } from '../point-ref.ts';
import {
  MAX_ADDRESS,
  MAX_REGISTERS_PER_REQUEST,
  REGISTER_TABLES,
  type RegisterTable,
} from '../register-address.ts';
import { MACHINE_FAULTS, type MachineFault } from './simulated-behaviour.ts';

const NAMES = z.enum([
  'overheat',
  'jam',
  'stuck',
  'clock',
  'dead',
  'slow',
  'illegal',
  'busy',
  'noise',
  'closes',
  'fewer',
]);
export type LineFaultName = z.infer<typeof NAMES>;

/** What can be made to go wrong on a simulated line, and what it looks like. */
export const LINE_FAULTS: Readonly<Record<LineFaultName, string>> = {
  overheat: 'the temperature climbs, until the machine trips and logs it',
  jam: 'the machine stands with its drive on: no pieces, high current',
  stuck: 'a sensor shows the same value for ever',
  clock: 'the clock of the PLC is wrong',
  dead: 'the device does not answer',
  slow: 'the device takes its time to answer',
  illegal: 'the device refuses registers (exception 2)',
  busy: 'the device is too busy to answer (exception 6)',
  noise: 'bytes get lost, garbled and invented on the line',
  closes: 'the connection is closed after each answer',
  fewer: 'the device refuses to read many registers at once (exception 3)',
};

/** Garbage comes in place of the answer, garbled is the answer damaged, a stray comes before it. */
export const NOISE_KINDS = ['garbage', 'garbled', 'stray'] as const;
export type NoiseKind = (typeof NOISE_KINDS)[number];

/** A fault as somebody asks for it. */
export const faultRequestSchema = z.strictObject({
  name: z.string().max(40),
  /** A machine or device; MACHINE.POINT for a sensor. */
  target: z.string().max(140),
  /** Until it goes by itself, milliseconds of the clock on the wall; for good unless given. */
  for_ms: z
    .number()
    .positive()
    .max(7 * 86_400_000)
    .optional(),
  /** Of `slow`. */
  delay_ms: z.number().min(1).max(600_000).optional(),
  /** Of `illegal`: table and addresses as sent, such as `holding:0-9`; all holding registers unless given. */
  registers: z.string().max(60).optional(),
  /** Of `fewer`: the most that are read at once. */
  most: z.int().min(1).max(MAX_REGISTERS_PER_REQUEST).optional(),
  /** Of `noise`; all three in turn unless given. */
  kind: z.enum(NOISE_KINDS).optional(),
  /** Of `noise` and `busy`: how many of the answers are hit, 0 to 1. */
  share: z.number().min(0).max(1).optional(),
  /** Of `clock`, seconds ahead. */
  offset_s: z.number().min(-1e9).max(1e9).optional(),
});
export type FaultRequest = z.infer<typeof faultRequestSchema>;

export interface FaultySpan {
  readonly table: RegisterTable;
  /** As sent, both ends included. */
  readonly first: number;
  readonly last: number;
}

/** What goes wrong between a device and whoever asks it. */
export type WireFault =
  | { readonly name: 'dead' | 'closes' }
  | { readonly name: 'busy'; readonly share: number }
  | { readonly name: 'slow'; readonly delayMs: number }
  | { readonly name: 'illegal'; readonly spans: readonly FaultySpan[] }
  | { readonly name: 'noise'; readonly kinds: readonly NoiseKind[]; readonly share: number }
  | { readonly name: 'fewer'; readonly most: number };

export type FaultEffect =
  | { readonly on: 'machine'; readonly machine: string; readonly fault: MachineFault }
  | { readonly on: 'sensor'; readonly ref: PointRef }
  | { readonly on: 'clock'; readonly machine: string; readonly offsetS: number }
  | { readonly on: 'wire'; readonly units: readonly number[]; readonly wire: WireFault };

/** A fault that can be put on a line. */
export interface LineFault {
  readonly name: LineFaultName;
  readonly target: string;
  readonly forMs: number | undefined;
  readonly effect: FaultEffect;
}

const SLOW_MS = 500;
const NOISY_SHARE = 0.5;
const FEWER_REGISTERS = 8;
const CLOCK_OFFSET_S = 90;

/** Which faults an option belongs to. */
const OPTION_OWNERS: Readonly<Record<string, readonly LineFaultName[]>> = {
  delay_ms: ['slow'],
  registers: ['illegal'],
  most: ['fewer'],
  kind: ['noise'],
  share: ['noise', 'busy'],
  offset_s: ['clock'],
};

/** Throws EdgeError USAGE that names the nearest fault, machine, device or point. */
export function resolveFault(request: FaultRequest, plant: PlantModel, connection: string): LineFault {
  const name = faultName(request.name);
  for (const [option, owners] of Object.entries(OPTION_OWNERS))
    if (Reflect.get(request, option) !== undefined && !owners.includes(name))
      throw usage(
        `${option.replace(/_(ms|s)$/, '')} goes with the fault ${owners.join(' or ')}, not with ${name}`,
      );
  return {
    name,
    target: request.target,
    forMs: request.for_ms,
    effect: effectOf(name, request, plant, connection),
  };
}

/** Throws EdgeError USAGE that names the nearest fault. */
export function faultName(word: string): LineFaultName {
  const parsed = NAMES.safeParse(word);
  if (parsed.success) return parsed.data;
  throw usage(
    `no fault is called "${word}".${didYouMean(word, NAMES.options)} There are ${NAMES.options.join(', ')}`,
  );
}

function effectOf(
  name: LineFaultName,
  request: FaultRequest,
  plant: PlantModel,
  connection: string,
): FaultEffect {
  switch (name) {
    case 'overheat':
    case 'jam': {
      const machine = machineOf(request.target, plant);
      if (!suffers(machine, name)) {
        const able = [...plant.machines.values()].filter((each) => suffers(each, name)).map(({ id }) => id);
        throw usage(
          `${machine.id} has no point that a fault ${name} changes; ${able.length === 0 ? 'no machine of the line has' : `these machines have: ${able.join(', ')}`}`,
        );
      }
      return { on: 'machine', machine: machine.id, fault: name };
    }
    case 'stuck':
      return { on: 'sensor', ref: pointOf(request.target, plant).ref };
    case 'clock':
      return {
        on: 'clock',
        machine: machineOf(request.target, plant).id,
        offsetS: request.offset_s ?? CLOCK_OFFSET_S,
      };
    case 'illegal':
      return { on: 'wire', ...illegalOf(request, plant, connection) };
    default:
      return { on: 'wire', units: unitsOf(request.target, plant, connection), wire: wireOf(name, request) };
  }
}

function wireOf(
  name: Exclude<LineFaultName, MachineFault | 'stuck' | 'clock' | 'illegal'>,
  { delay_ms, most, kind, share }: FaultRequest,
): WireFault {
  switch (name) {
    case 'slow':
      return { name, delayMs: delay_ms ?? SLOW_MS };
    case 'fewer':
      return { name, most: most ?? FEWER_REGISTERS };
    case 'busy':
      return { name, share: share ?? 1 };
    case 'noise':
      return { name, kinds: kind === undefined ? NOISE_KINDS : [kind], share: share ?? NOISY_SHARE };
    case 'dead':
    case 'closes':
      return { name };
  }
}

function illegalOf(
  { target, registers }: FaultRequest,
  plant: PlantModel,
  connection: string,
): { readonly units: readonly number[]; readonly wire: WireFault } {
  if (target.includes('.')) {
    if (registers !== undefined) throw usage('registers goes with a machine or device, not with a point');
    const point = pointOf(target, plant);
    const span = { table: point.table, first: point.address, last: point.address + point.count - 1 };
    return {
      units: [plant.device(point.device)?.unitId ?? 0],
      wire: { name: 'illegal', spans: [span] },
    };
  }
  const span =
    registers === undefined ? { table: 'holding' as const, first: 0, last: MAX_ADDRESS } : spanOf(registers);
  return { units: unitsOf(target, plant, connection), wire: { name: 'illegal', spans: [span] } };
}

function spanOf(written: string): FaultySpan {
  const [, word = '', from = '', to = from] = /^([a-z_]+):(\d{1,5})(?:-(\d{1,5}))?$/.exec(written) ?? [];
  const table = REGISTER_TABLES.find((each) => each === word);
  const [first, last] = [Number(from), Number(to)];
  if (table === undefined || from === '' || first > last || last > MAX_ADDRESS)
    throw usage(
      `"${written}" is no range of registers: write a table and addresses as sent, such as holding:0-9.${word === '' ? '' : didYouMean(word, REGISTER_TABLES)}`,
    );
  return { table, first, last };
}

function machineOf(target: string, plant: PlantModel): PlantMachine {
  const machine = plant.machine(target);
  if (machine !== undefined) return machine;
  throw usage(
    `no machine is called "${target}".${didYouMean(target, plant.machines.keys())} There are ${[...plant.machines.keys()].join(', ')}`,
  );
}

function pointOf(target: string, plant: PlantModel): PlantPoint {
  const [machineId = '', key = '', ...rest] = target.split('.');
  const machine = machineOf(machineId, plant);
  const keys = [...machine.points.keys()];
  const point = rest.length === 0 ? machine.points.get(key) : undefined;
  if (point !== undefined) return point;
  throw usage(
    key === ''
      ? `say which sensor of ${machineId}, such as ${machineId}.${keys[0] ?? 'temperature'}`
      : `${machineId} has no point "${[key, ...rest].join('.')}".${didYouMean(key, keys)} It has ${keys.join(', ')}`,
  );
}

/** The unit ids behind a device, or behind the points of a machine. */
function unitsOf(target: string, plant: PlantModel, connection: string): number[] {
  const machine = plant.machine(target);
  const devices =
    machine === undefined
      ? [plant.device(target)]
      : [...machine.points.values()].map((point) => plant.device(point.device));
  const units = devices
    .filter((device): device is PlantDevice => device?.connection === connection)
    .map(({ unitId }) => unitId);
  if (units.length > 0) return [...new Set(units)];
  const known = [...plant.machines.keys(), ...plant.devices.keys()];
  throw usage(
    `no machine or device of this line is called "${target}".${didYouMean(target, known)} There are ${known.join(', ')}`,
  );
}

function suffers(machine: PlantMachine, fault: MachineFault): boolean {
  return [...machine.points.values()].some(({ simulated }) => {
    if (simulated?.behaviour === 'process') return simulated.faults[fault] !== undefined;
    return (
      fault === MACHINE_FAULTS[1] && (simulated?.behaviour === 'counter' || simulated?.behaviour === 'steps')
    );
  });
}

/** A fault to try on the machines of a line; undefined where there are none. */
export function exampleFault(
  machines: readonly PlantMachine[],
): Pick<FaultRequest, 'name' | 'target'> | undefined {
  const [first] = machines;
  const able = machines.find((machine) => suffers(machine, 'overheat'));
  if (able !== undefined) return { name: 'overheat', target: able.id };
  return first === undefined ? undefined : { name: 'dead', target: first.id };
}

function usage(message: string): EdgeError {
  return new EdgeError('USAGE', message);
}
