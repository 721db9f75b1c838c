const WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
const CHECK_SIGNS = '10X98765432';

/** Whether the last sign of 18 is the check digit of a Chinese identity number (GB 11643). */
export function isChineseIdSum(id: string): boolean {
  const sum = WEIGHTS.reduce((total, weight, i) => total + weight * Number(id[i] ?? Number.NaN), 0);
  return CHECK_SIGNS[sum % 11] === id[17]?.toUpperCase();
}

/** The check digit that cards end with (ISO/IEC 7812). */
export function isLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, sign, i) => {
    const digit = Number(sign) * (i % 2 === 1 ? 2 : 1);
    return total + (digit > 9 ? digit - 9 : digit);
  }, 0);
  return sum % 10 === 0;
}

/** The check of an IBAN (ISO 13616), written without spaces. */
export function isIbanSum(iban: string): boolean {
  const turned = iban.slice(4) + iban.slice(0, 4);
  let rest = 0;
  for (const sign of turned.toUpperCase()) {
    const value = Number.parseInt(sign, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}
