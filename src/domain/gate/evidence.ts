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
  /** Digits were said one by one and their number does not fit what they stand for. */
  readonly digitsDoubtful: boolean;
}

/** A whole sentence, heard whole. */
export const PLAIN_EVIDENCE: Evidence = {
  source: 'template',
  audioLost: false,
  unknownWord: false,
  fuzzyName: false,
  digitsDoubtful: false,
};
