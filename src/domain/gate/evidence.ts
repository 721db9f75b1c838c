import type { PlanSource } from '../planning/plan.ts';

/** How sure it is that a person asked for just this. */
export interface Evidence {
  readonly source: PlanSource;
  /** Audio frames were lost, or the utterance was cut. */
  readonly audioLost: boolean;
  /** A word was heard that the recogniser does not know. */
  readonly unknownWord: boolean;
  /** A name was found by likeness, not by its own spelling. */
  readonly fuzzyName: boolean;
  /** Digits were said one by one and their number does not fit what they stand for, or one sounds like another. */
  readonly digitsDoubtful: boolean;
  /** One word less or more, and it would have been "stop" or "emergency stop" (`isOneWordFromStop`). */
  readonly nearStop?: boolean;
}

/** A whole sentence, heard whole. */
export const PLAIN_EVIDENCE: Evidence = {
  source: 'template',
  audioLost: false,
  unknownWord: false,
  fuzzyName: false,
  digitsDoubtful: false,
};

/** Why something heard may carry nothing of consequence until it has been asked about. */
export const DOUBTS = [
  'audio_lost',
  'unknown_word',
  'fuzzy_name',
  'digits_doubtful',
  'near_stop',
  'keyword_match',
] as const;
export type Doubt = (typeof DOUBTS)[number];

/** The worst doubt first; undefined for a whole sentence that was heard whole. */
export function doubtOf(evidence: Evidence): Doubt | undefined {
  if (evidence.audioLost) return 'audio_lost';
  if (evidence.unknownWord) return 'unknown_word';
  if (evidence.fuzzyName) return 'fuzzy_name';
  if (evidence.digitsDoubtful) return 'digits_doubtful';
  if (evidence.nearStop === true) return 'near_stop';
  return evidence.source === 'keyword' ? 'keyword_match' : undefined;
}
