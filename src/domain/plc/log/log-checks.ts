import { closest } from 'fastest-levenshtein';
import { LANGUAGES } from '../../language/language.ts';
import type { DeviceMap, DeviceSettings } from '../device-map-shape.ts';
import { forbiddenSpans } from '../device-settings-checks.ts';
import { isBitTable } from '../modbus-request.ts';
import { isNumericType, registersOf } from '../point-encoding.ts';
import type { SettingsIssue } from '../point-settings-checks.ts';
import { MAX_ADDRESS, type RegisterTable, resolveAddress } from '../register-address.ts';
import { TIME_REGISTERS } from './log-layout.ts';
import type { LogSettings } from './log-settings.ts';

const MAX_FILE_REGISTER = 9_999;

/** Registers of a device that belong to something of a plant file. */
interface Claim {
  readonly path: readonly (string | number)[];
  readonly owner: string;
  readonly device: string;
  /** Two devices with one unit id are one device, described twice. */
  readonly unit: string;
  readonly table: RegisterTable;
  readonly first: number;
  readonly last: number;
}

/** Contradictions within the logs of a plant file, and between them and its points. */
export function checkLogs(map: DeviceMap): SettingsIssue[] {
  const issues: SettingsIssue[] = [];
  const claims: Claim[] = [];
  for (const { machine, key, log, path } of allLogs(map)) {
    const id = log.device ?? map.machines[machine]?.device ?? '';
    const device = map.devices[id];
    if (device === undefined) {
      const known = Object.keys(map.devices);
      if (log.device !== undefined)
        issues.push({
          path: [...path, 'device'],
          message: `no device is called ${log.device}; ${known.length === 0 ? 'there are none' : `did you mean ${closest(log.device, known)}?`}`,
        });
      continue;
    }
    for (const found of [...checkRing(log), ...checkFields(log), ...checkRequests(log, device)])
      issues.push({ path: [...path, ...found.path], message: found.message });
    for (const part of partsOf(log)) {
      const at = [...path, ...part.path];
      const resolved = resolveAddress(part.table, part.written, device.address_base);
      if (!resolved.ok) issues.push({ path: at, message: resolved.reason });
      else if (resolved.address + part.registers - 1 > MAX_ADDRESS)
        issues.push({
          path: at,
          message: `${part.registers} registers from ${part.written} run over the last address`,
        });
      else
        claims.push({
          path: at,
          owner: `the ${part.what} of log ${key} of ${machine}`,
          device: id,
          unit: `${device.connection} unit ${device.unit_id}`,
          table: part.table,
          first: resolved.address,
          last: resolved.address + part.registers - 1,
        });
    }
  }
  return [...issues, ...checkClaims(claims, map), ...checkNames(map)];
}

function checkRing(log: LogSettings): SettingsIssue[] {
  const { capacity, settle_records: settle, head_type, head_counts, head_base } = log;
  const issues: SettingsIssue[] = [];
  if (settle > capacity / 2)
    issues.push(issue('settle_records', `at most half of the capacity (${capacity}) can be left to settle`));
  if (head_counts === 'records' && head_type === 'uint16' && 0x1_0000 % capacity !== 0)
    issues.push(
      issue(
        'capacity',
        `a uint16 count of records wraps at 65536, which is no multiple of ${capacity}: records could not be found behind the wrap; use a power of two, or head_type uint32`,
      ),
    );
  if (head_counts === 'records' && head_base !== 0)
    issues.push(issue('head_base', 'head_base goes with head_counts: slot'));
  if (log.kind === 'file') {
    const last = log.first_record_number + capacity * log.record_registers - 1;
    if (last > MAX_FILE_REGISTER)
      issues.push(
        issue(
          'capacity',
          `${capacity} records of ${log.record_registers} registers from ${log.first_record_number} run over the last of a file, ${MAX_FILE_REGISTER}`,
        ),
      );
  }
  return issues;
}

function checkFields(log: LogSettings): SettingsIssue[] {
  const { timestamp, sequence, code, values } = log.fields;
  const issues: SettingsIssue[] = [];
  const within = (path: readonly string[], at: number, registers: number): void => {
    if (at + registers > log.record_registers)
      issues.push({
        path: ['fields', ...path, 'at'],
        message: `${registers} registers from ${at} run over the record of ${log.record_registers}`,
      });
  };
  within(['timestamp'], timestamp.at, TIME_REGISTERS[timestamp.format]);
  if (sequence !== undefined) within(['sequence'], sequence.at, registersOf(sequence.type, sequence.length));
  if (code !== undefined) within(['code'], code.at, registersOf(code.type, code.length));
  for (const [key, value] of Object.entries(values)) {
    const fault = (name: string, message: string): void =>
      void issues.push({ path: ['fields', 'values', key, name], message });
    within(['values', key], value.at, registersOf(value.type, value.length));
    if (value.type === 'string' && value.length === undefined)
      fault('type', 'a string needs length: its number of registers');
    if (value.type === 'bool' && value.bit === undefined)
      fault('type', 'a bool in a record needs bit: 0 to 15');
    if (value.type !== 'bool' && value.bit !== undefined)
      fault('bit', `bit goes with type bool, not with ${value.type}`);
    if (value.scale === 0) fault('scale', 'scale 0 would make every value the same');
    if (!isNumericType(value.type))
      for (const name of ['scale', 'offset', 'unit'] as const)
        if (value[name] !== undefined) fault(name, `${name} goes with numbers, not with ${value.type}`);
  }
  if (code === undefined && Object.keys(log.codes).length > 0)
    issues.push(issue('codes', 'codes need fields.code: where in the record the code is'));
  return issues;
}

