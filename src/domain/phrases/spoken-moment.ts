import { type LocalTime, localTime } from '../history/local-time.ts';
import type { Language } from '../language/language.ts';
import { digitsToWords, numberToWords } from '../language/number-to-words.ts';
import { clockWords } from './spoken-time.ts';

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const ORDINALS_BELOW_TWENTY = [
  'zeroth',
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
  'eleventh',
  'twelfth',
  'thirteenth',
  'fourteenth',
  'fifteenth',
  'sixteenth',
  'seventeenth',
  'eighteenth',
  'nineteenth',
];

/**
 * A moment as a person of the site says it, with its preposition: "at fourteen oh five", "yesterday at …",
 * "on March third at …", 昨天十四点零五分. Both moments in milliseconds since 1970; `timeZone` is an IANA name.
 */
export function spokenMoment(atMs: number, nowMs: number, timeZone: string, language: Language): string {
  const at = localTime(atMs, timeZone);
  const now = localTime(nowMs, timeZone);
  const time = clockWords(at.hour, at.minute, language);
  const day = dayWords(at, now, language);
  if (language === 'zh') return `${day}${time}`;
  return day === '' ? `at ${time}` : `${day} at ${time}`;
}

function dayWords(at: LocalTime, now: LocalTime, language: Language): string {
  const days = dayNumber(now) - dayNumber(at);
  if (days === 0) return '';
  if (days === 1) return language === 'zh' ? '昨天' : 'yesterday';
  const isThisYear = at.year === now.year;
  if (language === 'zh') {
    const year = isThisYear ? '' : `${digitsToWords(String(at.year), 'zh').replaceAll(' ', '')}年`;
    return `${year}${numberToWords(at.month, 'zh')}月${numberToWords(at.day, 'zh')}日`;
  }
  const year = isThisYear ? '' : ` ${numberToWords(at.year, 'en')}`;
  return `on ${MONTHS[at.month - 1] ?? at.month} ${ordinal(at.day)}${year}`;
}

/** 1 to 31. */
function ordinal(day: number): string {
  if (day < 20) return ORDINALS_BELOW_TWENTY[day] ?? String(day);
  const tens = day < 30 ? 'twenty' : 'thirty';
  if (day % 10 === 0) return tens === 'twenty' ? 'twentieth' : 'thirtieth';
  return `${tens} ${ORDINALS_BELOW_TWENTY[day % 10] ?? ''}`;
}

function dayNumber({ year, month, day }: LocalTime): number {
  return Math.round(Date.UTC(year, month - 1, day) / 86_400_000);
}
