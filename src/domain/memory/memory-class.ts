/** How long something is worth remembering; each class has its own decay and its own end. */
export const MEMORY_CLASSES = [
  'transient',
  'logistics',
  'summary',
  'episode',
  'incident',
  'project',
  'machine',
  'person',
  'safety',
  'procedure',
] as const;
export type MemoryClass = (typeof MEMORY_CLASSES)[number];

export interface ClassRule {
  /** Share of its score that it loses, per hour, as the exponent of e; 0 does not fade. */
  readonly decayPerHour: number;
  /** From when it was last confirmed; undefined for what has no end. */
  readonly expiresAfterHours: number | undefined;
  /** After so long somebody is asked whether it still holds; it stays meanwhile. */
  readonly recheckAfterHours: number | undefined;
}

/** Below this score a memory is a candidate for forgetting. */
export const RETIRES_BELOW = 0.3;

const DAY_HOURS = 24;

/**
 * `transient`, `logistics`: facts of the day (a decay of 0.02 per hour halves in 34.66 h and reaches 0.3 at 60.2 h; their own end stands beside it).
 * `summary`: what was asked and answered. `episode`: what was told or done. `incident`: alarms, stops, causes and repairs, kept as long as
 * the sums of the point history. `project`: bound to a work order, from whose closing its end counts.
 */
export const CLASS_RULES: Readonly<Record<MemoryClass, ClassRule>> = {
  transient: { decayPerHour: 0.02, expiresAfterHours: 72, recheckAfterHours: undefined },
  logistics: { decayPerHour: 0.02, expiresAfterHours: 48, recheckAfterHours: undefined },
  summary: { decayPerHour: 0, expiresAfterHours: 7 * DAY_HOURS, recheckAfterHours: undefined },
  episode: { decayPerHour: 0, expiresAfterHours: 30 * DAY_HOURS, recheckAfterHours: undefined },
  incident: { decayPerHour: 0, expiresAfterHours: 400 * DAY_HOURS, recheckAfterHours: undefined },
  project: { decayPerHour: 0, expiresAfterHours: 30 * DAY_HOURS, recheckAfterHours: undefined },
  machine: { decayPerHour: 0, expiresAfterHours: undefined, recheckAfterHours: 90 * DAY_HOURS },
  person: { decayPerHour: 0, expiresAfterHours: undefined, recheckAfterHours: 90 * DAY_HOURS },
  safety: { decayPerHour: 0, expiresAfterHours: undefined, recheckAfterHours: undefined },
  procedure: { decayPerHour: 0, expiresAfterHours: undefined, recheckAfterHours: undefined },
};
