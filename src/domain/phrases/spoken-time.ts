import type { Language } from '../language/language.ts';
import { numberToWords } from '../language/number-to-words.ts';

/** Hours and minutes as they are said, in local time: "fourteen oh five", 十四点零五分. */
export function spokenTime(at: Date, language: Language): string {
  return clockWords(at.getHours(), at.getMinutes(), language);
}

/** An hour (0 to 23) and a minute of the clock on the wall as they are said. */
export function clockWords(hour: number, minutes: number, language: Language): string {
  const hours = numberToWords(hour, language);
  const words = numberToWords(minutes, language);
  if (language === 'zh')
    return minutes === 0 ? `${hours}点` : `${hours}点${minutes < 10 ? '零' : ''}${words}分`;
  return minutes === 0 ? `${hours} hours` : `${hours} ${minutes < 10 ? 'oh ' : ''}${words}`;
}
