import type { WriteMode, WriteOutcome } from '../../domain/plc/writing/write-order.ts';
import type { Cancel, Scheduler } from '../../runtime/clocks.ts';
import { messageOf } from '../../runtime/edge-error.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Health, Service } from '../../runtime/service.ts';
import type { AuditTrail } from '../ports/audit.ts';
import type { PointWriter } from './point-writer.ts';
import { settleUnfinishedWrites } from './unfinished-writes.ts';

export interface WriteSettlerParts {
  readonly writes: WriteMode;
  readonly trail: AuditTrail;
  readonly writer: Pick<PointWriter, 'settle'>;
  readonly scheduler: Scheduler;
  readonly logger: Logger;
  /** Is told what became of each write that was under way when the program ended. */
  readonly onSettled?: (outcome: WriteOutcome) => void;
}

const AGAIN_AFTER_MS = 30_000;

/**
 * Finds out, from the start on, what became of the writes that were under way when the program ended last. A device that
 * does not answer yet is asked again. It only ever reads.
 */
export class WriteSettler implements Service {
  readonly name = 'plc writes';
  readonly #parts: WriteSettlerParts;
  #cancel: Cancel | undefined;
  #underWay: Promise<void> = Promise.resolve();
  #isStopped = false;
  #open = 0;
  #settled = 0;
  #unreadable = 0;
  #trouble: string | undefined;

  constructor(parts: WriteSettlerParts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    this.#isStopped = false;
    this.#underWay = this.#settle();
  }

  async stop(deadlineMs: number): Promise<void> {
    this.#isStopped = true;
    this.#cancel?.();
    const late = new Promise<void>((resolve) => {
      const cancel = this.#parts.scheduler.after(deadlineMs, resolve);
      void this.#underWay.then(cancel);
    });
    await Promise.race([this.#underWay, late]);
  }

  health(): Health {
    const figures = { settled_writes: this.#settled, unsettled_writes: this.#open };
    if (this.#trouble !== undefined) return { status: 'degraded', detail: this.#trouble, figures };
    if (this.#open > 0)
      return {
        status: 'degraded',
        detail: `nobody knows yet what became of ${this.#open} writes before the restart`,
        figures,
      };
    if (this.#unreadable > 0)
      return {
        status: 'degraded',
        detail: `${this.#unreadable} unfinished writes in the audit cannot be read: look at the machines`,
        figures,
      };
    return { status: 'ok', detail: `plant.writes: ${this.#parts.writes}`, figures };
  }

  async #settle(): Promise<void> {
    const { trail, writer, logger, scheduler, onSettled } = this.#parts;
    this.#cancel = undefined;
    try {
      const { outcomes, unreadable } = await settleUnfinishedWrites(trail, async (begun) => {
        const outcome = await writer.settle(begun);
        if (outcome.isRecorded) onSettled?.(outcome);
        return outcome;
      });
      const open = outcomes.filter((outcome) => !outcome.isRecorded);
      this.#settled += outcomes.length - open.length;
      this.#open = open.length;
      this.#unreadable = unreadable;
      this.#trouble = undefined;
    } catch (error) {
      this.#trouble = `unfinished writes cannot be looked up: ${messageOf(error)}`;
      logger.error({ error: messageOf(error) }, 'unfinished writes cannot be looked up');
    }
    if (!this.#isStopped && (this.#open > 0 || this.#trouble !== undefined))
      this.#cancel = scheduler.after(AGAIN_AFTER_MS, () => {
        this.#underWay = this.#settle();
      });
  }
}
