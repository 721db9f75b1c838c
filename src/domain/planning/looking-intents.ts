/** Intents that only look: they change nothing, and asked again they look again. */
export const LOOKING_INTENTS: readonly string[] = [
  'read_point',
  'machine_status',
  'read_history',
  'read_log',
  'compare',
  'diagnose',
  'check_machine',
  'system_status',
  'who_am_i',
  'how_to',
  'recall',
  'memory_about',
  'what_happened',
  'when_last',
  'memory_review',
];
