import type { DeviceMap } from '../device-map-shape.ts';
import type { PlantModel, PlantPoint } from '../plant-model.ts';
import type { ByteOrder, PointType } from '../point-encoding.ts';
import { type AddressBase, type RegisterTable, writtenAddress } from '../register-address.ts';
import { type PollLoad, pollLoads } from './poll-load.ts';

/** A plant as a PLC engineer compares it with the manuals: every address as written there and as sent. */
export interface PlantSummary {
  readonly connections: readonly ConnectionSummary[];
  readonly devices: readonly DeviceSummary[];
  readonly machines: number;
  readonly points: number;
}

export interface ConnectionSummary {
  readonly id: string;
  readonly transport: string;
  /** HOST:PORT, or the serial port with its line settings. */
  readonly where: string;
  readonly timeout_ms: number;
}

export interface DeviceSummary {
  readonly id: string;
  readonly connection: string;
  readonly unit_id: number;
  readonly address_base: AddressBase;
  readonly byte_order: ByteOrder;
  readonly max_registers_per_request: number;
  readonly max_bits_per_request: number;
  readonly max_gap: number;
  readonly poll_interval_ms: number;
  readonly stale_after_ms: number;
  readonly poll_estimate_ms: number;
  readonly requests: readonly RequestSummary[];
  readonly points: readonly PointSummary[];
}

export interface RequestSummary {
  readonly register: RegisterTable;
  /** As the manual counts. */
  readonly first: number;
  readonly last: number;
  readonly wire_first: number;
  readonly wire_last: number;
  readonly points: number;
}

export interface PointSummary {
  readonly machine: string;
  readonly key: string;
  readonly register: RegisterTable;
  readonly manual: number;
  readonly wire: number;
  readonly bit: number | null;
  readonly registers: number;
  readonly type: PointType;
  /** null where there is nothing to order. */
  readonly byte_order: ByteOrder | null;
  readonly scale: number;
  readonly offset: number;
  readonly unit: string | null;
  readonly access: string;
}

export function plantSummary(plant: PlantModel, maps: readonly DeviceMap[]): PlantSummary {
  return {
    connections: [...plant.connections].map(([id, settings]) => ({
      id,
      transport: settings.transport,
      where:
        settings.transport === 'rtu'
          ? `${settings.serial_path} ${settings.baud_rate} baud, parity ${settings.parity}, ${settings.stop_bits ?? (settings.parity === 'none' ? 2 : 1)} stop`
          : `${settings.host}:${settings.port}`,
      timeout_ms: settings.timeout_ms,
    })),
    devices: pollLoads(plant).map((load) => deviceSummary(load, maps)),
    machines: plant.machines.size,
    points: plant.points().length,
  };
}

function deviceSummary(
  { device, points, requests, cycleMs }: PollLoad,
  maps: readonly DeviceMap[],
): DeviceSummary {
  const settings = maps.map((map) => map.devices[device.id]).find((found) => found !== undefined);
  const base = settings?.address_base ?? 0;
  const writtenOf = new Map(points.map((point) => [point, writtenIn(point, maps)] as const));
  const sixDigits = [...writtenOf.values()].some((written) => (written ?? 0) >= 100_000);
  const manual = (table: RegisterTable, address: number) => writtenAddress(table, address, base, sixDigits);
  return {
    id: device.id,
    connection: device.connection,
    unit_id: device.unitId,
    address_base: base,
    byte_order: settings?.byte_order ?? 'ABCD',
    max_registers_per_request: device.maxRegistersPerRequest,
    max_bits_per_request: device.maxBitsPerRequest,
    max_gap: device.maxGap,
    poll_interval_ms: device.pollIntervalMs,
    stale_after_ms: device.staleAfterMs,
    poll_estimate_ms: Math.round(cycleMs),
    requests: requests.map(({ span, points: held }) => {
      const last = span.address + span.count - 1;
      return {
        register: span.table,
        first: manual(span.table, span.address),
        last: manual(span.table, last),
        wire_first: span.address,
        wire_last: last,
        points: held.length,
      };
    }),
    points: points
      .toSorted((one, other) =>
        one.table === other.table
          ? one.address - other.address || (one.encoding.bit ?? 0) - (other.encoding.bit ?? 0)
          : one.table < other.table
            ? -1
            : 1,
      )
      .map((point) => pointSummary(point, writtenOf.get(point) ?? manual(point.table, point.address))),
  };
}

function pointSummary(point: PlantPoint, manual: number): PointSummary {
  const { ref, table, address, count, encoding, unit, access } = point;
  const isBit = encoding.type === 'bool';
  return {
    machine: ref.machine,
    key: ref.point,
    register: table,
    manual,
    wire: address,
    bit: encoding.bit ?? null,
    registers: count,
    type: encoding.type,
    byte_order: isBit ? null : encoding.byteOrder,
    scale: encoding.scale,
    offset: encoding.offset,
    unit: unit?.en ?? null,
    access,
  };
}

function writtenIn({ ref }: PlantPoint, maps: readonly DeviceMap[]): number | undefined {
  for (const map of maps) {
    const found = map.machines[ref.machine]?.points[ref.point];
    if (found !== undefined) return found.address;
  }
  return undefined;
}
