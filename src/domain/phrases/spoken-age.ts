import type { Language } from '../language/language.ts';
import { numberToWords } from '../language/number-to-words.ts';

const UNITS = [
  { seconds: 86_400, en: ['day', 'days'], zh: '天' },
  { seconds: 3_600, en: ['hour', 'hours'], zh: '小时' },
  { seconds: 60, en: ['minute', 'minutes'], zh: '分钟' },
  { seconds: 1, en: ['second', 'seconds'], zh: '秒' },
] as const;

type AgeUnit = (typeof UNITS)[number];

function unitOf(seconds: number): AgeUnit {
  return UNITS.find((unit) => seconds >= unit.seconds) ?? UNITS[3];
}

/** As much of an age as is whole in its largest unit, milliseconds: what it certainly is. At least a second. */
export function wholeUnitsOf(ageMs: number): number {
  const seconds = Math.max(1, Math.floor(ageMs / 1000));
  const unit = unitOf(seconds);
  return Math.floor(seconds / unit.seconds) * unit.seconds * 1000;
}

/** An age of `ageMs` milliseconds as it is said, in its largest unit and never younger than it is: "four minutes". */
export function spokenAge(ageMs: number, language: Language): string {
  const seconds = Math.max(1, Math.ceil(ageMs / 1000));
  const unit = unitOf(seconds);
  const count = Math.ceil(seconds / unit.seconds);
  const words = numberToWords(count, language);
  // Two of something counted is 两, not the digit 二.
  if (language === 'zh') return `${count === 2 ? '两' : words}${unit.zh}`;
  return `${words} ${unit.en[count === 1 ? 0 : 1]}`;
}
