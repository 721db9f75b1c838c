import type { DeviceMap } from '../device-map-shape.ts';
import { isBitTable } from '../modbus-request.ts';
import type { PlantModel, PlantPoint } from '../plant-model.ts';
import { isNumericType } from '../point-encoding.ts';
import type { SettingsIssue } from '../point-settings-checks.ts';
import { planReads } from '../polling/read-plan.ts';
import { manualNumberWarnings } from './manual-number-warnings.ts';
import { type PollLoad, pollLoads } from './poll-load.ts';
import { unfinishedWarnings } from './unfinished-warnings.ts';

/** What is legal in a plant and mostly not meant; paths as in the plant files. */
export function plantWarnings(plant: PlantModel, maps: readonly DeviceMap[]): SettingsIssue[] {
  const loads = pollLoads(plant);
  return [
    ...connectionWarnings(plant, loads),
    ...loads.flatMap((load) => deviceWarnings(load, plant)),
    ...twinWarnings(plant),
    ...maps.flatMap(manualNumberWarnings),
    ...loads.flatMap(({ points }) => [...halfWarnings(points), ...parityWarnings(points)]),
    ...plant.points().flatMap(writeWarnings),
    ...machineWarnings(plant),
    ...unfinishedWarnings(plant, maps),
  ];
}

function connectionWarnings(plant: PlantModel, loads: readonly PollLoad[]): SettingsIssue[] {
  return [...plant.connections.keys()].flatMap((id) => {
    const own = loads.filter(({ device }) => device.connection === id);
    const path = ['connections', id];
    if (own.length === 0) return [{ path, message: 'no device is on this connection' }];
    const share = own.reduce((sum, { cycleMs, device }) => sum + cycleMs / device.pollIntervalMs, 0);
    if (share <= 0.8) return [];
    const [slowest] = own.toSorted((one, other) => other.cycleMs - one.cycleMs);
    const requests = own.reduce((sum, load) => sum + load.requests.length, 0);
    return [
      {
        path: ['devices', slowest?.device.id ?? '', 'poll_interval_ms'],
        message: `the polls of ${id} need about ${Math.round(share * 100)} % of its time (${requests} requests of some 20 ms each): give a longer interval, or fewer requests`,
      },
    ];
  });
}

const MANY_REQUESTS = 100;

function deviceWarnings({ device, points, requests, cycleMs }: PollLoad, plant: PlantModel): SettingsIssue[] {
  const path = ['devices', device.id];
  if (points.length === 0) return [{ path, message: 'no point is in this device' }];
  const found: SettingsIssue[] = [];
  const connection = plant.connections.get(device.connection);
  if (device.oneRequestPerPoint && requests.length >= MANY_REQUESTS)
    found.push({
      path: [...path, 'one_request_per_point'],
      message: `${requests.length} requests a poll, about ${Math.round(cycleMs)} ms: does the device really need each point alone?`,
    });
  const timeoutMs = connection?.timeout_ms ?? 0;
  if (device.staleAfterMs < cycleMs + device.pollIntervalMs)
    found.push({
      path: [...path, 'stale_after_ms'],
      message: `values are stale after ${device.staleAfterMs} ms, and a poll of this device takes about ${Math.round(cycleMs)} ms every ${device.pollIntervalMs} ms`,
    });
  else if (requests.length > 0 && device.staleAfterMs < device.pollIntervalMs + timeoutMs)
    found.push({
      path: [...path, 'stale_after_ms'],
      message: `one answer that fails to come (timeout_ms ${timeoutMs}) makes values stale, which are so after ${device.staleAfterMs} ms: give stale_after_ms more than ${device.pollIntervalMs + timeoutMs}`,
    });
  if (connection?.transport === 'rtu' && device.unitId > 247)
    found.push({
      path: [...path, 'unit_id'],
      message: `${device.unitId} is reserved on a serial line: devices have 1 to 247`,
    });
  const gap = usefulGap({ device, points, requests, cycleMs });
  if (gap !== undefined)
    found.push({
      path: [...path, 'max_gap'],
      message: `${requests.length} requests a poll; with max_gap ${gap.gap} it would be ${gap.requests}, if the registers between the points may be read`,
    });
  return found;
}

