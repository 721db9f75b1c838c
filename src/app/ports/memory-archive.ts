/** A memory as it is put away; `id` tells repeats apart. */
export interface ArchiveLine {
  readonly id: string;
  /** JSON, without line ends. */
  readonly text: string;
}

/** What a day's file holds. */
export interface ArchiveDay {
  readonly lines: readonly ArchiveLine[];
  /** Bytes that cannot be read: torn by a crash, or damaged. */
  readonly damagedBytes: number;
}

/** What memory has let go of, by the day, for an audit only: nothing is recalled from it. Everything rejects with EdgeError ARCHIVE_FAILED. */
export interface MemoryArchive {
  /**
   * Resolves when the lines are on the disk. `day` is `YYYY-MM-DD`, UTC, of when it happened. A line whose id that day has
   * already is not written again: after a crash the same ones come once more.
   */
  append(day: string, lines: readonly ArchiveLine[]): Promise<void>;
  /** The oldest first. */
  days(): Promise<readonly string[]>;
  read(day: string): Promise<ArchiveDay>;
  /** Of all its files. */
  bytes(): Promise<number>;
  /** Removes whole days that are older; resolves with how many. */
  prune(olderThanDays: number): Promise<number>;
  /**
   * Every line as `keep` gives it back, or without it where it gives nothing; what cannot be read goes too. Resolves with
   * how many lines were changed or removed, and how many bytes had been unreadable.
   */
  rewrite(
    keep: (line: ArchiveLine) => ArchiveLine | undefined,
  ): Promise<{ readonly changed: number; readonly damagedBytes: number }>;
}
