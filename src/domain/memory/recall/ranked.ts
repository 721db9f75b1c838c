import type { Episode } from '../episode.ts';

/** An episode with how well it answers a question. */
export interface Ranked {
  readonly episode: Episode;
  /** 0 to 1. */
  readonly score: number;
  /** Share of what is asked for that it holds, names too, by weight, 0 to 1. */
  readonly coverage: number;
  /** The same of the words alone. */
  readonly wordCoverage: number;
  /** Of the words that it really holds, themselves or by their meaning, and not only something near. */
  readonly strongCoverage: number;
  /** The weightiest word that it lacks, as a share of all. */
  readonly heaviestMissing: number;
  /** A number of the question that it lacks. */
  readonly lacksNumber: boolean;
  /** It names all that the question names. */
  readonly isAbout: boolean;
}
