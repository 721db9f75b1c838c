import type { Language } from '../language/language.ts';

/** A finite number as it is said, rounded to `decimals` places. */
export type NumberToWords = (value: number, language: Language, decimals?: number) => string;
