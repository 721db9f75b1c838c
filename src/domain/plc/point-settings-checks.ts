import type { DeviceSettings, PointSettings } from './device-map-shape.ts';
import { encodeRegisters, valueRange } from './encode.ts';
import { isBitTable, MAX_REGISTERS_PER_WRITE } from './modbus-request.ts';
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
export function checkPoint(point: PointSettings, device: DeviceSettings): SettingsIssue[] {
  return [
    ...checkKind(point),
    ...checkLength(point, device),
    ...checkNumbers(point),
    ...checkEnum(point),
    ...checkWriting(point, device),
    ...checkReporting(point),
    ...checkSimulated(point, device),
  ];
}

/** How the point lies in its registers. */
export function encodingOf(point: PointSettings, device: DeviceSettings): PointEncoding {
  return {
    type: point.type,
    byteOrder: point.byte_order ?? device.byte_order,
    registers: registersOf(point.type, point.length),
    bit: point.bit,
    scale: point.scale ?? 1,
    offset: point.offset ?? 0,
    unavailableValues: point.unavailable_values ?? [],
  };
}

function checkKind(point: PointSettings): SettingsIssue[] {
  const issues: SettingsIssue[] = [];
  if (isBitTable(point.register)) {
    if (point.type !== 'bool') issues.push(issue('type', `a ${point.register} is one bit: use type bool`));
    if (point.bit !== undefined) issues.push(issue('bit', `a ${point.register} has no bits to choose from`));
    if (point.byte_order !== undefined)
      issues.push(issue('byte_order', `a ${point.register} is one bit: it has no bytes to order`));
  } else if (point.type === 'bool' && point.bit === undefined) {
    issues.push(issue('type', `a bool in register ${point.register} needs bit: 0 to 15`));
  } else if (point.type !== 'bool' && point.bit !== undefined) {
    issues.push(issue('bit', `bit goes with type bool, not with ${point.type}`));
  }
  return issues;
}

