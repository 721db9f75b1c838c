/** Everything the daemon says, and the placeholders each line may use. */
export const PHRASE_PLACEHOLDERS = {
  reading: ['machine', 'quantity', 'value', 'unit'],
  reading_stale: ['machine', 'quantity', 'age'],
  reading_bad_unreachable: ['machine', 'quantity'],
  reading_bad_timeout: ['machine', 'quantity'],
  reading_bad_refused: ['machine', 'quantity'],
  reading_bad_unavailable: ['machine', 'quantity'],
  reading_bad_not_a_number: ['machine', 'quantity'],
  machine_status: ['machine', 'list'],
  machine_unreadable: ['machine'],
  status_item: ['quantity', 'value', 'unit'],
  status_item_bad: ['quantity'],
  ask_which: ['choices'],
  ask_machine: ['quantity'],
  say_again: [],
  busy: [],
  audio_lost: [],
  no_such_point: ['machine', 'quantity'],
  writes_unavailable: [],
  emergency_stop: [],
  stopped: [],
  cancelled: [],
  nothing_to_repeat: [],
  nothing_to_confirm: [],
  help: ['examples'],
  system_status_ok: [],
  system_status_trouble: ['parts'],
  alarm_raised: ['priority', 'source', 'text'],
  alarm_cleared: ['priority', 'source', 'text'],
  alarm_earlier: ['time', 'alarm'],
  value_too_old: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type PhraseKey = keyof typeof PHRASE_PLACEHOLDERS;

export function isPhraseKey(word: string): word is PhraseKey {
  return Object.hasOwn(PHRASE_PLACEHOLDERS, word);
}
