export const LANGUAGES = ['en', 'zh'] as const;
export type Language = (typeof LANGUAGES)[number];

/** A text in each language. */
export type Spoken = Readonly<Record<Language, string>>;

/** The language a typed text is in: Chinese as soon as it holds a Han character. */
export function languageOf(text: string): Language {
  return /\p{Script=Han}/u.test(text) ? 'zh' : 'en';
}