function checkLength(point: PointSettings, device: DeviceSettings): SettingsIssue[] {
  const { type, length } = point;
  if (type === 'string' && length === undefined)
    return [issue('type', 'a string needs length: its number of registers')];
  if (length !== undefined && type !== 'string' && type !== 'bcd')
    return [issue('length', `length goes with string and bcd; a ${type} has its own`)];
  // Twelve digits are the most that BCD counters have; sixteen would no longer be exact numbers.
  if (type === 'bcd' && length !== undefined && length > 3)
    return [issue('length', 'a bcd has 3 registers (12 digits) at most')];
  const registers = registersOf(type, length);
  if (registers > device.max_registers_per_request)
    return [
      issue(
        length === undefined ? 'type' : 'length',
        `${registers} registers cannot be read at once with max_registers_per_request ${device.max_registers_per_request}`,
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
  return [...issues, ...checkUnavailable(point)];
}

/** A pattern that the registers cannot hold would never be recognised, and its "no value" be taken for one. */
function checkUnavailable(point: PointSettings): SettingsIssue[] {
  if (!isIntegerType(point.type)) return [];
  const registers = registersOf(point.type, point.length);
  const { min, max } = integerRange(point.type, registers);
  // A signed one may be written as its pattern.
  const most = point.type === 'bcd' ? Number(max) : 2 ** (registers * 16);
  return (point.unavailable_values ?? []).flatMap((value, index) => {
    const found = { path: ['unavailable_values', index] };
    if (!Number.isInteger(value))
      return [
        { ...found, message: `${value} is compared before scale, with a whole number: give the raw value` },
      ];
    // The largest pattern of 64 bits is rounded up when it is read.
    const isPossible =
      value >= Number(min) && (registers === 4 ? value <= most : value < most || value === Number(max));
    return isPossible
      ? []
      : [
          {
            ...found,
            message: `${value} is outside ${min} to ${max} (${point.type}): give the raw value, before scale`,
          },
        ];
  });
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
  for (const key of Object.keys(point.enum))
    if (String(Number(key)) !== key)
      issues.push({ path: ['enum', key], message: `write ${Number(key)} and not ${key}` });
  return issues;
}

const WRITE_KEYS = ['write_min', 'write_max', 'write_when', 'write_risk'] as const;

function checkWriting(point: PointSettings, device: DeviceSettings): SettingsIssue[] {
  if (point.access === 'read')
    return WRITE_KEYS.filter((key) => point[key] !== undefined).map((key) =>
      issue(key, `${key} needs access: write or read_write`),
    );
  if (point.register === 'input' || point.register === 'discrete_input')
    return [issue('access', `${withArticle(point.register)} cannot be written: only coil and holding can`)];
  const issues: SettingsIssue[] = [];
  const registers = registersOf(point.type, point.length);
  if (registers > MAX_REGISTERS_PER_WRITE)
    issues.push(
      issue('length', `${registers} registers cannot be written at once: ${MAX_REGISTERS_PER_WRITE} at most`),
    );
  const { write_min: least, write_max: most } = point;
  if (!isNumericType(point.type)) {
    for (const key of ['write_min', 'write_max'] as const)
      if (point[key] !== undefined)
        issues.push(issue(key, `${key} goes with numbers, not with ${point.type}`));
    return issues;
  }
  if (least !== undefined && most !== undefined && least > most)
    issues.push(issue('write_min', `write_min ${least} is above write_max ${most}`));
  if (point.scale === 0) return issues;
  const held = valueRange(encodingOf(point, device));
  for (const key of ['write_min', 'write_max'] as const) {
    const limit = point[key];
    if (limit !== undefined && (limit < held.min || limit > held.max))
      issues.push(
        issue(key, `${limit} is outside ${held.min} to ${held.max}, which is what the registers hold`),
      );
  }
  return issues;
}

function checkReporting(point: PointSettings): SettingsIssue[] {
  if (point.deadband !== undefined && !isNumericType(point.type))
    return [issue('deadband', `deadband goes with numbers, not with ${point.type}`)];
  return [];
}

function checkSimulated(point: PointSettings, device: DeviceSettings): SettingsIssue[] {
  const { simulated } = point;
  if (simulated === undefined) return [];
  switch (simulated.behaviour) {
    case 'constant':
      return checkSimulatedValue(simulated.value, 'value', point, device);
    case 'running':
      if (point.type === 'bool') return [];
      return [
        ...checkSimulatedValue(simulated.running_value, 'running_value', point, device),
        ...checkSimulatedValue(simulated.stopped_value, 'stopped_value', point, device),
      ];
    case 'process':
      return checkSimulatedValue(simulated.mean, 'mean', point, device);
    case 'counter':
    case 'scrap':
    case 'batches':
    case 'wear':
    case 'level':
    case 'setpoint':
      return checkSimulatedValue(simulated.start, 'start', point, device);
    case 'steps':
      return checkSimulatedValue(
        Math.max(...simulated.steps.map(({ value }) => value)),
        'steps',
        point,
        device,
      );
    case 'door':
      return point.type === 'bool' ? [] : [issue('simulated', 'a door is open or not: use type bool')];
    case 'difference':
    case 'clock':
      return isNumericType(point.type)
        ? []
        : [issue('simulated', `a ${simulated.behaviour} is a number, not a ${point.type}`)];
  }
}

function checkSimulatedValue(
  value: number | boolean | string,
  key: string,
  point: PointSettings,
  device: DeviceSettings,
): SettingsIssue[] {
  // A scale of 0 has an issue of its own.
  if (point.scale === 0) return [];
  const encoded = encodeRegisters(value, encodingOf(point, device));
  return encoded.ok ? [] : [{ path: ['simulated', key], message: encoded.reason }];
}

function withArticle(table: string): string {
  return table === 'input' ? `an ${table}` : `a ${table}`;
}

function issue(key: string, message: string): SettingsIssue {
  return { path: [key], message };
}
