import type { PlantPoint } from '../plant-model.ts';
import type { RegisterTable } from '../register-address.ts';
import type { PlannedRead } from './read-plan.ts';

/** Two parts of a read, cut at its widest gap or else in its middle; undefined when all its points share registers. */
export function halveRead({ span, points }: PlannedRead): readonly [PlannedRead, PlannedRead] | undefined {
  const cuts = points.flatMap((point, index) => {
    const before = points.slice(0, index);
    const end = Math.max(...before.map(({ address, count }) => address + count));
    if (index === 0 || point.address < end) return [];
    const distance = Math.abs(point.address - span.address - span.count / 2);
    return [{ index, gap: point.address - end, distance }];
  });
  const [cut] = cuts.sort((one, other) => other.gap - one.gap || one.distance - other.distance);
  if (cut === undefined) return undefined;
  return [partOf(span.table, points.slice(0, cut.index)), partOf(span.table, points.slice(cut.index))];
}

function partOf(table: RegisterTable, points: readonly PlantPoint[]): PlannedRead {
  const first = Math.min(...points.map(({ address }) => address));
  const end = Math.max(...points.map(({ address, count }) => address + count));
  return { span: { table, address: first, count: end - first }, points };
}
