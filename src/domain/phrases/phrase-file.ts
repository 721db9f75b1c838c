import { closest } from 'fastest-levenshtein';
import { z } from 'zod';
import { LANGUAGES } from '../language/language.ts';
import { isPhraseKey, PHRASE_KEYS, PHRASE_PLACEHOLDERS, type PhraseKey } from './phrase-keys.ts';

const PLACEHOLDER = /\{([^{}]*)\}/g;
const UNIT_PLACEHOLDER = '{value}';

/** The words after a value, or with `{value}` the words around it, such as 百分之{value}. '' says nothing. */
const unitWords = z
  .string()
  .refine(
    (words) => !/[{}]/.test(words.replace(UNIT_PLACEHOLDER, '')),
    'the only placeholder of a unit is {value}, once',
  );

/**
 * What is said in one language, `config/phrases/*.yaml`. Every key must be there and no other; each phrase may use the
 * placeholders of its key and no other.
 */
export const phraseFileSchema = z.strictObject({
  language: z.enum(LANGUAGES),
  phrases: z.record(z.string(), z.string().min(1)).superRefine((phrases, context) => {
    for (const { path, message } of phraseProblems(phrases))
      context.addIssue({ code: 'custom', path: [path], message });
  }),
  /** Spoken words of each unit code of the device map; `{one, other}` where the singular differs. */
  units: z.record(
    z.string().min(1),
    z.union([unitWords, z.strictObject({ one: unitWords, other: unitWords })]),
  ),
});

export type PhraseFile = z.infer<typeof phraseFileSchema>;

interface Problem {
  readonly path: string;
  readonly message: string;
}

function phraseProblems(phrases: Readonly<Record<string, string>>): readonly Problem[] {
  const missing = PHRASE_KEYS.filter((key) => !Object.hasOwn(phrases, key)).map((key) => ({
    path: key,
    message: `the phrase "${key}" is missing`,
  }));
  const wrong = Object.entries(phrases).flatMap(([key, template]) =>
    isPhraseKey(key)
      ? placeholderProblems(key, template)
      : [
          {
            path: key,
            message: `unknown phrase "${key}"; the nearest is "${closest(key, [...PHRASE_KEYS])}"`,
          },
        ],
  );
  return [...missing, ...wrong];
}

function placeholderProblems(key: PhraseKey, template: string): readonly Problem[] {
  const allowed: readonly string[] = PHRASE_PLACEHOLDERS[key];
  const unknown = [...template.matchAll(PLACEHOLDER)].flatMap(([, name = '']) =>
    allowed.includes(name) ? [] : [unknownPlaceholder(key, name, allowed)],
  );
  const stray = /[{}]/.test(template.replace(PLACEHOLDER, ''))
    ? [`a brace without its partner in "${template}"`]
    : [];
  return [...unknown, ...stray].map((message) => ({ path: key, message }));
}

function unknownPlaceholder(key: PhraseKey, name: string, allowed: readonly string[]): string {
  const advice =
    allowed.length === 0 ? `"${key}" takes none` : `the nearest is "{${closest(name, [...allowed])}}"`;
  return `unknown placeholder "{${name}}"; ${advice}`;
}
