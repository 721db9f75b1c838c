import type { Decoded } from '../../domain/plc/decode.ts';
import type { PlantPoint } from '../../domain/plc/plant-model.ts';
import type { InterlockVerdict } from '../../domain/plc/writing/evaluate-interlock.ts';
import type { WriteMode, WriteOrder, WriteOutcome } from '../../domain/plc/writing/write-order.ts';
import type { WritableValue } from '../../domain/plc/writing/write-value.ts';
import { messageOf } from '../../runtime/edge-error.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Audit } from '../ports/audit.ts';
import type { CellVerdict } from './cell-writer.ts';
import type { BegunWrite } from './unfinished-writes.ts';

/** What has become known of an order so far. */
export interface WriteAttempt {
  readonly id: string;
  readonly order: WriteOrder;
  value?: WritableValue & { readonly ok: true };
  before?: Decoded;
  condition?: InterlockVerdict;
}

interface Parts {
  readonly audit: Audit;
  readonly logger: Logger;
}

/** Longer than any text that a point can hold. */
const MAX_RECORDED = 500;

/** The two entries of each order in the audit: what is about to be written, and what became of it. */
export class WriteRecord {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Resolves when the intent is on disk; else with why it is not, and then nothing may be written. */
  async begin(
    { id, order }: WriteAttempt,
    point: PlantPoint,
    { value, words, isRounded }: WritableValue & { readonly ok: true },
    before: readonly number[] | undefined,
    mode: WriteMode,
  ): Promise<string | undefined> {
    const begun: BegunWrite = {
      id,
      ...order.ref,
      by: order.by,
      because: order.because,
      asked: order.value,
      written: value,
      is_rounded: isRounded,
      place: placeOf(point),
      words: [...words],
      ...(before === undefined ? {} : { words_before: [...before] }),
    };
    try {
      await this.#parts.audit.append('plc.write.begun', { ...begun, expected: order.expected, mode });
      return undefined;
    } catch (error) {
      return messageOf(error);
    }
  }

  /** Puts the outcome on record. What was done is done: without a record it is still told. */
  async end(attempt: WriteAttempt, verdict: CellVerdict): Promise<WriteOutcome> {
    const { asked, ref, isRecorded: _, ...facts } = outcomeOf(attempt, verdict, true);
    const { by, because } = attempt.order;
    try {
      await this.#parts.audit.append('plc.write.ended', clipped({ ...ref, asked, by, because, ...facts }));
      return outcomeOf(attempt, verdict, true);
    } catch (error) {
      this.#parts.logger.error(
        { id: attempt.id, status: facts.status, reason: facts.reason, error: messageOf(error) },
        'the outcome of a write could not be put on record',
      );
      return outcomeOf(attempt, verdict, false);
    }
  }
}

/** The order as its first entry has it, after a restart. */
export function resumedAttempt(begun: BegunWrite): WriteAttempt {
  const { id, machine, point, asked, written, is_rounded: isRounded, words, by, because } = begun;
  return {
    id,
    order: { ref: { machine, point }, value: asked, by, because },
    value: { ok: true, value: written, words, isRounded },
  };
}

export function outcomeOf(
  { id, order, value, before, condition }: WriteAttempt,
  { verdict, detail, found }: CellVerdict,
  isRecorded: boolean,
): WriteOutcome {
  return {
    ...verdict,
    id,
    ref: order.ref,
    detail,
    asked: order.value,
    isRounded: value?.isRounded ?? false,
    isRecorded,
    ...(value === undefined ? {} : { written: value.value }),
    ...(before === undefined ? {} : { before }),
    ...(found === undefined ? {} : { found }),
    ...(condition === undefined ? {} : { condition }),
  };
}

/** Where a point is and how it lies there: registers of another place say nothing about what was written to this one. */
export function placeOf({ device, table, address, count, encoding }: PlantPoint): string {
  const bit = encoding.bit === undefined ? '' : ` bit ${encoding.bit}`;
  return `${device} ${table} ${address} ${count} ${encoding.type} ${encoding.byteOrder}${bit}`;
}

/** A refused order may hold texts of any length, which the record need not. */
function clipped(detail: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(detail).map(([key, value]) => [
      key,
      typeof value === 'string' && value.length > MAX_RECORDED ? `${value.slice(0, MAX_RECORDED)}…` : value,
    ]),
  );
}
