const WIDE = /[\uFF01-\uFF5E]/gu;
const SPACES = /[\u3000\u00A0\u2000-\u200D\u202F\u2060\uFEFF]/gu;
const HYPHENS = /[\u2010-\u2015\u2212]/gu;
const OTHER_DIGITS = /(?![0-9])\p{Nd}/gu;
const QUOTES = /[\u2018\u2019\u02BC`]/gu;

/**
 * The text with full-width signs, other scripts' digits, odd spaces, hyphens and apostrophes in their plain form, capitals kept. Every index
 * of it is the same index of the text.
 */
export function sameLengthForm(text: string): string {
  return text
    .replace(WIDE, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(SPACES, ' ')
    .replace(HYPHENS, '-')
    .replace(QUOTES, "'")
    .replace(OTHER_DIGITS, digitOf);
}

/** Unicode keeps the ten digits of a script together, in order; beyond the first plane a digit takes two units and stays as it is. */
function digitOf(sign: string): string {
  const code = sign.codePointAt(0) ?? 0;
  if (sign.length > 1) return sign;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCharCode(code - value - 1))) value += 1;
  return String(value % 10);
}
