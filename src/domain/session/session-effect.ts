import type { Deadline, DeadlineId } from './session-deadlines.ts';
import type { Outcome, SessionStateName } from './session-state.ts';

/** Why a turn ended as it did. */
export type OutcomeReason =
  | 'done'
  | 'cancelled'
  | 'not_understood'
  | 'no_route'
  | 'refused'
  | 'ground_changed'
  | 'not_confirmed'
  | 'unanswered'
  | 'superseded'
  | 'gave_up'
  | 'hung'
  | 'lifespan_over'
  | 'interrupted';

/** What a person is told of what the machine does by itself. */
export type SessionNote =
  | 'not_confirmed'
  | 'parked'
  | 'parked_expired'
  | 'hung'
  | 'lifespan_over'
  | 'interrupted';

export type SessionEffect =
  /** Starts a timer that brings `timeout` with this deadline, in place of one with the same id. */
  | { readonly kind: 'arm'; readonly deadline: Deadline; readonly afterMs: number }
  | { readonly kind: 'disarm'; readonly id: DeadlineId }
  | {
      readonly kind: 'outcome';
      readonly turnId: string;
      readonly outcome: Outcome;
      readonly reason: OutcomeReason;
    }
  /** The microphone waits for the wake word again. */
  | { readonly kind: 'sleep_microphone' }
  /** What has been heard so far is the utterance. */
  | { readonly kind: 'cut_utterance' }
  | { readonly kind: 'parse_by_keyword'; readonly turnId: string }
  | { readonly kind: 'route_by_fallback'; readonly turnId: string }
  | { readonly kind: 'plan_again'; readonly turnId: string; readonly retry: number }
  /** Calls that run are cancelled; what they come to is no longer told. */
  | { readonly kind: 'abort'; readonly turnId: string; readonly why: OutcomeReason | 'execution_timeout' }
  /** The tools that run have each let a time limit pass. */
  | { readonly kind: 'count_timeout'; readonly turnId: string }
  /** What the turn did is undone as far as it can be. */
  | { readonly kind: 'roll_back'; readonly turnId: string }
  | { readonly kind: 'park'; readonly turnId: string; readonly confirmationId: string }
  /** A person is called: a ticket. */
  | { readonly kind: 'escalate'; readonly turnId: string; readonly failures: number }
  | { readonly kind: 'say'; readonly note: SessionNote; readonly turnId: string }
  /** After a restart: what "continue" goes on with. */
  | {
      readonly kind: 'offer_to_continue';
      readonly was: SessionStateName;
      readonly turnIds: readonly string[];
      readonly confirmationIds: readonly string[];
    };
