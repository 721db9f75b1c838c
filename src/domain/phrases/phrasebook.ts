import { z } from 'zod';
import { didYouMean } from '../../runtime/nearest.ts';
import { ALARM_PRIORITIES, type AlarmPriority } from '../alarm/alarm-event.ts';
import type { Language } from '../language/language.ts';
import { isPhraseKey, PHRASE_PLACEHOLDERS, type PhraseKey } from './phrase-keys.ts';

const line = z.string().trim().min(1);
const phraseKeySchema = z.enum(Object.keys(PHRASE_PLACEHOLDERS).filter(isPhraseKey));

/** A language's lines. Every key is required, and each placeholder must be one that its key fills. */
export const phraseFileSchema = z
  .strictObject({
    phrases: z.record(phraseKeySchema, line),
    /** Between the items of a spoken list, and before the last of several choices. */
    list_separator: z.string().min(1),
    choice_separator: z.string().min(1),
    /** Unit as a device map writes it, to the words for it. */
    units: z.record(z.string(), line),
    priorities: z.record(z.enum(ALARM_PRIORITIES), line),
    /** Names of the daemon's own parts. */
    parts: z.record(z.string(), line),
  })
  .superRefine(({ phrases }, context) => {
    for (const [key, text] of Object.entries(phrases)) {
      if (!isPhraseKey(key)) continue;
      const allowed: readonly string[] = PHRASE_PLACEHOLDERS[key];
      for (const [, name = ''] of text.matchAll(PLACEHOLDER)) {
        if (allowed.includes(name)) continue;
        const has =
          allowed.length === 0 ? 'it has none' : `it has ${allowed.map((each) => `{${each}}`).join(', ')}`;
        const message = `{${name}} is no placeholder of ${key}: ${has}.${didYouMean(name, allowed)}`;
        context.addIssue({ code: 'custom', path: ['phrases', key], message });
      }
    }
  });

export type PhraseFile = z.infer<typeof phraseFileSchema>;

const PLACEHOLDER = /\{([^{}]*)\}/gu;

/** What is said, decided in one place. Values are data: braces in them stay as they are. */
export interface Phrasebook {
  say(language: Language, key: PhraseKey, values?: Readonly<Record<string, string>>): string;
  list(language: Language, items: readonly string[]): string;
  choices(language: Language, items: readonly string[]): string;
  /** The words for a unit; one that the file does not know is said as it is written. */
  unit(language: Language, unit: string): string;
  priority(language: Language, priority: AlarmPriority): string;
  part(language: Language, name: string): string;
}

export function createPhrasebook(files: Readonly<Record<Language, PhraseFile>>): Phrasebook {
  return {
    say: (language, key, values = {}) => fillPhrase(files[language].phrases[key], values, language),
    list: (language, items) => items.join(files[language].list_separator),
    choices: (language, items) => items.join(files[language].choice_separator),
    unit: (language, unit) =>
      Object.hasOwn(files[language].units, unit) ? (files[language].units[unit] ?? unit) : unit,
    priority: (language, priority) => files[language].priorities[priority],
    part: (language, name) =>
      Object.hasOwn(files[language].parts, name) ? (files[language].parts[name] ?? name) : name,
  };
}

/** One pass over the template, so that nothing inside a value is expanded; what an empty value leaves behind is tidied. */
export function fillPhrase(
  template: string,
  values: Readonly<Record<string, string>>,
  language: Language,
): string {
  const filled = template.replace(PLACEHOLDER, (whole, name: string) => values[name] ?? whole);
  return language === 'zh'
    ? filled
    : filled
        .replace(/\s+([.,?!])/gu, '$1')
        .replace(/\s{2,}/gu, ' ')
        .trim();
}
