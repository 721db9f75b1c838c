import { closest } from 'fastest-levenshtein';
import { LANGUAGES } from '../language/language.ts';
import type { DeviceMap, MachineSettings, PointSettings } from './device-map-shape.ts';
import { checkConnections, checkDevices, forbiddenSpans } from './device-settings-checks.ts';
import { checkLogs } from './log/log-checks.ts';
import { isBitTable } from './modbus-request.ts';
import { registersOf } from './point-encoding.ts';
import { checkPoint, type SettingsIssue } from './point-settings-checks.ts';
import { MAX_ADDRESS, resolveAddress } from './register-address.ts';
import { checkSimulatedMachine } from './simulation/simulated-checks.ts';
import { checkCommands } from './writing/command-checks.ts';
import { checkInterlocks } from './writing/interlock-checks.ts';

/** What must hold between the keys of a plant file; an empty list when it does. */
export function checkDeviceMap(map: DeviceMap): SettingsIssue[] {
  const issues = [...checkConnections([map]), ...checkDevices(map)];
  for (const [id, machine] of Object.entries(map.machines)) {
    const path = ['machines', id];
    issues.push(...checkReference(machine.device, 'device', Object.keys(map.devices), path));
    if (machine.line !== undefined)
      issues.push(...checkReference(machine.line, 'line', Object.keys(map.lines ?? {}), path));
    for (const [key, point] of Object.entries(machine.points)) {
      const at = [...path, 'points', key];
      const device = map.devices[point.device ?? machine.device];
      if (device !== undefined)
        for (const found of checkPoint(point, device))
          issues.push({ path: [...at, ...found.path], message: found.message });
      if (point.device !== undefined)
        issues.push(...checkReference(point.device, 'device', Object.keys(map.devices), at));
    }
    issues.push(...checkPointNames(machine, path));
    for (const found of checkCommands(machine, map))
      issues.push({ path: [...path, ...found.path], message: found.message });
    for (const found of checkSimulatedMachine(machine))
      issues.push({ path: [...path, ...found.path], message: found.message });
  }
  const { spans, impossible } = placePoints(map);
  return [
    ...issues,
    ...impossible,
    ...checkOverlaps(spans),
    ...checkForbidden(spans, map),
    ...checkQuantities([map]),
    ...checkInterlocks([map], false),
    ...checkLogs(map),
  ];
}

/**
 * One spoken name, one quantity: where two machines call different keys by the same name, "temperature" could not be
 * looked up on both. Machines themselves may share names.
 */
export function checkQuantities(maps: readonly DeviceMap[]): SettingsIssue[] {
  const keyOfName = new Map<string, { key: string; machine: string }>();
  const issues: SettingsIssue[] = [];
  for (const { machine, key, point } of maps.flatMap(allPoints)) {
    for (const language of LANGUAGES) {
      for (const [index, name] of point.names[language].entries()) {
        const spoken = `${language} ${normalName(name)}`;
        const first = keyOfName.get(spoken);
        if (first === undefined) keyOfName.set(spoken, { key, machine });
        else if (first.key !== key && first.machine !== machine)
          issues.push({
            path: ['machines', machine, 'points', key, 'names', language, index],
            message: `"${name}" names the point ${first.key} of ${first.machine}: one name needs one key, call this point ${first.key} too`,
          });
      }
    }
  }
  return issues;
}

function checkReference(
  name: string,
  kind: string,
  known: readonly string[],
  path: readonly string[],
): SettingsIssue[] {
  if (known.includes(name)) return [];
  const meant = known.length === 0 ? 'there are none' : `did you mean ${closest(name, known)}?`;
  return [{ path: [...path, kind], message: `no ${kind} is called ${name}; ${meant}` }];
}

