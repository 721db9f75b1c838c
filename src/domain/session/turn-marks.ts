import type { InputType } from './choose-handling.ts';

/** What a turn tells of how well a person is understood; `neither` for a turn that tells nothing. */
export type TurnMark = 'understood' | 'corrected' | 'neither';

/** So many of the last turns are looked at, and so many corrections among them are many. */
export const LAST_TURNS = 10;
const MANY_CORRECTIONS = 3;

const CORRECTIONS = ['cancel_step', 'undo'];
/** Answers to a question, and words about the conversation itself. */
const ANSWERS = [
  'yes',
  'confirm_execute',
  'choose',
  'cancel',
  'stop',
  'emergency_stop',
  'repeat',
  'help',
  'continue',
];
const QUESTIONS = [
  'read_point',
  'machine_status',
  'read_history',
  'read_log',
  'compare',
  'diagnose',
  'system_status',
  'who_am_i',
  'how_to',
  'help',
  'repeat',
  'tickets',
];

/** `intent` is undefined where no sentence was understood. */
export function inputTypeOf(intent: string | undefined): InputType {
  if (intent === undefined) return 'command';
  if (CORRECTIONS.includes(intent)) return 'correction';
  return QUESTIONS.includes(intent) ? 'question' : 'command';
}

/** What was not understood, taken back, or refused when it was read back counts as corrected. */
export function markOf(intent: string | undefined, hasSteps: boolean): TurnMark {
  if (intent === undefined) return hasSteps ? 'understood' : 'corrected';
  if (intent === 'no' || CORRECTIONS.includes(intent)) return 'corrected';
  return ANSWERS.includes(intent) ? 'neither' : 'understood';
}

/** Of the last turns, the newest last. */
export function isOftenCorrected(marks: readonly TurnMark[]): boolean {
  return marks.slice(-LAST_TURNS).filter((mark) => mark === 'corrected').length >= MANY_CORRECTIONS;
}
