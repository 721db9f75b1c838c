import type { Candidate, Hit } from './candidate.ts';

const CHINESE_MOBILE = /^(?:(?:00)?86)?(1[3-9]\d{9})$/u;
const MOBILE_SIZES =
  /^(?:(?:00)?2-|4-)?(?:11|3-4-4|3-8|7-4|4-4-3|4-3-4|5-6|3-3-5|3-4-2-2)$|^(?:13|15)$|^4-11$/u;
const CHINESE_LANDLINE = /^(?:86)?(0?(?:10|2\d|[3-9]\d\d))([2-8]\d{6,7})$/u;
const LANDLINE_SIZES = /^(?:2-|4-)?[34]-(?:[78]|[34]-4)$|^1[0-2]$/u;
const AMERICAN = /^1?([2-9]\d\d[2-9]\d{6})$/u;
const SERVICE = /^[48]00\d{7}$/u;

/** The telephone number that a candidate is, in one spelling: a Chinese mobile without its country, others with it where it was given. */
export function phoneOf(candidate: Candidate): Hit | undefined {
  if (candidate.cue === 'id' || candidate.cue === 'card') return undefined;
  const number =
    chineseMobile(candidate) ??
    chineseLandline(candidate) ??
    international(candidate) ??
    american(candidate) ??
    service(candidate) ??
    told(candidate);
  return number === undefined ? undefined : { kind: 'phone', normalised: number };
}

function chineseMobile({ digits, sizes, isSpoken, cue }: Candidate): string | undefined {
  const [, mobile] = CHINESE_MOBILE.exec(digits) ?? [];
  return mobile !== undefined && (isSpoken || cue === 'phone' || MOBILE_SIZES.test(sizes))
    ? mobile
    : undefined;
}

function chineseLandline({ digits, sizes, isSpoken, cue, sign }: Candidate): string | undefined {
  const [, area, line] = CHINESE_LANDLINE.exec(digits) ?? [];
  if (area === undefined || line === undefined) return undefined;
  const hasTrunk = area.startsWith('0') || (sign.includes('+') && digits.startsWith('86'));
  const isShaped = isSpoken || cue === 'phone' || LANDLINE_SIZES.test(sizes);
  return hasTrunk && isShaped ? `0${area.replace(/^0/u, '')}${line}` : undefined;
}

function international({ digits, groups, joints, sign, cue }: Candidate): string | undefined {
  const isPlus = sign.includes('+');
  const isTrunk = digits.startsWith('00') && (cue === 'phone' || joints.length > 1);
  if (!isPlus && !isTrunk) return undefined;
  const number = isPlus ? digits : digits.slice(2);
  const areGroups = groups.slice(2).every((group) => group.digits.length > 1 || group.isSpoken);
  const fits = number.length >= (groups.length > 1 ? 8 : 9) && number.length <= 15;
  return fits && areGroups ? `+${number}` : undefined;
}

function american({ digits, sizes, joints, sign, cue }: Candidate): string | undefined {
  const [, number] = AMERICAN.exec(digits) ?? [];
  const isShaped =
    /^(?:1-)?3-3-4$/u.test(sizes) &&
    (sign.includes('(') || joints.every((joint) => joint === '-' || joint === '.') || cue === 'phone');
  return number !== undefined && isShaped ? number : undefined;
}

function service({ digits, sizes, joints, cue }: Candidate): string | undefined {
  const isShaped =
    cue === 'phone' || (/^3-(?:3-4|4-3|7)$/u.test(sizes) && joints.every((joint) => joint === '-'));
  return SERVICE.test(digits) && isShaped ? digits : undefined;
}

/** After "call", 电话 and their like every long number is one. */
function told({ digits, cue, sizes, joints }: Candidate): string | undefined {
  const isNetwork =
    joints.length === 3 && joints.every((joint) => joint === '.') && /^\d-|^[123]-/u.test(sizes);
  return cue === 'phone' && !isNetwork && digits.length <= 15 ? digits : undefined;
}
