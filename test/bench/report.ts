/**
 * Prints a bench's last line: figures rounded to what they are good for, the budgets beside them, and whether all are
 * kept: at most the budget, at least the floor. Sets the exit status to 1 when one is not.
 */
export function report(
  bench: string,
  figures: Readonly<Record<string, number>>,
  budget: Readonly<Record<string, number>>,
  floors: Readonly<Record<string, number>> = {},
): void {
  const rounded = Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [name, Number(value.toPrecision(4))]),
  );
  const ok =
    Object.entries(budget).every(([name, limit]) => (figures[name] ?? Number.NaN) <= limit) &&
    Object.entries(floors).every(([name, floor]) => (figures[name] ?? Number.NaN) >= floor);
  process.stdout.write(
    `${JSON.stringify({ bench, figures: rounded, budget: { ...budget, ...floors }, ok })}\n`,
  );
  if (!ok) process.exitCode = 1;
}

/** The value below which the share `p` (0 to 1) of the samples lies, by the nearest rank. */
export function percentile(samples: readonly number[], p: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * p) - 1)] ?? Number.NaN;
}
