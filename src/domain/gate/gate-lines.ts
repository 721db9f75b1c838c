import type { PhraseKey } from '../phrases/phrase-keys.ts';
import type { DeathReason, NotConsent } from './confirmation.ts';
import type { Doubt } from './evidence.ts';
import type { ConfirmBy, Refusal, RefusalReason } from './gate.ts';

/** Something to be said; who says it turns the machine's id into its name. */
export interface GateLine {
  readonly key: PhraseKey;
  readonly machine?: string;
  readonly person?: string;
}

/** Access is refused in one line that tells nothing of what there is and who may: the audit has all of it. */
const REFUSALS: Readonly<Record<RefusalReason, PhraseKey>> = {
  access_denied: 'gate_denied',
  scope_denied: 'gate_denied',
  not_set_up: 'not_set_up',
  consent_invalid: 'gate_denied',
  writes_off: 'gate_writes_off',
  machine_unknown: 'gate_machine_unknown',
  locked: 'gate_locked',
  never_waits: 'gate_never_waits',
  wait_unlimited: 'gate_never_waits',
  expired: 'gate_expired',
  proposal_doubtful: 'say_again',
};

export function refusalLine({ reason, lockedBy }: Refusal): GateLine {
  return lockedBy === undefined
    ? { key: REFUSALS[reason] }
    : { key: REFUSALS[reason], machine: lockedBy.machine, person: lockedBy.name };
}

const DOUBTS: Readonly<Record<Doubt, PhraseKey>> = {
  audio_lost: 'audio_lost',
  unknown_word: 'say_again',
  fuzzy_name: 'gate_say_name',
  digits_doubtful: 'gate_say_digits',
  near_stop: 'gate_say_stop_in_full',
  keyword_match: 'gate_say_whole',
};

export function doubtLine(doubt: Doubt): GateLine {
  return { key: DOUBTS[doubt] };
}

/** What a person is told to say; `execute_with_word` takes the check word as `{word}`. */
export const CONFIRM_PROMPTS: Readonly<Record<ConfirmBy, PhraseKey>> = {
  yes: 'confirm_by_yes',
  execute: 'confirm_by_execute',
  execute_with_word: 'confirm_by_execute_with_word',
};

/** What is said to an answer that is no consent, before the prompt is repeated. */
export const NOT_CONSENT_LINES: Readonly<Record<NotConsent, PhraseKey>> = {
  doubtful: 'say_again',
  unheard: 'confirm_unheard',
  too_early: 'say_again',
  other_words: 'confirm_not_consent',
  wrong_word: 'confirm_wrong_word',
  wrong_place: 'gate_denied',
};

/** What is said when a question ends before it was answered; a cancelled action says so itself. */
export const DEATH_LINES: Readonly<Record<DeathReason, PhraseKey>> = {
  restart: 'confirm_ended_by_restart',
  value_changed: 'confirm_ended_by_value',
  alarm: 'confirm_ended_by_alarm',
  machine_locked: 'confirm_ended_by_lock',
  writes_off: 'gate_writes_off',
  cancelled: 'cancelled',
};
