import { findAddresses } from './redaction/find-addresses.ts';
import { findCodesOfPeople } from './redaction/find-codes-of-people.ts';
import { findEmails } from './redaction/find-emails.ts';
import { findNumbers } from './redaction/find-numbers.ts';
import { findSecrets } from './redaction/find-secrets.ts';
import type { Found, RemovedKind } from './redaction/found.ts';
import { sameLengthForm } from './words/same-length-form.ts';

/** Eight hexadecimal digits that are equal for equal texts of a kind; keyed, because what few digits can be is soon guessed. */
export type KeyedHash = (kind: RemovedKind, normalised: string) => string;

/** A text without what must not be kept, and how much of each kind was taken out. */
export interface Redacted {
  readonly text: string;
  readonly removed: readonly { readonly kind: RemovedKind; readonly count: number }[];
}

/** What stands in place of what was taken out. */
export const MARK = /\[(?:(?:phone|id|email|address|card):[0-9a-f]{16}|secret)\]/gu;

const FINDERS: readonly ((form: string) => readonly Found[])[] = [
  findSecrets,
  findEmails,
  findCodesOfPeople,
  findNumbers,
  findAddresses,
];

/**
 * Puts a mark such as `[phone:7f3a9c21d0b4e586]` in place of telephone numbers, identity and account numbers, e-mail and postal addresses, and
 * `[secret]` for passwords and keys. Numbers of machines, codes, readings, dates and orders stay. Marks of an earlier run stay as they are.
 */
export function redact(text: string, hash: KeyedHash): Redacted {
  const form = sameLengthForm(text);
  const marks = [...text.matchAll(MARK)].map(({ 0: mark, index }) => ({
    start: index,
    end: index + mark.length,
  }));
  const isMarked = ({ kind, start, end }: Found): boolean =>
    kind !== 'secret' && marks.some((mark) => start < mark.end && end > mark.start);
  const found = withoutOverlaps(FINDERS.flatMap((find) => find(form)).filter((each) => !isMarked(each)));
  const counts = new Map<RemovedKind, number>();
  let kept = '';
  let at = 0;
  for (const { kind, start, end, normalised } of found) {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    kept += text.slice(at, start) + markOf(kind, normalised, hash);
    at = end;
  }
  return {
    text: kept + text.slice(at),
    removed: [...counts].map(([kind, count]) => ({ kind, count })),
  };
}

function markOf(kind: RemovedKind, normalised: string, hash: KeyedHash): string {
  return kind === 'secret' ? '[secret]' : `[${kind}:${hash(kind, normalised)}]`;
}

/** Of what overlaps, secrets first, then the longest; a secret takes in all that it touches. */
function withoutOverlaps(found: readonly Found[]): readonly Found[] {
  const order = (each: Found): number => (each.kind === 'secret' ? 0 : 1);
  const chosen: Found[] = [];
  for (const each of [...found].sort((a, b) => order(a) - order(b) || b.end - b.start - (a.end - a.start))) {
    const rival = chosen.findIndex(({ start, end }) => each.start < end && each.end > start);
    if (rival === -1) chosen.push(each);
    else chosen[rival] = spanning(chosen[rival] ?? each, each);
  }
  return merged(chosen.sort((a, b) => a.start - b.start));
}

/** Nothing that one of two finders saw may stay because the other one won. */
function spanning(a: Found, b: Found): Found {
  return { ...a, start: Math.min(a.start, b.start), end: Math.max(a.end, b.end) };
}

function merged(found: readonly Found[]): readonly Found[] {
  const result: Found[] = [];
  for (const each of found) {
    const last = result.at(-1);
    if (last !== undefined && each.start < last.end) result[result.length - 1] = spanning(last, each);
    else result.push(each);
  }
  return result;
}
