import { decodeRegistersAt } from '../decode.ts';
import { isBitTable } from '../modbus-request.ts';
import type { PlantPoint } from '../plant-model.ts';
import type { BadReading, BadReason, PointReading } from '../reading.ts';
import type { PlannedRead } from './read-plan.ts';

/** When a reading was made: monotonic milliseconds, and its place in the order of this boot. */
export interface ReadingStamp {
  readonly atMs: number;
  readonly bootId: string;
  readonly seq: number;
}

/** The readings of one answer, in the order of the plan's points; `words` are as many as its span asked for. */
export function answerReadings(
  { span, points }: PlannedRead,
  words: readonly number[],
  stamp: ReadingStamp,
): PointReading[] {
  const isBits = isBitTable(span.table);
  return points.map((point) => {
    const from = point.address - span.address;
    const decoded = isBits
      ? ({ quality: 'good', value: words[from] === 1 } as const)
      : decodeRegistersAt(words, from, point.encoding);
    return { ref: point.ref, ...stamp, ...decoded };
  });
}

export function badReading(
  { ref }: Pick<PlantPoint, 'ref'>,
  reason: BadReason,
  detail: string,
  stamp: ReadingStamp,
): BadReading {
  return { ref, ...stamp, quality: 'bad', reason, detail };
}
