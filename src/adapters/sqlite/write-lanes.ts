/** An alarm never waits behind a session, nor a session behind the audit; a check of progress is an audit write that is never refused. */
export type Lane = 'alarm' | 'session' | 'audit' | 'check';

/** So many writes share one transaction at most: it bounds what an alarm waits for when another transaction runs. */
const MAX_GROUP = 256;
/** A row that has been passed over so many times has its turn, so that a flood of alarms starves nobody. */
const PASSED_OVER = 8;
/** So many writes may wait. An alarm that is refused stays unacknowledged at its sender. */
const MAX_WAITING = { alarm: 20_000, session: 2_000, audit: 2_000 } as const;

interface Row<Job> {
  readonly jobs: Job[];
  /** Transactions that others had while something of this row waited. */
  passedOver: number;
}

/** What waits to be written, in three rows: alarms first, then sessions, then the audit, and in each the oldest first. */
export class WriteLanes<Job extends { readonly lane: Lane }> {
  readonly #alarm: Row<Job> = { jobs: [], passedOver: 0 };
  readonly #session: Row<Job> = { jobs: [], passedOver: 0 };
  readonly #audit: Row<Job> = { jobs: [], passedOver: 0 };
  /** By rank. */
  readonly #rows = [this.#alarm, this.#session, this.#audit];

  get waiting(): { readonly alarm: number; readonly session: number; readonly audit: number } {
    return {
      alarm: this.#alarm.jobs.length,
      session: this.#session.jobs.length,
      audit: this.#audit.jobs.length,
    };
  }

  /** False when too many wait already; the job is then not taken. */
  push(job: Job): boolean {
    const { jobs } = this.#rowOf(job);
    if (job.lane !== 'check' && jobs.length >= MAX_WAITING[job.lane]) return false;
    jobs.push(job);
    return true;
  }

  /** The jobs of the next transaction, all of one row; empty when nothing waits. */
  next(): Job[] {
    const waiting = this.#rows.filter(({ jobs }) => jobs.length > 0);
    const chosen = waiting.find(({ passedOver }) => passedOver >= PASSED_OVER) ?? waiting[0];
    for (const row of this.#rows)
      row.passedOver = waiting.includes(row) && row !== chosen ? row.passedOver + 1 : 0;
    return chosen?.jobs.splice(0, MAX_GROUP) ?? [];
  }

  /** Returns jobs that `next` gave out to the head of their row, in their order. */
  putBack(jobs: readonly Job[]): void {
    const [first] = jobs;
    if (first !== undefined) this.#rowOf(first).jobs.unshift(...jobs);
  }

  #rowOf({ lane }: Job): Row<Job> {
    if (lane === 'alarm') return this.#alarm;
    return lane === 'session' ? this.#session : this.#audit;
  }
}
