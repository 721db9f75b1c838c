import type { MachineSettings, PointSettings } from './device-map-shape.ts';
import { encodeRegisters } from './encode.ts';
import {
  integerRange,
  isIntegerType,
  isNumericType,
  type PointEncoding,
  registersOf,
} from './point-encoding.ts';

export interface SettingsIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Contradictions within one point's settings; paths start at the point. */
export function checkPoint(point: PointSettings, machine: MachineSettings): SettingsIssue[] {
  return [
    ...checkKind(point),
    ...checkLength(point, machine),
    ...checkNumbers(point),
    ...checkEnum(point),
    ...checkSimulated(point, machine),
  ];
}

/** How the point lies in its registers. */
export function encodingOf(point: PointSettings, machine: MachineSettings): PointEncoding {
  return {
    type: point.type,
    byteOrder: point.byte_order ?? machine.byte_order,
    registers: registersOf(point.type, point.length),
    bit: point.bit,
    scale: point.scale ?? 1,
    offset: point.offset ?? 0,
    unavailableValues: point.unavailable_values ?? [],
  };
}

export function isBitTable(point: PointSettings): boolean {
  return point.register === 'coil' || point.register === 'discrete_input';
}

function checkKind(point: PointSettings): SettingsIssue[] {
  const issues: SettingsIssue[] = [];
  if (isBitTable(point)) {
    if (point.type !== 'bool') issues.push(issue('type', `a ${point.register} is one bit: use type bool`));
    if (point.bit !== undefined) issues.push(issue('bit', `a ${point.register} has no bits to choose from`));
  } else if (point.type === 'bool' && point.bit === undefined) {
    issues.push(issue('type', `a bool in register ${point.register} needs bit: 0 to 15`));
  } else if (point.type !== 'bool' && point.bit !== undefined) {
    issues.push(issue('bit', `bit goes with type bool, not with ${point.type}`));
  }
  return issues;
}

function checkLength(point: PointSettings, machine: MachineSettings): SettingsIssue[] {
  const { type, length } = point;
  if (type === 'string' && length === undefined)
    return [issue('type', 'a string needs length: its number of registers')];
  if (length !== undefined && type !== 'string' && type !== 'bcd')
    return [issue('length', `length goes with string and bcd; a ${type} has its own`)];
  // Twelve digits are the most that BCD counters have; sixteen would no longer be exact numbers.
  if (type === 'bcd' && length !== undefined && length > 3)
    return [issue('length', 'a bcd has 3 registers (12 digits) at most')];
  const registers = registersOf(type, length);
  if (registers > machine.max_registers_per_request)
    return [
      issue(
        length === undefined ? 'type' : 'length',
        `${registers} registers cannot be read at once with max_registers_per_request ${machine.max_registers_per_request}`,
      ),
    ];
  return [];
}

function checkNumbers(point: PointSettings): SettingsIssue[] {
  const issues: SettingsIssue[] = [];
  if (!isNumericType(point.type)) {
    for (const key of ['scale', 'offset', 'unit', 'decimals', 'unavailable_values'] as const)
      if (point[key] !== undefined)
        issues.push(issue(key, `${key} goes with numbers, not with ${point.type}`));
  }
  if (point.scale === 0) issues.push(issue('scale', 'scale 0 would make every value the same'));
  return issues;
}

function checkEnum(point: PointSettings): SettingsIssue[] {
  if (point.enum === undefined) return [];
  if (point.type !== 'bool' && !isIntegerType(point.type))
    return [issue('enum', `enum goes with bool and whole numbers, not with ${point.type}`)];
  const issues = (['scale', 'offset', 'decimals', 'unit'] as const)
    .filter((key) => point[key] !== undefined)
    .map((key) => issue(key, `${key} has no meaning beside enum`));
  const { min, max } =
    point.type === 'bool'
      ? { min: 0n, max: 1n }
      : integerRange(point.type, registersOf(point.type, point.length));
  for (const key of Object.keys(point.enum))
    if (BigInt(key) < min || BigInt(key) > max)
      issues.push({ path: ['enum', key], message: `${key} is outside ${min} to ${max} (${point.type})` });
  return issues;
}

function checkSimulated(point: PointSettings, machine: MachineSettings): SettingsIssue[] {
  const { simulated } = point;
  if (simulated === undefined) return [];
  switch (simulated.behaviour) {
    case 'constant':
      return checkSimulatedValue(simulated.value, 'value', point, machine);
    case 'running':
      if (point.type === 'bool') return [];
      return [
        ...checkSimulatedValue(simulated.running_value, 'running_value', point, machine),
        ...checkSimulatedValue(simulated.stopped_value, 'stopped_value', point, machine),
      ];
    case 'process':
      return checkSimulatedValue(simulated.mean, 'mean', point, machine);
    case 'counter':
      return checkSimulatedValue(simulated.start, 'start', point, machine);
  }
}

function checkSimulatedValue(
  value: number | boolean | string,
  key: string,
  point: PointSettings,
  machine: MachineSettings,
): SettingsIssue[] {
  // A scale of 0 has an issue of its own.
  if (point.scale === 0) return [];
  const encoded = encodeRegisters(value, encodingOf(point, machine));
  return encoded.ok ? [] : [{ path: ['simulated', key], message: encoded.reason }];
}

function issue(key: string, message: string): SettingsIssue {
  return { path: [key], message };
}
