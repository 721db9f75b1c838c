import type { ClockState } from '../domain/envelope.ts';
import type { BadgeMessage } from '../domain/gate/badge.ts';
import { type KnownPerson, standingOf } from '../domain/gate/role.ts';
import type { Caller, Role } from '../domain/tool/tool-call.ts';
import type { Clocks } from '../runtime/clocks.ts';
import type { Audit } from './ports/audit.ts';

/** Finds a person in the site's directory, by id or by badge number. */
export type FindPerson = (
  by: { readonly id: string } | { readonly badge: string },
) => Promise<KnownPerson | undefined>;

export interface BadgesParts {
  /** The role of whoever stands at a station; undefined for a station that the site does not have. */
  readonly stationRole: (station: string) => Role | undefined;
  readonly findPerson: FindPerson;
  readonly audit: Audit;
  readonly clocks: Clocks;
  readonly clockState: () => ClockState;
  /** How long a badge or a login counts, milliseconds. */
  readonly raisedForMs?: number;
}

export type BadgeOutcome = 'raised' | 'ended' | 'repeated' | 'late' | 'unknown_station' | 'unknown_person';

const RAISED_FOR_MS = 10 * 60_000;
/** An older reading tells who was there, not who is. Only asked where both clocks can be believed. */
const MAX_AGE_MS = 60_000;
const REMEMBERED_IDS = 200;
/** Stations at which somebody is known at once; the one that was read first gives way. */
const MAX_PRESENT = 200;

interface Presence {
  readonly person: KnownPerson;
  readonly untilMs: number;
}

/** Who is known to be at which station, from badges and logins. Ends by itself, and with the process. */
export class Badges {
  readonly #parts: BadgesParts;
  readonly #present = new Map<string, Presence>();
  readonly #seen = new Set<string>();
  /** The last thing that happened at a station while a person is looked up: a slow look-up puts back nobody who has left. */
  readonly #lookedUp = new Map<string, symbol>();

  constructor(parts: BadgesParts) {
    this.#parts = parts;
  }

  /** A badge was read. Rejects with the EdgeErrors of the audit and of the directory; then nobody is known. */
  async badge(message: BadgeMessage): Promise<BadgeOutcome> {
    const outcome = await this.#read(message);
    if (outcome !== 'repeated') {
      const { id, station, person, badge, state } = message;
      const known = this.#present.get(station)?.person.id;
      await this.#parts.audit.append('badge.read', { id, station, person, badge, state, outcome, known });
    }
    return outcome;
  }

  async #read({ id, ts, station, person, badge, state }: BadgeMessage): Promise<BadgeOutcome> {
    if (this.#seen.has(id)) return 'repeated';
    this.#remember(id);
    if (this.#parts.stationRole(station) === undefined) return 'unknown_station';
    if (state === 'out') {
      this.logout(station);
      return 'ended';
    }
    if (ts !== undefined && this.#parts.clockState() === 'synced') {
      const ageMs = this.#parts.clocks.wall().getTime() - Date.parse(ts);
      if (ageMs > MAX_AGE_MS) return 'late';
    }
    const turn = Symbol(id);
    this.#lookedUp.set(station, turn);
    try {
      const found = await this.#find(person, badge);
      if (found === undefined) return 'unknown_person';
      if (this.#lookedUp.get(station) !== turn) return 'late';
      this.#put(station, found);
      return 'raised';
    } finally {
      if (this.#lookedUp.get(station) === turn) this.#lookedUp.delete(station);
    }
  }

  /** A message that names a person and a badge names one person twice, or nobody. */
  async #find(person: string | undefined, badge: string | undefined): Promise<KnownPerson | undefined> {
    const byBadge = badge === undefined ? undefined : await this.#parts.findPerson({ badge });
    if (person === undefined) return byBadge;
    const byId = await this.#parts.findPerson({ id: person });
    return badge === undefined || byBadge?.id === byId?.id ? byId : undefined;
  }

  /** Somebody has logged in at the panel; the panel has made sure who it is. */
  login(station: string, person: KnownPerson): void {
    this.#lookedUp.delete(station);
    this.#put(station, person);
  }

  logout(station: string): void {
    this.#lookedUp.delete(station);
    this.#present.delete(station);
  }

  /** Nobody is known any more where this person was. */
  forget(personId: string): number {
    const stations = [...this.#present].filter(([, { person }]) => person.id === personId);
    for (const [station] of stations) this.logout(station);
    return stations.length;
  }

  /** What whoever speaks at a station may do now. A station that the site does not name is a guest's. */
  standingAt(station: string): Pick<Caller, 'role' | 'person'> {
    const presence = this.#present.get(station);
    const isOver = presence !== undefined && this.#parts.clocks.monotonicMs() >= presence.untilMs;
    if (isOver) this.#present.delete(station);
    return standingOf(this.#parts.stationRole(station) ?? 'guest', isOver ? undefined : presence?.person);
  }

  #put(station: string, person: KnownPerson): void {
    const untilMs = this.#parts.clocks.monotonicMs() + (this.#parts.raisedForMs ?? RAISED_FOR_MS);
    this.#present.delete(station);
    this.#present.set(station, { person, untilMs });
    const [oldest] = this.#present.keys();
    if (this.#present.size > MAX_PRESENT && oldest !== undefined) this.logout(oldest);
  }

  #remember(id: string): void {
    this.#seen.add(id);
    const [oldest] = this.#seen;
    if (this.#seen.size > REMEMBERED_IDS && oldest !== undefined) this.#seen.delete(oldest);
  }
}
