import type { Episode } from './episode.ts';
import type { Fact } from './fact.ts';
import { CLASS_RULES, type MemoryClass, RETIRES_BELOW } from './memory-class.ts';

const HOUR_MS = 3_600_000;

/** So long something is a candidate before it goes. */
export const CANDIDATE_FOR_MS = HOUR_MS;
/** A rejected fact is kept so long, for whoever asks why it was. */
const REJECTED_FOR_MS = 7 * 24 * HOUR_MS;

/** What a score was at its beginning where nothing says: an episode happened. */
const CERTAIN = 1;

export type Forgetting =
  | { readonly kind: 'keep' }
  /** It stays; somebody should be asked whether it still holds. */
  | { readonly kind: 'recheck' }
  /** It has had its time, and goes at a sweep at least `CANDIDATE_FOR_MS` later. */
  | { readonly kind: 'candidate' }
  | { readonly kind: 'gone'; readonly how: 'delete' | 'archive' };

/** What a sweep knows besides the memory itself. */
export interface SweepMoment {
  readonly nowMs: number;
  /** Nothing is forgotten by a clock that nobody has set. */
  readonly clockSynced: boolean;
  /** Since when it is a candidate; undefined for what is none yet. */
  readonly candidateSinceMs?: number | undefined;
  /** When the work order of a `project` was closed; undefined while it is open. */
  readonly closedAtMs?: number | undefined;
}

/**
 * How much a memory still counts, 0 to 1, from its confidence when it was last confirmed (milliseconds since 1970). A clock that
 * says "before that" raises nothing.
 */
export function scoreAt(
  confidence: number,
  memoryClass: MemoryClass,
  confirmedAtMs: number,
  nowMs: number,
): number {
  const hours = Math.max(0, nowMs - confirmedAtMs) / HOUR_MS;
  return confidence * Math.exp(-CLASS_RULES[memoryClass].decayPerHour * hours);
}

/** What becomes of an episode, or of a fact that is known now. */
export function forgettingOf(memory: Episode | Fact, moment: SweepMoment): Forgetting {
  const { nowMs, clockSynced, candidateSinceMs } = moment;
  if (!clockSynced || nowMs < memory.recordedAtMs) return { kind: 'keep' };
  if (!hasHadItsTime(memory, moment)) return { kind: isDueForRecheck(memory, nowMs) ? 'recheck' : 'keep' };
  const isDue = candidateSinceMs !== undefined && nowMs - candidateSinceMs >= CANDIDATE_FOR_MS;
  return isDue ? { kind: 'gone', how: howItGoes(memory) } : { kind: 'candidate' };
}

function hasHadItsTime(memory: Episode | Fact, { nowMs, closedAtMs }: SweepMoment): boolean {
  if ('status' in memory && memory.status === 'rejected')
    return nowMs - memory.confirmedAtMs >= REJECTED_FOR_MS;
  const { decayPerHour, expiresAfterHours } = CLASS_RULES[memory.class];
  const fromMs = memory.class === 'project' ? closedAtMs : memory.confirmedAtMs;
  if (fromMs === undefined) return false;
  if (expiresAfterHours !== undefined && nowMs - fromMs >= expiresAfterHours * HOUR_MS) return true;
  if (decayPerHour === 0) return false;
  const confidence = 'confidence' in memory ? memory.confidence : CERTAIN;
  return scoreAt(confidence, memory.class, fromMs, nowMs) < RETIRES_BELOW;
}

function isDueForRecheck(memory: Episode | Fact, nowMs: number): boolean {
  const { recheckAfterHours } = CLASS_RULES[memory.class];
  return recheckAfterHours !== undefined && nowMs - memory.confirmedAtMs >= recheckAfterHours * HOUR_MS;
}

/** Facts of the day and what was asked are worth no archive, unless they were more than talk. */
function howItGoes(memory: Episode | Fact): 'delete' | 'archive' {
  const isOfTheDay = ['transient', 'logistics', 'summary'].includes(memory.class);
  const isWorthIt = 'isKey' in memory ? memory.isKey : memory.status === 'rejected';
  return isOfTheDay && !isWorthIt ? 'delete' : 'archive';
}
