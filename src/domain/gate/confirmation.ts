import type { MatchOutcome } from '../intent/meaning.ts';
import type { Language } from '../language/language.ts';
import type { KnownReading } from '../plc/reading.ts';
import type { Caller, Consent, GroundValue } from '../tool/tool-call.ts';
import { doubtOf, type Evidence } from './evidence.ts';
import { type ConfirmBy, type GivenConsent, PARKED_MS, type Wanted } from './gate.ts';
import { isRefusing } from './refusing.ts';
import { isPersonOrigin } from './role.ts';

/** An answer that is no consent is answered so often at most; after that the question waits in silence. */
export const MAX_ASKED_AGAIN = 2;

/** A question that a person has been asked: may this one action be carried out? */
export interface Confirmation {
  readonly id: string;
  readonly actionId: string;
  readonly by: ConfirmBy;
  /** In another boot it is dead. */
  readonly bootId: string;
  /** Names what tells the question: the newest of its tellings is the only one that counts. */
  readonly telling: string | undefined;
  /**
   * When its newest telling had ended; monotonic, milliseconds. An answer begun before is none. Undefined while nobody has
   * heard that telling to its end: nothing consents then.
   */
  readonly askedAtMs: number | undefined;
  /** Some telling of it has been heard to its end: its window runs from then on. */
  readonly wasHeard: boolean;
  /** Monotonic, milliseconds. Before it was heard, until when it has to be. */
  readonly deadlineMs: number;
  /** Until when it is kept unanswered; undefined for what is cancelled at its deadline. Monotonic, milliseconds. */
  readonly parkedUntilMs: number | undefined;
  /** The values that the question named. */
  readonly ground: readonly GroundValue[];
  /** What it changes: an alarm there ends it. */
  readonly machines: readonly string[];
  /** For `execute_with_word`. */
  readonly checkWord: string | undefined;
  /** Where it may be answered; empty for any station where a person is. */
  readonly stations: readonly string[];
  readonly language: Language;
  /** How often it was asked again. */
  readonly askedAgain: number;
}

export interface Now {
  readonly bootId: string;
  readonly monotonicMs: number;
}

export type NewConfirmation = Pick<
  Confirmation,
  'id' | 'actionId' | 'ground' | 'machines' | 'checkWord' | 'stations' | 'language'
>;

/**
 * A question that nobody has heard yet. Its window begins when it has been heard, and so long may that take. Throws when the
 * check word is missing or one too many.
 */
export function openConfirmation(given: NewConfirmation, wanted: Wanted, now: Now): Confirmation {
  if ((wanted.by === 'execute_with_word') !== (given.checkWord !== undefined))
    throw new Error(`${wanted.by} with check word ${given.checkWord}`);
  const { bootId, monotonicMs } = now;
  return {
    ...given,
    by: wanted.by,
    bootId,
    telling: undefined,
    askedAtMs: undefined,
    wasHeard: false,
    deadlineMs: monotonicMs + wanted.windowMs,
    parkedUntilMs: wanted.isParkable ? monotonicMs + PARKED_MS : undefined,
    askedAgain: 0,
  };
}

export type ConfirmationState = 'open' | 'parked' | 'expired' | 'dead';

export function confirmationState(confirmation: Confirmation, now: Now): ConfirmationState {
  if (confirmation.bootId !== now.bootId) return 'dead';
  if (now.monotonicMs <= confirmation.deadlineMs) return 'open';
  const { parkedUntilMs } = confirmation;
  return parkedUntilMs !== undefined && now.monotonicMs <= parkedUntilMs ? 'parked' : 'expired';
}

/** The question is told, once more or for the first time: whatever was heard of it before, nothing consents until this ends. */
export function beingTold(confirmation: Confirmation, telling: string): Confirmation {
  return { ...confirmation, telling, askedAtMs: undefined };
}

/**
 * A telling was heard to its end. From the newest on the question may be consented to; the first one opens the window, and no
 * other makes it longer.
 */
export function heardToItsEnd(
  confirmation: Confirmation,
  telling: string,
  windowMs: number,
  now: Now,
): Confirmation {
  if (confirmation.telling !== telling || confirmationState(confirmation, now) !== 'open')
    return confirmation;
  const { wasHeard, deadlineMs, parkedUntilMs = Number.POSITIVE_INFINITY } = confirmation;
  return {
    ...confirmation,
    askedAtMs: now.monotonicMs,
    wasHeard: true,
    deadlineMs: wasHeard ? deadlineMs : Math.min(now.monotonicMs + windowMs, parkedUntilMs),
  };
}

/** The same question about what there is now: with new values and a new check word, and no more time than it had. */
export function askedAnew(
  { id, wasHeard, deadlineMs, parkedUntilMs, askedAgain }: Confirmation,
  anew: Confirmation,
): Confirmation {
  return { ...anew, id, wasHeard, deadlineMs, parkedUntilMs, askedAgain };
}

/** A parked question that is to be asked once more. It is parked no longer than it would have been. */
export function askedOnceMore(confirmation: Confirmation, windowMs: number, now: Now): Confirmation {
  const until = confirmation.parkedUntilMs ?? confirmation.deadlineMs;
  return {
    ...confirmation,
    askedAtMs: undefined,
    wasHeard: false,
    deadlineMs: Math.min(now.monotonicMs + windowMs, until),
    askedAgain: 0,
  };
}

/** What was said while the question stood. */
export interface HeardAnswer {
  readonly match: MatchOutcome;
  readonly text: string;
  readonly language: Language;
  /** When its first sound came, or the text was sent; monotonic, milliseconds. */
  readonly beganAtMs: number;
  readonly giver: Pick<Caller, 'origin' | 'station' | 'role' | 'person'>;
  readonly evidence: Evidence;
}

