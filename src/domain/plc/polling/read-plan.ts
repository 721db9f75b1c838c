import { isBitTable, type RegisterSpan } from '../modbus-request.ts';
import type { PlantDevice, PlantPoint } from '../plant-model.ts';
import type { RegisterTable } from '../register-address.ts';

/** A request and the points whose values its answer holds. */
export interface PlannedRead {
  readonly span: RegisterSpan;
  readonly points: readonly PlantPoint[];
}

/** What was learned of a device beyond its map; everything in a map's own words by default. */
export interface LearnedLimits {
  /** The most registers, or bits, that it has been found to answer at once. */
  most(table: RegisterTable): number;
  /** Whether the cells from `first` up to and including `last` must not be read together. */
  isParted(table: RegisterTable, first: number, last: number): boolean;
}

/**
 * The fewest requests for some points of one device that its limits allow. A value is never split, since its halves could
 * be of two moments; a gap is filled only within `maxGap`; nothing forbidden is read.
 *
 * Taking from the lowest address as much as fits is optimal: whichever request holds the lowest point, none that starts
 * there can reach further, and what remains is the same problem, smaller.
 */
export function planReads(
  device: PlantDevice,
  points: readonly PlantPoint[],
  learned?: LearnedLimits,
): PlannedRead[] {
  const inOrder = points.toSorted((one, other) =>
    one.table === other.table ? one.address - other.address : one.table < other.table ? -1 : 1,
  );
  const plans: { table: RegisterTable; first: number; last: number; points: PlantPoint[] }[] = [];
  for (const point of inOrder) {
    const plan = plans.at(-1);
    const last = point.address + point.count - 1;
    if (plan?.table === point.table && fits(device, plan, point, learned)) {
      plan.last = Math.max(plan.last, last);
      plan.points.push(point);
    } else plans.push({ table: point.table, first: point.address, last, points: [point] });
  }
  return plans.map(({ table, first, last, points: held }) => ({
    span: { table, address: first, count: last - first + 1 },
    points: held,
  }));
}

function fits(
  device: PlantDevice,
  plan: { readonly first: number; readonly last: number },
  point: PlantPoint,
  learned: LearnedLimits | undefined,
): boolean {
  const { table, address } = point;
  const last = Math.max(plan.last, point.address + point.count - 1);
  const count = last - plan.first + 1;
  // Bits of one register are one register, however the device wants its points.
  const isWithinPlan = last === plan.last;
  if (device.oneRequestPerPoint && !isWithinPlan) return false;
  if (count > Math.min(mostOf(device, table), learned?.most(table) ?? Number.POSITIVE_INFINITY)) return false;
  if (address - plan.last - 1 > device.maxGap) return false;
  if (isWithinPlan) return true;
  if (device.forbidden.some((span) => span.table === table && span.first <= last && span.last >= plan.first))
    return false;
  return learned?.isParted(table, plan.first, last) !== true;
}

function mostOf(device: PlantDevice, table: RegisterTable): number {
  return isBitTable(table) ? device.maxBitsPerRequest : device.maxRegistersPerRequest;
}