const TRIED_GAPS = [4, 16, 64] as const;

/** The smallest gap that halves the requests, where there are enough of them to matter. */
function usefulGap({ device, points, requests }: PollLoad): { gap: number; requests: number } | undefined {
  if (requests.length < 6 || device.oneRequestPerPoint) return undefined;
  const polled = points.filter(({ access }) => access !== 'write');
  for (const gap of TRIED_GAPS) {
    if (gap <= device.maxGap) continue;
    const fewer = planReads({ ...device, maxGap: gap }, polled).length;
    if (fewer * 2 <= requests.length) return { gap, requests: fewer };
  }
  return undefined;
}

function twinWarnings(plant: PlantModel): SettingsIssue[] {
  const owners = new Map<string, string>();
  return [...plant.devices.values()].flatMap(({ id, connection, unitId }) => {
    const unit = `unit ${unitId} of ${connection}`;
    const owner = owners.get(unit);
    if (owner === undefined) owners.set(unit, id);
    return owner === undefined
      ? []
      : [
          {
            path: ['devices', id, 'unit_id'],
            message: `${unit} is also device ${owner}: each is asked by itself`,
          },
        ];
  });
}

const HALF = /^(.+?)[_-]?(high|hi|msw|upper|h|low|lo|lsw|lower|l)(?:[_-]?word)?$/u;

/** Two registers side by side that are named as the halves of one value: read apart, they are of two moments. */
function halfWarnings(points: readonly PlantPoint[]): SettingsIssue[] {
  const byAddress = new Map(points.map((point) => [`${point.table} ${point.address}`, point] as const));
  return points.flatMap((point) => {
    if (isBitTable(point.table) || !isNumericType(point.encoding.type)) return [];
    const next = byAddress.get(`${point.table} ${point.address + point.count}`);
    const one = HALF.exec(point.ref.point);
    const other = HALF.exec(next?.ref.point ?? '');
    if (next === undefined || one === null || other === null) return [];
    const isPair =
      one[1] === other[1] && isHigh(one[2]) !== isHigh(other[2]) && next.ref.machine === point.ref.machine;
    if (!isPair || next.count !== point.count) return [];
    return [
      {
        path: pathOf(next),
        message: `looks like the other half of ${point.ref.point}: halves read as two points may be of two moments; use one point of ${point.count * 32} bits, with byte_order ${isHigh(one[2]) ? 'ABCD' : 'CDAB'}`,
      },
    ];
  });
}

function isHigh(word: string | undefined): boolean {
  return /^(h|m|u)/u.test(word ?? '');
}

const FEWEST_TO_COMPARE = 3;

/** One value of two registers between the others: mostly a slip of one, or a missing point before it. */
function parityWarnings(points: readonly PlantPoint[]): SettingsIssue[] {
  const wide = points.filter(
    ({ table, count, encoding }) => !isBitTable(table) && count === 2 && encoding.type !== 'string',
  );
  return [0, 1].flatMap((parity) => {
    const odd = wide.filter(({ address }) => address % 2 === parity);
    const [only] = odd;
    if (odd.length !== 1 || only === undefined || wide.length - 1 < FEWEST_TO_COMPARE) return [];
    return [
      {
        path: [...pathOf(only), 'address'],
        message: `the only value of two registers at an ${parity === 1 ? 'odd' : 'even'} wire address (${only.address}): the ${wide.length - 1} others of this device are ${parity === 1 ? 'even' : 'odd'}`,
      },
    ];
  });
}

function writeWarnings(point: PlantPoint): SettingsIssue[] {
  if (point.access === 'read' || !isNumericType(point.encoding.type) || point.enumTexts.size > 0) return [];
  if (point.writeMin !== undefined && point.writeMax !== undefined) return [];
  return [
    {
      path: [...pathOf(point), 'access'],
      message: 'can be written without a limit but that of its registers: give write_min and write_max',
    },
  ];
}

function machineWarnings(plant: PlantModel): SettingsIssue[] {
  return [...plant.machines.values()]
    .filter(({ points }) => points.size === 0)
    .map(({ id }) => ({ path: ['machines', id], message: 'has no points' }));
}

function pathOf({ ref }: PlantPoint): string[] {
  return ['machines', ref.machine, 'points', ref.point];
}