export type NotConsent =
  | 'doubtful'
  /** The question was not heard to its end: it was cut short, could not be said, or is still to be. */
  | 'unheard'
  | 'too_early'
  | 'other_words'
  | 'wrong_word'
  | 'wrong_place';

export type AnswerOutcome =
  | { readonly kind: 'consented'; readonly consent: GivenConsent }
  | { readonly kind: 'rejected' }
  | {
      readonly kind: 'not_consent';
      readonly why: NotConsent;
      readonly confirmation: Confirmation;
      /** False once it has been asked again often enough. */
      readonly askAgain: boolean;
    }
  /** Its window is over; it stands until it is offered again. */
  | { readonly kind: 'parked' }
  | { readonly kind: 'expired' }
  | { readonly kind: 'dead'; readonly reason: DeathReason };

/**
 * What an answer makes of an open question. A refusal counts from anywhere and however badly it was heard; a consent only
 * from its place, in the very words that were asked for, heard whole, begun after the question had been heard to its end.
 */
export function answer(confirmation: Confirmation, heard: HeardAnswer, now: Now): AnswerOutcome {
  const state = confirmationState(confirmation, now);
  if (state === 'dead') return { kind: 'dead', reason: 'restart' };
  if (state === 'expired') return { kind: 'expired' };
  if (isRefusing(heard.match, heard.text, heard.language)) return { kind: 'rejected' };
  if (state === 'parked') return { kind: 'parked' };
  const why = whyNoConsent(confirmation, heard);
  if (why !== undefined) {
    // Whoever says it is there and would consent: the question is put as often as it takes to be heard.
    if (isConsentToCome(why, heard.match)) return { kind: 'not_consent', why, askAgain: true, confirmation };
    const askAgain = confirmation.askedAgain < MAX_ASKED_AGAIN;
    return {
      kind: 'not_consent',
      why,
      askAgain,
      confirmation: askAgain ? { ...confirmation, askedAgain: confirmation.askedAgain + 1 } : confirmation,
    };
  }
  const { actionId, by } = confirmation;
  return { kind: 'consented', consent: { actionId, by, giver: heard.giver } };
}

function isConsentToCome(why: NotConsent, match: MatchOutcome): boolean {
  if (why !== 'unheard' && why !== 'too_early') return false;
  return (
    match.kind === 'match' && (match.meaning.intent === 'yes' || match.meaning.intent === 'confirm_execute')
  );
}

function whyNoConsent(confirmation: Confirmation, heard: HeardAnswer): NotConsent | undefined {
  const { giver, evidence, match } = heard;
  const { stations } = confirmation;
  if (!isPersonOrigin(giver.origin)) return 'wrong_place';
  if (stations.length > 0 && !stations.includes(giver.station)) return 'wrong_place';
  if (doubtOf(evidence) !== undefined || evidence.source !== 'template') return 'doubtful';
  if (confirmation.askedAtMs === undefined) return 'unheard';
  if (heard.beganAtMs < confirmation.askedAtMs) return 'too_early';
  if (match.kind !== 'match') return 'other_words';
  const { intent, slots } = match.meaning;
  const said = slots['check_word']?.value;
  if (confirmation.by === 'yes') return intent === 'yes' ? undefined : 'other_words';
  if (intent !== 'confirm_execute') return 'other_words';
  return said === confirmation.checkWord ? undefined : 'wrong_word';
}

/** The consent as a tool call carries it: the values are compared once more before anything is written. */
export function consentOf(confirmation: Confirmation, { giver }: GivenConsent): Consent {
  return {
    confirmationId: confirmation.id,
    by: giver.person?.name ?? giver.station,
    ground: confirmation.ground,
  };
}

export type DeathReason =
  | 'restart'
  | 'value_changed'
  | 'alarm'
  | 'machine_locked'
  | 'writes_off'
  | 'cancelled';

/** What happens while a question stands. */
export type GroundEvent =
  | { readonly kind: 'boot'; readonly bootId: string }
  | { readonly kind: 'readings'; readonly readings: readonly KnownReading[] }
  /** `machine` is undefined where nobody knows which one the alarm is about. */
  | { readonly kind: 'alarm_raised'; readonly machine: string | undefined }
  | { readonly kind: 'machine_locked'; readonly machine: string }
  | { readonly kind: 'writes_off' }
  | { readonly kind: 'action_cancelled'; readonly actionId: string };

/** Why an event ends an open question; undefined when it does not. */
export function killedBy(confirmation: Confirmation, event: GroundEvent): DeathReason | undefined {
  const { machines } = confirmation;
  switch (event.kind) {
    case 'boot':
      return event.bootId === confirmation.bootId ? undefined : 'restart';
    case 'readings':
      return changedGround(confirmation, event.readings) === undefined ? undefined : 'value_changed';
    case 'alarm_raised':
      return machines.length > 0 && (event.machine === undefined || machines.includes(event.machine))
        ? 'alarm'
        : undefined;
    case 'machine_locked':
      return machines.includes(event.machine) ? 'machine_locked' : undefined;
    case 'writes_off':
      return machines.length > 0 ? 'writes_off' : undefined;
    case 'action_cancelled':
      return event.actionId === confirmation.actionId ? 'cancelled' : undefined;
  }
}

/** The first value of the ground that a reading contradicts; one that cannot be read any more counts as changed. */
function changedGround(
  { ground }: Pick<Confirmation, 'ground'>,
  readings: readonly KnownReading[],
): GroundValue | undefined {
  return ground.find(({ machine, point, value }) =>
    readings.some(
      (reading) =>
        reading.ref.machine === machine &&
        reading.ref.point === point &&
        (reading.quality !== 'good' || reading.value !== value),
    ),
  );
}
