/** A stretch of time in milliseconds since 1970, `validToMs` not included; without it, it has no end yet. */
export interface ValidInterval {
  readonly validFromMs: number;
  readonly validToMs?: number | undefined;
}

export function endOf({ validToMs }: ValidInterval): number {
  return validToMs ?? Number.POSITIVE_INFINITY;
}

export function covers(interval: ValidInterval, atMs: number): boolean {
  return interval.validFromMs <= atMs && atMs < endOf(interval);
}

export function overlap(one: ValidInterval, other: ValidInterval): boolean {
  return (
    Math.max(one.validFromMs, other.validFromMs) < Math.min(endOf(one), endOf(other)) &&
    !isEmpty(one) &&
    !isEmpty(other)
  );
}

export function isEmpty(interval: ValidInterval): boolean {
  return endOf(interval) <= interval.validFromMs;
}

export function intervalOf(validFromMs: number, endMs: number): ValidInterval {
  return endMs === Number.POSITIVE_INFINITY ? { validFromMs } : { validFromMs, validToMs: endMs };
}

/** What both have; undefined when that is nothing. */
export function intersection(one: ValidInterval, other: ValidInterval): ValidInterval | undefined {
  return overlap(one, other)
    ? intervalOf(Math.max(one.validFromMs, other.validFromMs), Math.min(endOf(one), endOf(other)))
    : undefined;
}

/** From the first begin to the last end. */
export function hull(first: ValidInterval, others: readonly ValidInterval[]): ValidInterval {
  const all = [first, ...others];
  return intervalOf(Math.min(...all.map((each) => each.validFromMs)), Math.max(...all.map(endOf)));
}

/** What is left of `interval` without all of `others`, in order of time. */
export function without(interval: ValidInterval, others: readonly ValidInterval[]): readonly ValidInterval[] {
  let pieces = isEmpty(interval) ? [] : [interval];
  for (const other of others) {
    pieces = pieces.flatMap((piece) =>
      overlap(piece, other)
        ? [
            intervalOf(piece.validFromMs, other.validFromMs),
            intervalOf(Math.min(endOf(other), endOf(piece)), endOf(piece)),
          ].filter((left) => Number.isFinite(left.validFromMs) && !isEmpty(left))
        : [piece],
    );
  }
  return pieces;
}
