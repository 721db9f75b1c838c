import type { Fact } from '../../domain/memory/fact.ts';
import { type CheckAnswer, checkPlanOf } from '../../domain/memory/verification.ts';
import type { Cancel, Clocks, Scheduler } from '../../runtime/clocks.ts';
import { messageOf } from '../../runtime/edge-error.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Health, Service } from '../../runtime/service.ts';
import type { Audit } from '../ports/audit.ts';
import type { FactChecker, RejectionTelling } from '../ports/fact-checker.ts';
import type { MemoryStore } from '../ports/memory-store.ts';
import type { FactWriter } from './fact-writer.ts';

interface Parts {
  readonly store: Pick<MemoryStore, 'pendingFacts'>;
  readonly writer: Pick<FactWriter, 'settle'>;
  readonly checker: FactChecker;
  readonly audit: Pick<Audit, 'append'>;
  readonly telling: RejectionTelling;
  readonly clocks: Pick<Clocks, 'wall'>;
  readonly scheduler: Scheduler;
  readonly logger: Logger;
}

const EVERY_MS = 300_000;
const CHECK_WITHIN_MS = 10_000;
/** Asked in one scan; the others come first in the next. */
const BATCH = 20;
/** Pending facts that are looked through for those that a system can tell. */
const MAX_PENDING = 2_000;

/** Gets pending facts their second signature: asks the system that each is about, one at a time, every five minutes. */
export class FactVerifier implements Service {
  readonly name = 'fact verifier';
  readonly #parts: Parts;
  readonly #figures = { verified: 0, rejected: 0, pending: 0 };
  #cancel: Cancel | undefined;
  #scan: Promise<void> | undefined;
  #stopping = new AbortController();
  #lastAsked: string | undefined;
  #trouble: string | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    this.#stopping = new AbortController();
    this.#later();
  }

  async stop(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#stopping.abort();
    await this.#scan;
  }

  health(): Health {
    const figures = { ...this.#figures };
    return this.#trouble === undefined
      ? { status: 'ok', detail: `${figures.pending} facts wait for a second signature`, figures }
      : { status: 'degraded', detail: `pending facts cannot be checked: ${this.#trouble}`, figures };
  }

  #later(): void {
    this.#cancel = this.#parts.scheduler.after(EVERY_MS, () => {
      this.#later();
      this.#scan ??= this.#look().finally(() => {
        this.#scan = undefined;
      });
    });
  }

  async #look(): Promise<void> {
    const { store, clocks, logger } = this.#parts;
    try {
      const pending = await store.pendingFacts(MAX_PENDING);
      const nowMs = clocks.wall().getTime();
      const checkable = pending.filter((fact) => checkPlanOf(fact, nowMs).by !== 'person');
      const next = checkable.findIndex(({ id }) => id === this.#lastAsked) + 1;
      const inTurn = [...checkable.slice(next), ...checkable.slice(0, next)].slice(0, BATCH);
      this.#figures.pending = pending.length;
      for (const fact of inTurn) {
        if (this.#stopping.signal.aborted) return;
        await this.#settle(fact);
        this.#lastAsked = fact.id;
      }
      this.#trouble = undefined;
    } catch (error) {
      this.#trouble = messageOf(error);
      logger.error({ error: this.#trouble }, 'pending facts cannot be checked');
    }
  }

  async #settle(fact: Fact): Promise<void> {
    const answer = await this.#ask(fact);
    if (answer === 'unknown' || this.#stopping.signal.aborted) return;
    const says = answer === 'agrees' ? 'verified' : 'rejected';
    const by = checkPlanOf(fact, this.#parts.clocks.wall().getTime()).by === 'plc' ? 'plc' : 'tool';
    const { what } = await this.#parts.writer.settle(fact, { says, by });
    if (what === 'unchanged') return;
    this.#figures[says] += 1;
    this.#figures.pending -= 1;
    if (says === 'rejected') await this.#sayRejected(fact, by);
  }

  async #ask(fact: Fact): Promise<CheckAnswer> {
    const { checker, scheduler, logger } = this.#parts;
    const late = new AbortController();
    const cancel = scheduler.after(CHECK_WITHIN_MS, () => late.abort());
    const signal = AbortSignal.any([late.signal, this.#stopping.signal]);
    let onAbort = (): void => undefined;
    const ended = new Promise<CheckAnswer>((resolve) => {
      onAbort = () => resolve('unknown');
      signal.addEventListener('abort', onAbort, { once: true });
    });
    try {
      return await Promise.race([checker.check(fact, signal), ended]);
    } catch (error) {
      logger.warn({ fact: fact.id, error: messageOf(error) }, 'a pending fact could not be checked');
      return 'unknown';
    } finally {
      cancel();
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Told even if it cannot be audited: somebody may be about to act on it. */
  async #sayRejected(fact: Fact, by: string): Promise<void> {
    const { logger, audit, telling } = this.#parts;
    const { id, predicate, source, origin } = fact;
    logger.warn({ fact: id, predicate, source, by }, 'a fact was rejected by its system');
    telling.rejected(fact);
    try {
      await audit.append('memory.rejected', { fact: id, predicate, source, origin, by });
    } catch (error) {
      logger.error({ fact: id, error: messageOf(error) }, 'a rejected fact could not be audited');
    }
  }
}
