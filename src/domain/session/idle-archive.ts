import type { SessionState } from './session-state.ts';

/** A session that nobody has used for so long is archived. */
export const IDLE_ARCHIVE_MS = 900_000;

interface Session {
  /** When it was last looked up or spoken to, monotonic clock, milliseconds: every access renews it. */
  readonly lastAccessMs: number;
  readonly state: SessionState;
}

/**
 * When a session may be archived, monotonic clock, milliseconds; undefined while a turn is open or a confirmation is parked,
 * since those end by their own deadlines.
 */
export function archiveDueAtMs({ lastAccessMs, state }: Session): number | undefined {
  const isAtRest = state.name === 'IDLE' && state.parked.length === 0;
  return isAtRest ? lastAccessMs + IDLE_ARCHIVE_MS : undefined;
}

/** The sessions that are to be archived now, whether or not anybody asks for them ever again. */
export function dueForArchive<T extends Session>(sessions: Iterable<T>, nowMs: number): readonly T[] {
  return [...sessions].filter((session) => (archiveDueAtMs(session) ?? Number.POSITIVE_INFINITY) <= nowMs);
}

/** When to look again, monotonic clock, milliseconds; undefined when no session is at rest. */
export function nextArchiveAtMs(sessions: Iterable<Session>): number | undefined {
  const times = [...sessions].flatMap((session) => archiveDueAtMs(session) ?? []);
  return times.length === 0 ? undefined : Math.min(...times);
}
