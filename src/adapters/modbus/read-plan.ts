import type { PlantMachine, PlantPoint } from '../../domain/plc/plant-model.ts';
import { MAX_BITS_PER_REQUEST, type ReadRequest } from './modbus-request.ts';

/** A request and the points whose values its answer holds. */
export interface PlannedRead {
  readonly request: ReadRequest;
  readonly points: readonly PlantPoint[];
}

/**
 * Requests for some points of one machine: points that touch or share registers go together, up to the machine's
 * limit. A gap is never read, since many devices refuse addresses they do not have; a value is never split, since its
 * halves could be of two moments.
 */
export function planReads(machine: PlantMachine, points: readonly PlantPoint[]): PlannedRead[] {
  const plans: PlannedRead[] = [];
  const inOrder = points.toSorted((one, other) =>
    one.table === other.table ? one.address - other.address : one.table < other.table ? -1 : 1,
  );
  for (const point of inOrder) {
    const last = plans.at(-1);
    const joined = last && join(last, point, machine);
    if (joined === undefined) plans.push({ request: requestFor(machine, point), points: [point] });
    else plans[plans.length - 1] = joined;
  }
  return plans;
}

function requestFor(machine: PlantMachine, { table, address, count }: PlantPoint): ReadRequest {
  return { unitId: machine.unitId, table, address, count };
}

function join(plan: PlannedRead, point: PlantPoint, machine: PlantMachine): PlannedRead | undefined {
  const { request } = plan;
  const end = request.address + request.count;
  if (point.table !== request.table || point.address > end) return undefined;
  const isBits = point.table === 'coil' || point.table === 'discrete_input';
  const count = Math.max(end, point.address + point.count) - request.address;
  if (count > (isBits ? MAX_BITS_PER_REQUEST : machine.maxRegistersPerRequest)) return undefined;
  return { request: { ...request, count }, points: [...plan.points, point] };
}