function checkPointNames(machine: MachineSettings, path: readonly string[]): SettingsIssue[] {
  const issues: SettingsIssue[] = [];
  for (const language of LANGUAGES) {
    const owner = new Map<string, string>();
    for (const [key, point] of Object.entries(machine.points)) {
      for (const [index, name] of point.names[language].entries()) {
        const first = owner.get(normalName(name));
        if (first === undefined) owner.set(normalName(name), key);
        else
          issues.push({
            path: [...path, 'points', key, 'names', language, index],
            message: `"${name}" is already a name of ${first}`,
          });
      }
    }
  }
  return issues;
}

interface Span {
  readonly machine: string;
  readonly key: string;
  readonly point: PointSettings;
  readonly device: string;
  /** Two devices with one unit id are one device, described twice. */
  readonly unit: string;
  readonly first: number;
  readonly last: number;
}

function placePoints(map: DeviceMap): { spans: Span[]; impossible: SettingsIssue[] } {
  const spans: Span[] = [];
  const impossible: SettingsIssue[] = [];
  for (const { machine, key, point, settings } of allPoints(map)) {
    const path = ['machines', machine, 'points', key, 'address'];
    const device = point.device ?? settings.device;
    const found = map.devices[device];
    if (found === undefined) continue;
    const resolved = resolveAddress(point.register, point.address, found.address_base);
    if (!resolved.ok) {
      impossible.push({ path, message: resolved.reason });
      continue;
    }
    const size = isBitTable(point.register) ? 1 : registersOf(point.type, point.length);
    const last = resolved.address + size - 1;
    if (last > MAX_ADDRESS)
      impossible.push({ path, message: `${size} registers from ${point.address} run over the last address` });
    else
      spans.push({
        machine,
        key,
        point,
        device,
        unit: `${found.connection} unit ${found.unit_id} ${point.register}`,
        first: resolved.address,
        last,
      });
  }
  return { spans, impossible };
}

function checkOverlaps(spans: readonly Span[]): SettingsIssue[] {
  const issues: SettingsIssue[] = [];
  const byUnit = new Map<string, Span[]>();
  for (const span of spans) {
    const others = byUnit.get(span.unit);
    if (others === undefined) byUnit.set(span.unit, [span]);
    else others.push(span);
  }
  for (const device of byUnit.values()) {
    // A stable sort: of two points at one address the later in the file is the one complained about.
    device.sort((one, other) => one.first - other.first);
    const open: Span[] = [];
    for (const span of device) {
      const clash = open.find((earlier) => earlier.last >= span.first && !areDifferentBits(earlier, span));
      if (clash !== undefined)
        issues.push({
          path: ['machines', span.machine, 'points', span.key, 'address'],
          message: `address ${span.point.address} is already part of ${clash.key} of ${clash.machine}`,
        });
      open.push(span);
      while (open[0] !== undefined && open[0].last < span.first) open.shift();
    }
  }
  return issues;
}

function checkForbidden(spans: readonly Span[], map: DeviceMap): SettingsIssue[] {
  const forbidden = new Map(
    Object.entries(map.devices).map(([id, device]) => [id, forbiddenSpans(device)] as const),
  );
  return spans.flatMap((span) => {
    const clash = forbidden
      .get(span.device)
      ?.find(
        ({ table, first, last }) => table === span.point.register && first <= span.last && last >= span.first,
      );
    if (clash === undefined) return [];
    return [
      {
        path: ['machines', span.machine, 'points', span.key, 'address'],
        message: `address ${span.point.address} lies in a forbidden range of device ${span.device}`,
      },
    ];
  });
}

function areDifferentBits(one: Span, other: Span): boolean {
  return one.point.bit !== undefined && other.point.bit !== undefined && one.point.bit !== other.point.bit;
}

function allPoints(map: DeviceMap) {
  return Object.entries(map.machines).flatMap(([machine, settings]) =>
    Object.entries(settings.points).map(([key, point]) => ({ machine, key, point, settings })),
  );
}

/** Names are compared as they are heard: without case and with single spaces. */
function normalName(name: string): string {
  return name.toLowerCase().replace(/\s+/g, ' ');
}
