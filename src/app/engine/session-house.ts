import type { SessionEffect } from '../../domain/session/session-effect.ts';
import { restore } from '../../domain/session/session-machine.ts';
import type { Clocks, Scheduler } from '../../runtime/clocks.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Audit } from '../ports/audit.ts';
import type { SessionStore, StoredSession } from '../ports/session-store.ts';
import { LiveSession, type Unstored } from './live-session.ts';
import { SessionTable } from './session-table.ts';

interface Parts {
  readonly store: SessionStore;
  readonly audit: Audit;
  readonly clocks: Clocks;
  readonly scheduler: Scheduler;
  readonly logger: Logger;
  readonly onEffect: (session: LiveSession, effect: SessionEffect) => void;
}

/** So many sessions are kept in memory; the one unused for longest gives way, and stays on disk. */
const MOST_LIVE = 512;

/** The sessions that live, one a station. */
export class SessionHouse {
  readonly #parts: Parts & ConstructorParameters<typeof LiveSession>[1];
  /** Stations whose session is being read from the disk again. */
  readonly #takingUp = new Map<string, Promise<void>>();
  readonly #table: SessionTable<LiveSession>;

  constructor(parts: Parts) {
    this.#parts = { ...parts, onConflict: (session, lost) => this.#lost(session, lost) };
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
        onLeft: (session, why) => {
          if (why !== 'removed') this.#archive(session);
        },
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
      this.#takeUp(stored);
    }
  }

  /** Until a session that another writer has changed is read again; undefined when none of the station is. Never rejects. */
  takingUp(station: string): Promise<void> | undefined {
    return this.#takingUp.get(station);
  }

  #takeUp(stored: StoredSession): void {
    const session = new LiveSession(stored, this.#parts);
    this.#table.add(session);
    for (const { id, status } of stored.actions)
      if (status === 'pending' || status === 'confirming' || status === 'running') session.suspended.add(id);
    const { state, effects } = restore(stored.session.state);
    session.rest(state, effects);
  }

  /** What is on disk counts: the session here is let go, and its station goes on with that of the disk. */
  #lost(session: LiveSession, { actions, messages, audit }: Unstored): void {
    const { id, station } = session;
    const lost = {
      session_id: id,
      station,
      actions: actions.map(({ id: action, step, tool, status }) => ({ action, step, tool, status })),
      messages: messages.length,
      entries: audit,
    };
    const { logger, store } = this.#parts;
    logger.error(lost, 'another writer has changed a session: what was not stored here is lost');
    this.#parts.audit.append('session.conflict', lost).catch((error: unknown) => {
      logger.error({ session: id, error: String(error) }, 'the audit could not be written');
    });
    // One that has left the table is over, whatever the other writer does with it.
    if (!this.#table.remove(id)) return;
    const reading = store
      .session(id)
      .then((stored) => {
        if (stored !== undefined && stored.session.archivedAt === undefined) this.#takeUp(stored);
      })
      .catch((error: unknown) => {
        logger.error({ session: id, error: String(error) }, 'a session could not be read again');
      })
      .then(() => {
        this.#takingUp.delete(station);
      });
    this.#takingUp.set(station, reading);
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

  /**
   * Ends those that hold what `isMeant` looks for, which the session's memory is given to; their stations go on with new
   * ones. Each is ended when `between` lets it, not in the middle of a turn. Returns how many.
   */
  endThose(
    isMeant: (memory: unknown) => boolean,
    between: (station: string, work: () => Promise<void>) => Promise<void>,
  ): number {
    const meant = this.#table.all().filter((session) => isMeant(memoryOf(session)));
    for (const session of meant)
      void between(session.station, async () => {
        if (this.#table.remove(session.id)) this.#archive(session);
      });
    return meant.length;
  }

  close(): void {
    for (const session of this.#table.all()) session.close('closed');
    this.#table.close();
  }
}

function memoryOf({ record, actions, messages, question, last, parked }: LiveSession): unknown {
  return {
    record,
    actions,
    messages,
    question,
    last,
    parked: [...parked.values()].map((each) => each.actionId),
  };
}
