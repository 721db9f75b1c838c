import type { Period } from '../../history/period.ts';

const DAY_MS = 86_400_000;
/** In days from the month's begin, or from its end when negative: first and behind the last. */
const PARTS: readonly (readonly [RegExp, RegExp | undefined, number, number])[] = [
  [/\bfirst week (?:of|in) (?:the )?$/iu, undefined, 0, 7],
  [/\bsecond week (?:of|in) (?:the )?$/iu, undefined, 7, 14],
  [/\bthird week (?:of|in) (?:the )?$/iu, undefined, 14, 21],
  [/\b(?:fourth|last) week (?:of|in) (?:the )?$/iu, undefined, -8, 0],
  [/\blast days? (?:of|in) (?:the )?$/iu, undefined, -3, 0],
  [/\b(?:early|(?:the )?(?:beginning|start) of) (?:the )?$/iu, /^(?:初|上旬|头几天)/u, 0, 10],
  [/\b(?:mid|(?:the )?middle of) (?:the )?-?$/iu, /^(?:中旬|中)/u, 10, 20],
  [/\b(?:late|(?:the )?end of) (?:the )?$/iu, /^(?:下旬|底|末)/u, -11, 0],
];

/** The part of a month that the words before or after its name single out: "late March", 三月底. The month where they do not. */
export function partOfMonth(month: Period, before: string, after: string): Period {
  for (const [front, back, from, to] of PARTS) {
    if (!front.test(before) && back?.test(after) !== true) continue;
    const at = (days: number): number => (days < 0 ? month.toMs : month.fromMs) + days * DAY_MS;
    const toMs = to === 0 ? month.toMs : Math.min(month.toMs, at(to));
    const fromMs = Math.max(month.fromMs, at(from));
    // Of a month that is under way, the part may not have come yet.
    return fromMs < toMs ? { fromMs, toMs } : month;
  }
  return month;
}
