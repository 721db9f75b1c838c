import type { Language } from '../language/language.ts';
import type { EpisodeKind, MemoryOrigin } from './episode.ts';
import type { MemorySource } from './memory-source.ts';

/** What happened, as it comes from the rest of the daemon: text is as it was said or written, nothing is left out yet. */
export interface Capture {
  /** Equal for repeats of one happening: taken twice, it is remembered once. */
  readonly id: string;
  readonly atMs: number;
  readonly kind: EpisodeKind;
  readonly source: MemorySource;
  readonly origin: MemoryOrigin;
  readonly scope: string;
  readonly userId: string;
  readonly language: Language;
  readonly text: string;
  /** What is known to be meant, where it did not come as text alone: machine ids, person ids, alarm codes. */
  readonly about: readonly {
    readonly kind: 'machine' | 'line' | 'person' | 'point' | 'code';
    readonly id: string;
  }[];
  /** Somebody asked for it to be remembered. */
  readonly isWish: boolean;
  /** The work order it belongs to. */
  readonly project?: string;
}
