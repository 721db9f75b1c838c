/** Every phrase the daemon can say, with the values each may use. A language file must have all of them. */
export const PHRASE_PLACEHOLDERS = {
  ready: [],
  reading: ['machine', 'quantity', 'value', 'unit'],
  reading_bad_unreachable: ['machine', 'quantity'],
  reading_bad_timeout: ['machine', 'quantity'],
  reading_bad_refused: ['machine', 'quantity'],
  reading_bad_unavailable: ['machine', 'quantity'],
  reading_bad_not_a_number: ['machine', 'quantity'],
  no_such_point: ['machine', 'quantity'],
  machine_status: ['machine', 'parts'],
  ask_which: ['choices'],
  ask_machine: ['quantity'],
  ask_quantity: ['machine'],
  say_again: [],
  audio_lost: [],
  writes_unavailable: [],
  emergency_stop: [],
  stopped: [],
  cancelled: [],
  nothing_to_cancel: [],
  nothing_to_repeat: [],
  nothing_to_confirm: [],
  help: ['examples'],
  system_status_ok: ['parts'],
  system_status_trouble: ['parts'],
  alarm_raised: ['priority', 'source', 'text'],
  alarm_cleared: ['source', 'text'],
  value_on: [],
  value_off: [],
  priority_low: [],
  priority_medium: [],
  priority_high: [],
  priority_critical: [],
  list_separator: [],
  list_or: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type PhraseKey = keyof typeof PHRASE_PLACEHOLDERS;

/** The values `key` takes. */
export type PhraseValues<K extends PhraseKey> = Readonly<
  Record<(typeof PHRASE_PLACEHOLDERS)[K][number], string>
>;

export const PHRASE_KEYS: readonly PhraseKey[] = Object.keys(PHRASE_PLACEHOLDERS).filter(isPhraseKey);

export function isPhraseKey(key: string): key is PhraseKey {
  return Object.hasOwn(PHRASE_PLACEHOLDERS, key);
}
