import type { RingLayout } from './log-layout.ts';

/** The remainder from 0 to below `range`, also of a negative number. */
export function mod(value: number, range: number): number {
  return ((value % range) + range) % range;
}

/** A record's words as text, to compare and to keep; four digits a register. */
export function fingerprint(words: readonly number[]): string {
  return words.map((word) => word.toString(16).padStart(4, '0')).join('');
}

/** Whether nothing was ever written there: memory of a PLC begins as zeros. */
export function isEmptyRecord(content: string): boolean {
  return /^0*$/.test(content);
}

/** The position at which the next record is written, as the head tells it; or what is wrong with the head. */
export function positionOfHead(head: number, layout: RingLayout): number | string {
  const { capacity, headCounts, headBase, headPointsTo, headRange } = layout;
  const step = headPointsTo === 'newest' ? 1 : 0;
  if (headCounts === 'records') return mod(head + step, headRange);
  const slot = head - headBase;
  // Some programs let the index stand behind the last slot and set it back at the next record.
  const last = headPointsTo === 'next' ? capacity : capacity - 1;
  if (slot < 0 || slot > last)
    return `the head reads ${head}, outside ${headBase} to ${capacity - 1 + headBase}: compare head, head_type and capacity with the manual`;
  return mod(slot + step, capacity);
}
