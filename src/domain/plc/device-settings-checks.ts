import { closest } from 'fastest-levenshtein';
import type { ConnectionSettings, DeviceMap, DeviceSettings } from './device-map-shape.ts';
import { BROADCAST_UNIT } from './modbus-request.ts';
import type { SettingsIssue } from './point-settings-checks.ts';
import { type RegisterTable, resolveAddress } from './register-address.ts';

/** Addresses as they go over the wire, both ends included. */
export interface ForbiddenSpan {
  readonly table: RegisterTable;
  readonly first: number;
  readonly last: number;
}

/** The forbidden ranges of a device; ranges that cannot be meant are left out, `checkDevices` complains about them. */
export function forbiddenSpans(device: DeviceSettings): ForbiddenSpan[] {
  return device.forbidden_ranges.flatMap(({ register, first, last }) => {
    const start = resolveAddress(register, first, device.address_base);
    const end = resolveAddress(register, last, device.address_base);
    return start.ok && end.ok && start.address <= end.address
      ? [{ table: register, first: start.address, last: end.address }]
      : [];
  });
}

/** Whether nobody answers under the device's unit id. */
export function isBroadcast(device: DeviceSettings, connection: ConnectionSettings | undefined): boolean {
  return device.broadcast ?? (device.unit_id === BROADCAST_UNIT && connection?.transport !== 'tcp');
}

/** Two connections to one bus would put two requests on it at once. */
export function checkConnections(maps: readonly DeviceMap[]): SettingsIssue[] {
  const issues: SettingsIssue[] = [];
  const owners = new Map<string, string>();
  for (const map of maps) {
    for (const [id, connection] of Object.entries(map.connections)) {
      const isSerial = connection.transport === 'rtu';
      const bus = isSerial ? connection.serial_path : `${connection.host}:${connection.port}`;
      const owner = owners.get(bus);
      if (owner === undefined) owners.set(bus, id);
      else
        issues.push({
          path: ['connections', id, isSerial ? 'serial_path' : 'host'],
          message: `${bus} is already connection ${owner}: one bus needs one connection, use it for all its devices`,
        });
    }
  }
  return issues;
}

/** Contradictions within the devices of a plant file, and between them and what their points ask for. */
export function checkDevices(map: DeviceMap): SettingsIssue[] {
  return Object.entries(map.devices).flatMap(([id, device]) => {
    const path = ['devices', id];
    return [
      ...checkConnection(map, device, path),
      ...checkBroadcast(map, id, device),
      ...checkTimes(device, path),
      ...checkRanges(device, path),
    ];
  });
}

function checkConnection(map: DeviceMap, device: DeviceSettings, path: readonly string[]): SettingsIssue[] {
  const known = Object.keys(map.connections);
  if (known.includes(device.connection)) return [];
  const meant = known.length === 0 ? 'there are none' : `did you mean ${closest(device.connection, known)}?`;
  return [
    { path: [...path, 'connection'], message: `no connection is called ${device.connection}; ${meant}` },
  ];
}

function checkBroadcast(map: DeviceMap, id: string, device: DeviceSettings): SettingsIssue[] {
  if (!isBroadcast(device, map.connections[device.connection])) return [];
  const issues: SettingsIssue[] = [];
  for (const [machine, settings] of Object.entries(map.machines))
    for (const [key, point] of Object.entries(settings.points))
      if ((point.device ?? settings.device) === id && point.access !== 'write')
        issues.push({
          path: ['machines', machine, 'points', key, 'access'],
          message: `unit ${device.unit_id} of ${device.connection} is a broadcast, which nobody answers: only access: write is possible`,
        });
  return issues;
}

function checkTimes(device: DeviceSettings, path: readonly string[]): SettingsIssue[] {
  const { stale_after_ms: stale, poll_interval_ms: interval } = device;
  if (stale === undefined || stale > interval) return [];
  return [
    {
      path: [...path, 'stale_after_ms'],
      message: `every value would be stale before the next poll: give more than poll_interval_ms (${interval})`,
    },
  ];
}

function checkRanges(device: DeviceSettings, path: readonly string[]): SettingsIssue[] {
  return device.forbidden_ranges.flatMap(({ register, first, last }, index) => {
    const at = [...path, 'forbidden_ranges', index];
    const faults: SettingsIssue[] = [];
    for (const [key, written] of [
      ['first', first],
      ['last', last],
    ] as const) {
      const resolved = resolveAddress(register, written, device.address_base);
      if (!resolved.ok) faults.push({ path: [...at, key], message: resolved.reason });
    }
    if (faults.length === 0 && first > last)
      faults.push({ path: [...at, 'first'], message: `first ${first} is behind last ${last}` });
    return faults;
  });
}