function checkRequests(log: LogSettings, device: DeviceSettings): SettingsIssue[] {
  const most = device.max_registers_per_request;
  const needed = [
    ['head_type', log.head_type === 'uint32' ? 2 : 1],
    ['clock', log.clock === undefined ? 0 : TIME_REGISTERS[log.clock.format]],
  ] as const;
  return needed.flatMap(([key, registers]) =>
    registers > most
      ? [issue(key, `${registers} registers cannot be read at once with max_registers_per_request ${most}`)]
      : [],
  );
}

function partsOf(log: LogSettings) {
  const parts = [
    {
      what: 'head',
      path: ['head'],
      table: log.register,
      written: log.head,
      registers: log.head_type === 'uint32' ? 2 : 1,
    },
  ];
  if (log.kind === 'ring')
    parts.push({
      what: 'records',
      path: ['first_record'],
      table: log.register,
      written: log.first_record,
      registers: log.capacity * log.record_registers,
    });
  if (log.clock !== undefined)
    parts.push({
      what: 'clock',
      path: ['clock', 'address'],
      table: log.clock.register,
      written: log.clock.address,
      registers: TIME_REGISTERS[log.clock.format],
    });
  return parts;
}

/** Logs among each other and with points; two logs may show one clock, and a point may be a head or a clock. */
function checkClaims(claims: readonly Claim[], map: DeviceMap): SettingsIssue[] {
  const points = pointClaims(map);
  return claims.flatMap((claim, index) => {
    const isRecords = claim.path.at(-1) === 'first_record';
    const clash =
      claims
        .slice(0, index)
        .find(
          (earlier) => isShared(earlier, claim) && (isRecords || earlier.path.at(-1) === 'first_record'),
        ) ?? (isRecords ? points.find((point) => isShared(point, claim)) : undefined);
    if (clash !== undefined)
      return [
        {
          path: claim.path,
          message: `overlaps ${clash.owner}, from address ${clash.first} to ${clash.last} as sent`,
        },
      ];
    const device = map.devices[claim.device];
    const isForbidden =
      device !== undefined &&
      forbiddenSpans(device).some(
        ({ table, first, last }) => table === claim.table && first <= claim.last && last >= claim.first,
      );
    return isForbidden
      ? [{ path: claim.path, message: `lies in a forbidden range of device ${claim.device}` }]
      : [];
  });
}

function isShared(one: Claim, other: Claim): boolean {
  return (
    one.unit === other.unit && one.table === other.table && one.first <= other.last && one.last >= other.first
  );
}

function pointClaims(map: DeviceMap): Claim[] {
  return Object.entries(map.machines).flatMap(([machine, settings]) =>
    Object.entries(settings.points).flatMap(([key, point]) => {
      const id = point.device ?? settings.device;
      const device = map.devices[id];
      if (device === undefined) return [];
      const resolved = resolveAddress(point.register, point.address, device.address_base);
      if (!resolved.ok) return [];
      const size = isBitTable(point.register) ? 1 : registersOf(point.type, point.length);
      return [
        {
          path: ['machines', machine, 'points', key, 'address'],
          owner: `point ${key} of ${machine}`,
          device: id,
          unit: `${device.connection} unit ${device.unit_id}`,
          table: point.register,
          first: resolved.address,
          last: resolved.address + size - 1,
        },
      ];
    }),
  );
}

function checkNames(map: DeviceMap): SettingsIssue[] {
  const issues: SettingsIssue[] = [];
  const owners = new Map<string, string>();
  for (const { machine, key, log, path } of allLogs(map))
    for (const language of LANGUAGES)
      for (const [index, name] of (log.names?.[language] ?? []).entries()) {
        const spoken = `${machine} ${language} ${name.toLowerCase().replace(/\s+/g, ' ')}`;
        const owner = owners.get(spoken);
        if (owner === undefined) owners.set(spoken, key);
        else
          issues.push({
            path: [...path, 'names', language, index],
            message: `"${name}" is already a name of log ${owner}`,
          });
      }
  return issues;
}

function allLogs(map: DeviceMap) {
  return Object.entries(map.machines).flatMap(([machine, settings]) =>
    Object.entries(settings.logs ?? {}).map(([key, log]) => ({
      machine,
      key,
      log,
      path: ['machines', machine, 'logs', key],
    })),
  );
}

function issue(key: string, message: string): SettingsIssue {
  return { path: [key], message };
}
