import type { Lifespan } from './lifespan.ts';
import type { Deadline } from './session-deadlines.ts';
import type { Confirmation } from './session-state.ts';

/** What is known of a plan when it is to be begun. */
export interface ExecutionCheck {
  /** It passes the schema of plans, and its arguments those of their tools. */
  readonly schemaValid: boolean;
  /** Every tool that it depends on, with its state. */
  readonly tools: readonly { readonly tool: string; readonly state: string | undefined }[];
  readonly estimateMs: number;
  /** Steps of it that a person has yet to confirm. */
  readonly pendingConfirmations: number;
}

/** What comes without anything but its name. */
const BARE_EVENTS = [
  'speech_started',
  'speech_ended',
  'keyword_heard',
  'not_understood',
  'plan_failed',
  'question_asked',
  'question_heard',
  'refused',
  'ground_changed',
  'call_finished',
  'completed',
  'failed',
  'retry',
  'gave_up',
  'cancel',
] as const;
type BareEvent = { [T in (typeof BARE_EVENTS)[number]]: { readonly type: T } }[(typeof BARE_EVENTS)[number]];

export type SessionEvent =
  | BareEvent
  /** An utterance was heard or typed; it opens a turn. */
  | { readonly type: 'transcript'; readonly turnId: string; readonly lifespan: Lifespan }
  /** A wish came that needs no parsing: an alarm, a command over MQTT or MCP, a button of the panel. It opens a turn. */
  | { readonly type: 'requested'; readonly turnId: string; readonly lifespan: Lifespan }
  /** `answers`: it is the answer to the open question, not something new. */
  | { readonly type: 'understood'; readonly answers: boolean }
  /** A model is asked for a plan, each try within `limitMs`. */
  | { readonly type: 'planning_started'; readonly limitMs: number }
  | { readonly type: 'planned'; readonly check: ExecutionCheck }
  | {
      readonly type: 'confirmation_needed';
      readonly confirmation: Confirmation;
      readonly pendingConfirmations: number;
    }
  /** A parked confirmation is asked for once more. */
  | { readonly type: 'resume_parked'; readonly confirmationId: string }
  /** A person consented; `turnId` is that of the utterance, which then ends as the turn does. */
  | {
      readonly type: 'confirmed';
      readonly confirmationId: string;
      readonly check: ExecutionCheck;
      readonly turnId?: string;
    }
  /** An utterance that is carried out at once beside the turn: "cancel the third step", "say that again". */
  | { readonly type: 'interrupt'; readonly turnId: string }
  | { readonly type: 'timeout'; readonly deadline: Deadline };

export type SessionEventType = SessionEvent['type'];
export type EventOf<T extends SessionEventType> = Extract<SessionEvent, { readonly type: T }>;

export const SESSION_EVENTS: readonly SessionEventType[] = [
  ...BARE_EVENTS,
  'transcript',
  'requested',
  'understood',
  'planning_started',
  'planned',
  'confirmation_needed',
  'resume_parked',
  'confirmed',
  'interrupt',
  'timeout',
];
