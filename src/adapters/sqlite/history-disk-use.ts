const DAY_MS = 86_400_000;
/** The figures are those of so many checkpoints: a day of hourly ones. */
const MEASURED_CHECKPOINTS = 25;

/** What history takes on the disk, sums and indexes included, measured at the last checkpoints. */
export class HistoryDiskUse {
  readonly #checkpoints: { readonly samples: number; readonly bytes: number; readonly atMs: number }[] = [];

  /** `bytes` is by how much the file's used pages grew, at a monotonic time. */
  checkpoint(samples: number, bytes: number, atMs: number): void {
    if (bytes > 0) this.#checkpoints.push({ samples, bytes, atMs });
    if (this.#checkpoints.length > MEASURED_CHECKPOINTS) this.#checkpoints.shift();
  }

  /** Zeros before there are two checkpoints. */
  figures(points: number): { readonly bytesPerSample: number; readonly bytesPerPointDay: number } {
    const [first, ...others] = this.#checkpoints;
    const last = others.at(-1);
    if (first === undefined || last === undefined || points === 0)
      return { bytesPerSample: 0, bytesPerPointDay: 0 };
    const bytes = others.reduce((sum, checkpoint) => sum + checkpoint.bytes, 0);
    const samples = others.reduce((sum, checkpoint) => sum + checkpoint.samples, 0);
    const days = (last.atMs - first.atMs) / DAY_MS;
    return {
      bytesPerSample: samples === 0 ? 0 : bytes / samples,
      bytesPerPointDay: days === 0 ? 0 : bytes / points / days,
    };
  }
}
