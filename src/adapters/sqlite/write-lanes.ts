/** An alarm never waits behind the audit; a check of progress is an audit write that is never refused. */
export type Lane = 'alarm' | 'audit' | 'check';

/** So many writes share one transaction at most: it bounds what an alarm waits for when an audit transaction runs. */
const MAX_GROUP = 256;
/** After so many alarm transactions in a row one of the audit has its turn, so that a flood of alarms cannot starve it. */
const ALARM_TURNS = 8;
/** So many writes may wait. An alarm that is refused stays unacknowledged at its sender. */
const MAX_WAITING = { alarm: 20_000, audit: 2_000 } as const;

/** What waits to be written, in two rows: alarms first, and in each row the oldest first. */
export class WriteLanes<Job extends { readonly lane: Lane }> {
  readonly #alarm: Job[] = [];
  readonly #audit: Job[] = [];
  #alarmTurns = 0;

  get waiting(): { readonly alarm: number; readonly audit: number } {
    return { alarm: this.#alarm.length, audit: this.#audit.length };
  }

  /** False when too many wait already; the job is then not taken. */
  push(job: Job): boolean {
    const row = this.#rowOf(job);
    if (job.lane !== 'check' && row.length >= MAX_WAITING[job.lane]) return false;
    row.push(job);
    return true;
  }

  /** The jobs of the next transaction, all of one row; empty when nothing waits. */
  next(): Job[] {
    const auditsTurn =
      this.#alarm.length === 0 || (this.#alarmTurns >= ALARM_TURNS && this.#audit.length > 0);
    this.#alarmTurns = auditsTurn ? 0 : this.#alarmTurns + 1;
    return (auditsTurn ? this.#audit : this.#alarm).splice(0, MAX_GROUP);
  }

  /** Returns jobs that `next` gave out to the head of their row, in their order. */
  putBack(jobs: readonly Job[]): void {
    const [first] = jobs;
    if (first !== undefined) this.#rowOf(first).unshift(...jobs);
  }

  #rowOf(job: Job): Job[] {
    return job.lane === 'alarm' ? this.#alarm : this.#audit;
  }
}
