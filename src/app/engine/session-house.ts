import type { SessionEffect } from '../../domain/session/session-effect.ts';
import { restore } from '../../domain/session/session-machine.ts';
import type { Clocks, Scheduler } from '../../runtime/clocks.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { SessionStore } from '../ports/session-store.ts';
import { LiveSession } from './live-session.ts';
import { SessionTable } from './session-table.ts';

interface Parts {
  readonly store: SessionStore;
  readonly clocks: Clocks;
  readonly scheduler: Scheduler;
  readonly logger: Logger;
  readonly onEffect: (session: LiveSession, effect: SessionEffect) => void;
}

/** So many sessions are kept in memory; the one unused for longest gives way, and stays on disk. */
const MOST_LIVE = 512;

/** The sessions that live, one a station. */
export class SessionHouse {
  readonly #parts: Parts;
  readonly #table: SessionTable<LiveSession>;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#table = new SessionTable(
      { most: MOST_LIVE },
      {
        clocks: parts.clocks,
        scheduler: parts.scheduler,
        isBusy: ({ state, running, question }) =>
          // A hall that is heard keeps no conversation alive.
          !(state.name === 'IDLE' || (state.name === 'LISTENING' && question === undefined)) ||
          state.parked.length > 0 ||
          running.size > 0,
        onLeft: (session) => this.#archive(session),
      },
    );
  }

  /** The station's session; a new one when it has none. */
  of(station: string): LiveSession {
    const known = this.#table.ofStation(station);
    if (known !== undefined) return known;
    const session = LiveSession.open(station, this.#parts);
    this.#table.add(session);
    return session;
  }

  /** The station's session, for what happens there without anybody's asking: it keeps no session from ending. */
  beside(station: string): LiveSession {
    return this.#table.all().find((session) => session.station === station) ?? this.of(station);
  }

  /** With a station only if it is that station's. */
  byId(id: string, station?: string): LiveSession | undefined {
    return this.#table.byId(id, station);
  }

  all(): readonly LiveSession[] {
    return this.#table.all();
  }

  /**
   * Takes up the sessions of the boot before. What was open in them is at rest; what was under way is suspended until
   * somebody says "continue". Rejects with EdgeError STATE_DB_FAILED.
   */
  async restore(): Promise<void> {
    for (const stored of await this.#parts.store.live(MOST_LIVE)) {
      if (this.#table.ofStation(stored.session.station) !== undefined) continue;
      const session = new LiveSession(stored, this.#parts);
      this.#table.add(session);
      for (const { id, status } of stored.actions)
        if (status === 'pending' || status === 'confirming' || status === 'running')
          session.suspended.add(id);
      const { state, effects } = restore(stored.session.state);
      session.rest(state, effects);
    }
  }

  #archive(session: LiveSession): void {
    session.close('archived');
    session.archive();
    session.commit().catch((error: unknown) => {
      this.#parts.logger.error(
        { session: session.id, error: String(error) },
        'a session could not be archived',
      );
    });
  }

  close(): void {
    for (const session of this.#table.all()) session.close('closed');
    this.#table.close();
  }
}
