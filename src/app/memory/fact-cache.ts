import { forgettingOf } from '../../domain/memory/decay.ts';
import type { Fact, FactKey } from '../../domain/memory/fact.ts';
import { isCurrent, isStanding } from '../../domain/memory/fact-history.ts';
import { isSameValue } from '../../domain/memory/fact-value.ts';
import { covers } from '../../domain/memory/valid-interval.ts';
import type { FactRef } from '../../domain/planning/evaluate-condition.ts';
import type { Cancel, Clocks, Scheduler } from '../../runtime/clocks.ts';
import { messageOf } from '../../runtime/edge-error.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Health, Service } from '../../runtime/service.ts';
import type { FactFound, FactView } from '../ports/fact-view.ts';
import type { MemoryStore } from '../ports/memory-store.ts';

interface Parts {
  readonly store: Pick<MemoryStore, 'factsNow'>;
  readonly clocks: Pick<Clocks, 'wall'>;
  readonly scheduler: Scheduler;
  readonly logger: Logger;
  readonly isClockSet: () => boolean;
}

/** About 1 KB each. */
const MAX_FACTS = 20_000;
const LOAD_AGAIN_AFTER_MS = 10_000;
/** What a name without its kind may be, by exact id only. */
const KINDS = ['machine', 'line', 'person', 'code', 'work_order'] as const;

/** What is known now of people and machines, in memory: read once in the background, then kept up to date by whoever writes. */
export class FactCache implements Service, FactView {
  readonly name = 'known facts';
  readonly #parts: Parts;
  readonly #bySubject = new Map<string, Map<string, Fact>>();
  /** Superseded or forgotten while the first load is under way: what it brings of them is old. */
  readonly #past = new Set<string>();
  #size = 0;
  #isLoaded = false;
  #isStopped = false;
  #left = 0;
  #trouble: string | undefined;
  #cancel: Cancel | undefined;
  #loading: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    this.#isStopped = false;
    this.#loading = this.#load();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel?.();
    await this.#loading;
  }

  health(): Health {
    const figures = { facts: this.#size, left_out: this.#left };
    if (this.#trouble !== undefined)
      return { status: 'degraded', detail: `facts cannot be read: ${this.#trouble}`, figures };
    if (!this.#isLoaded) return { status: 'starting', detail: 'facts are being read', figures };
    return this.#left === 0
      ? { status: 'ok', detail: `${this.#size} facts known`, figures }
      : { status: 'degraded', detail: `${this.#left} facts beyond ${MAX_FACTS} are left out`, figures };
  }

  look({ subject, attribute }: FactRef): FactFound {
    const facts = this.#named(subject).filter(({ predicate }) => predicate === attribute);
    if (facts.length === 0)
      return this.#isLoaded && this.#left === 0 ? { kind: 'none' } : { kind: 'unknown' };
    if (!this.#isLoaded || facts.some((fact) => this.#isDispute(fact))) return { kind: 'unknown' };
    const [held, ...others] = facts.filter((fact) => isStanding(fact) && this.#holds(fact));
    if (held === undefined || others.some((other) => !isSameValue(other, held))) return { kind: 'unknown' };
    return { kind: 'known', value: held.value };
  }

  /** All that is known now of subjects such as `machine:pump-7`, pending and disputing ones too. */
  about(subjects: readonly string[]): readonly Fact[] {
    return subjects.flatMap((subject) => [...(this.#bySubject.get(subject)?.values() ?? [])]);
  }

  ofKey({ scope, subject, predicate }: FactKey): readonly Fact[] {
    return this.about([subject]).filter((fact) => fact.scope === scope && fact.predicate === predicate);
  }

  /** Takes what was written, in the order that it was written in. */
  take(facts: readonly Fact[]): void {
    for (const fact of facts) {
      if (isCurrent(fact)) this.#put(fact);
      else this.#remove(fact.subject, fact.id);
    }
  }

  /** Takes out what was forgotten or erased. */
  drop(ids: readonly string[]): void {
    const gone = new Set(ids);
    if (!this.#isLoaded) for (const id of gone) this.#past.add(id);
    for (const [subject, facts] of [...this.#bySubject])
      for (const id of [...facts.keys()]) if (gone.has(id)) this.#remove(subject, id);
  }

  /** Reads everything again, as after an erasure. */
  async reload(): Promise<void> {
    await this.#loading;
    this.#bySubject.clear();
    this.#size = 0;
    this.#left = 0;
    this.#isLoaded = false;
    this.#loading = this.#load();
    await this.#loading;
  }

  async #load(): Promise<void> {
    try {
      const facts = await this.#parts.store.factsNow();
      for (const fact of facts) if (!this.#past.has(fact.id)) this.#put(fact);
      this.#past.clear();
      this.#isLoaded = true;
      this.#trouble = undefined;
    } catch (error) {
      this.#trouble = messageOf(error);
      this.#parts.logger.error({ error: this.#trouble }, 'facts cannot be read');
      if (this.#isStopped) return;
      this.#cancel = this.#parts.scheduler.after(LOAD_AGAIN_AFTER_MS, () => {
        this.#loading = this.#load();
      });
    }
  }

  #put(fact: Fact): void {
    const facts = this.#bySubject.get(fact.subject) ?? new Map<string, Fact>();
    const isNew = !facts.has(fact.id);
    if (isNew && this.#size >= MAX_FACTS) {
      this.#left += 1;
      return;
    }
    if (isNew) this.#size += 1;
    this.#bySubject.set(fact.subject, facts.set(fact.id, fact));
  }

  #remove(subject: string, id: string): void {
    if (!this.#isLoaded) this.#past.add(id);
    const facts = this.#bySubject.get(subject);
    if (facts?.delete(id) !== true) return;
    this.#size -= 1;
    if (facts.size === 0) this.#bySubject.delete(subject);
  }

  #named(subject: string): readonly Fact[] {
    return this.about([subject, ...KINDS.map((kind) => `${kind}:${subject}`)]);
  }

  #isDispute(fact: Fact): boolean {
    return fact.disputes !== undefined && fact.status === 'verified' && this.#holds(fact);
  }

  /** By a clock that is not set, only what has no end is taken to hold. */
  #holds(fact: Fact): boolean {
    const nowMs = this.#parts.clocks.wall().getTime();
    if (!this.#parts.isClockSet()) return fact.validToMs === undefined;
    const { kind } = forgettingOf(fact, { nowMs, clockSynced: true });
    return covers(fact, nowMs) && (kind === 'keep' || kind === 'recheck');
  }
}
