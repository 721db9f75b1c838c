import type { Cancel, Clocks, Scheduler } from '../../runtime/clocks.ts';
import { EdgeError } from '../../runtime/edge-error.ts';

/** What the table has to know of a session. */
interface Tabled {
  readonly id: string;
  readonly station: string;
}

/** Why a session left: unused for too long, the longest unused when another needed the place, or it was let go. */
export type Departure = 'idle' | 'crowded' | 'removed';

interface Limits {
  /** Most sessions at once. */
  readonly most: number;
  /** Unused for so long, a session leaves. */
  readonly idleMs?: number;
}

interface Parts<S> {
  readonly clocks: Pick<Clocks, 'monotonicMs'>;
  readonly scheduler: Scheduler;
  /** Is told once of each that left: it keeps what is to be kept and frees the rest. Never throws. */
  readonly onLeft: (session: S, why: Departure) => void;
  /** One in the middle of something stays, however long that takes. */
  readonly isBusy?: (session: S) => boolean;
}

interface Entry<S> {
  readonly session: S;
  readonly usedAtMs: number;
}

const IDLE_MS = 900_000;

/** The sessions in memory, found by id and by station. Use renews; one that nobody uses leaves by itself. */
export class SessionTable<S extends Tabled> {
  readonly #limits: Required<Limits>;
  readonly #parts: Parts<S>;
  /** The one used longest ago stands first. */
  readonly #byId = new Map<string, Entry<S>>();
  /** The id of the session that a station has now. */
  readonly #byStation = new Map<string, string>();
  #cancelSweep: Cancel | undefined;

  constructor(limits: Limits, parts: Parts<S>) {
    this.#limits = { idleMs: IDLE_MS, ...limits };
    this.#parts = parts;
  }

  get size(): number {
    return this.#byId.size;
  }

  /**
   * Takes a session in, as the one that its station has now. Throws EdgeError SESSIONS_FULL when all places are taken by
   * sessions that are busy.
   */
  add(session: S): void {
    if (this.#byId.has(session.id)) throw new TypeError(`session ${session.id} is in the table already`);
    if (this.#byId.size >= this.#limits.most) this.#makePlace();
    this.#byId.set(session.id, { session, usedAtMs: this.#parts.clocks.monotonicMs() });
    this.#byStation.set(session.station, session.id);
    if (this.#cancelSweep === undefined) this.#sweepWhenDue();
  }

  /** The session of this id; with a station only if it is that station's: an id opens nobody else's conversation. */
  byId(id: string, station?: string): S | undefined {
    const entry = this.#byId.get(id);
    if (entry === undefined || (station !== undefined && entry.session.station !== station)) return undefined;
    return this.#use(entry);
  }

  /** The session that the station has now. */
  ofStation(station: string): S | undefined {
    const id = this.#byStation.get(station);
    return id === undefined ? undefined : this.byId(id);
  }

  /** All of them, the one used longest ago first; looking at them is no use of them. */
  all(): readonly S[] {
    return [...this.#byId.values()].map(({ session }) => session);
  }

  /** Lets a session go; false when it is not here. */
  remove(id: string): boolean {
    const entry = this.#byId.get(id);
    if (entry !== undefined) this.#leave(entry, 'removed');
    return entry !== undefined;
  }

  /** Ends the timer. What is in the table stays in it: nobody is told that it left. */
  close(): void {
    this.#cancelSweep?.();
    this.#cancelSweep = undefined;
  }

  #use(entry: Entry<S>): S | undefined {
    if (this.#isIdle(entry)) {
      this.#leave(entry, 'idle');
      return undefined;
    }
    this.#renew(entry);
    return entry.session;
  }

  #renew({ session }: Entry<S>): void {
    this.#byId.delete(session.id);
    this.#byId.set(session.id, { session, usedAtMs: this.#parts.clocks.monotonicMs() });
  }

  #isIdle({ session, usedAtMs }: Entry<S>): boolean {
    return this.#parts.clocks.monotonicMs() - usedAtMs >= this.#limits.idleMs && !this.#isBusy(session);
  }

  #isBusy(session: S): boolean {
    return this.#parts.isBusy?.(session) ?? false;
  }

  #leave({ session }: Entry<S>, why: Departure): void {
    this.#byId.delete(session.id);
    if (this.#byStation.get(session.station) === session.id) this.#byStation.delete(session.station);
    this.#parts.onLeft(session, why);
  }

  #makePlace(): void {
    for (const entry of this.#byId.values()) {
      if (this.#isBusy(entry.session)) continue;
      this.#leave(entry, 'crowded');
      return;
    }
    throw new EdgeError('SESSIONS_FULL', `all ${this.#limits.most} sessions are busy`, {
      hint: 'ask again when one of them has its answer',
      retry: 'safe',
    });
  }

  #sweepWhenDue(): void {
    this.#cancelSweep = undefined;
    const [first] = this.#byId.values();
    if (first === undefined) return;
    const idleMs = this.#parts.clocks.monotonicMs() - first.usedAtMs;
    // A timer that comes a fraction early must not come again and again until it is due.
    const afterMs = Math.max(1, Math.ceil(this.#limits.idleMs - idleMs));
    this.#cancelSweep = this.#parts.scheduler.after(afterMs, () => {
      this.#sweep();
      this.#sweepWhenDue();
    });
  }

  #sweep(): void {
    for (const entry of [...this.#byId.values()]) {
      if (this.#parts.clocks.monotonicMs() - entry.usedAtMs < this.#limits.idleMs) return;
      if (this.#isBusy(entry.session)) this.#renew(entry);
      else this.#leave(entry, 'idle');
    }
  }
}
