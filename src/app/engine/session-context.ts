import { AsyncLocalStorage } from 'node:async_hooks';

/** On whose behalf something runs. */
export interface SessionIds {
  readonly sessionId: string;
  readonly turnId: string;
  readonly station: string;
}

/** Says of any piece of work to which session and turn it belongs, through every `await` of it, and keeps them apart. */
export class SessionContext {
  readonly #storage = new AsyncLocalStorage<SessionIds>();

  run<T>(ids: SessionIds, work: () => T): T {
    return this.#storage.run(ids, work);
  }

  /** Undefined outside of any turn. */
  current(): SessionIds | undefined {
    return this.#storage.getStore();
  }

  /** What a log line gets from it. */
  fields(): Readonly<Record<string, string>> {
    const ids = this.current();
    return ids === undefined ? {} : { session_id: ids.sessionId, turn_id: ids.turnId, station: ids.station };
  }
}
