import type { PlantDevice, PlantPoint } from '../../src/domain/plc/plant-model.ts';

/**
 * The fewest requests for points that do not overlap, by trying every way to cut their row: an independent answer to what
 * the planner finds in one pass.
 */
export function fewestReads(device: PlantDevice, points: readonly PlantPoint[]): number {
  let total = 0;
  for (const table of new Set(points.map((point) => point.table))) {
    const row = points.filter((point) => point.table === table).toSorted((a, b) => a.address - b.address);
    const most =
      table === 'coil' || table === 'discrete_input'
        ? device.maxBitsPerRequest
        : device.maxRegistersPerRequest;
    const fewest = [0];
    for (let end = 1; end <= row.length; end += 1) {
      let best = Number.POSITIVE_INFINITY;
      for (let start = end - 1; start >= 0; start -= 1)
        if (isOneRead(device, row.slice(start, end), most)) best = Math.min(best, (fewest[start] ?? 0) + 1);
      fewest.push(best);
    }
    total += fewest.at(-1) ?? 0;
  }
  return total;
}

function isOneRead(device: PlantDevice, points: readonly PlantPoint[], most: number): boolean {
  const first = Math.min(...points.map(({ address }) => address));
  const end = Math.max(...points.map(({ address, count }) => address + count));
  if (end - first > most) return false;
  if (device.oneRequestPerPoint && points.length > 1) return false;
  for (const [index, point] of points.entries()) {
    const before = points[index - 1];
    if (before !== undefined && point.address - (before.address + before.count) > device.maxGap) return false;
  }
  if (points.length === 1) return true;
  return !device.forbidden.some(
    (span) => span.table === points[0]?.table && span.first < end && span.last >= first,
  );
}
