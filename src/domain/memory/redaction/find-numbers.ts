import type { Candidate, Hit } from './candidate.ts';
import { isChineseIdSum, isLuhn } from './check-digits.ts';
import { type DigitGroup, digitChains } from './digit-groups.ts';
import type { Found } from './found.ts';
import { barredStretches, cueBefore, isReading } from './number-cues.ts';
import { phoneOf } from './phone-shapes.ts';

const MAX_DIGITS = 22;
const BIRTH = /^[1-9]\d{5}(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dX]$/u;
const OLD_BIRTH = /^[1-9]\d{5}\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}$/u;
const CHECK_LETTER = /^ ?(?:x(?![a-z0-9])|叉|艾克斯)/iu;

/** Telephone numbers, identity numbers and cards in a text in `sameLengthForm`, from left to right and without overlaps. */
export function findNumbers(form: string): readonly Found[] {
  const barred = barredStretches(form);
  const isBarred = (start: number, end: number): boolean =>
    barred.some(([from, to]) => start < to && end > from);
  return digitChains(form, isBarred).flatMap((chain) => inChain(form, chain));
}

function inChain(form: string, chain: readonly DigitGroup[]): readonly Found[] {
  const found: Found[] = [];
  for (let first = 0; first < chain.length; ) {
    const hit = longestFrom(form, chain, first);
    if (hit === undefined) first += 1;
    else {
      found.push(hit.found);
      first = hit.next;
    }
  }
  return found;
}

function longestFrom(
  form: string,
  chain: readonly DigitGroup[],
  first: number,
): { readonly found: Found; readonly next: number } | undefined {
  const start = chain[first];
  if (start === undefined || isHardJoint(start.joint)) return undefined;
  const cue = cueBefore(form, start.start);
  const sign = /[+(]{0,2}$/u.exec(form.slice(0, start.start))?.[0] ?? '';
  for (let end = Math.min(chain.length, first + MAX_DIGITS); end > first; end--) {
    const groups = chain.slice(first, end);
    const digits = groups.map((group) => group.digits).join('');
    const last = groups.at(-1);
    if (last === undefined || digits.length > MAX_DIGITS || digits.length < 7) continue;
    if (isReading(form, last.end) || isFraction(form, last.end, chain[end]) || cue === 'order') continue;
    const candidate: Candidate = {
      groups,
      digits,
      sizes: groups.map((group) => group.digits.length).join('-'),
      isSpoken: groups.every((group) => group.isSpoken) || groups.every((group) => group.digits.length === 1),
      sign,
      joints: groups.slice(1).map((group) => group.joint ?? ''),
      cue,
    };
    const hit = idOf(form, last.end, candidate) ?? cardOf(candidate) ?? phoneOf(candidate);
    if (hit !== undefined) {
      const from = start.start - sign.length;
      const to = last.end + (hit.after ?? 0);
      return { found: { kind: hit.kind, start: from, end: to, normalised: hit.normalised }, next: end };
    }
  }
  return undefined;
}

/** A number does not begin behind the hyphen or point of another. */
function isHardJoint(joint: string | undefined): boolean {
  return joint === '-' || joint === '.';
}

function isFraction(form: string, end: number, next: DigitGroup | undefined): boolean {
  return next?.joint === '.' && next.digits.length <= 3 && form[end] === '.';
}

function idOf(form: string, end: number, { digits, sizes, joints, cue }: Candidate): Hit | undefined {
  const letter = digits.length === 17 ? CHECK_LETTER.exec(form.slice(end))?.[0] : undefined;
  const id = letter === undefined ? digits : `${digits}X`;
  if (BIRTH.test(id) && (cue === 'id' || isChineseIdSum(id)))
    return { kind: 'id', normalised: id, after: letter?.length ?? 0 };
  if (cue === 'id' && OLD_BIRTH.test(digits)) return { kind: 'id', normalised: digits };
  if (cue === 'id' && digits.length >= 8) return { kind: 'id', normalised: digits };
  const isAmerican = sizes === '3-2-4' && joints.every((joint) => joint === '-');
  return isAmerican && !/^(?:000|666|9)/u.test(digits) ? { kind: 'id', normalised: digits } : undefined;
}

const ISSUERS = /^(?:62\d{14,17}|[45]\d{15}|3[47]\d{13}|3[068]\d{12}|35\d{14}|60\d{14}|6[45]\d{14})$/u;
const CARD_SIZES = /^(?:1[4-9]|4-4-4-4(?:-[1-3])?|4-6-[45]|6-13|4-4-4-2)$/u;

function cardOf({ digits, sizes, isSpoken, cue }: Candidate): Hit | undefined {
  const isShaped = isSpoken || CARD_SIZES.test(sizes);
  const isCard = isShaped && ISSUERS.test(digits) && isLuhn(digits);
  const isTold = cue === 'card' && digits.length >= 9;
  return isCard || isTold ? { kind: 'card', normalised: digits } : undefined;
}
