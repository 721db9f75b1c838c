import type { Language } from '../language/language.ts';
import type { PhraseFile } from './phrase-file.ts';
import type { PhraseKey, PhraseValues } from './phrase-keys.ts';

/** A value and its unit as they go into the phrase `reading`. */
export interface Measure {
  readonly value: string;
  readonly unit: string;
}

/** What the daemon says, in each language. */
export interface Phrasebook {
  say<K extends PhraseKey>(language: Language, key: K, values: PhraseValues<K>): string;
  /**
   * A worded value with the words of a unit code. A unit that stands around its value (百分之五十) comes back inside
   * `value` with an empty `unit`; an unknown code is said as written.
   */
  measure(language: Language, worded: string, unitCode: string): Measure;
  /** "A, B or C" for `list_or`, "A, B, C" for `list_separator`. */
  list(language: Language, items: readonly string[], last: 'list_separator' | 'list_or'): string;
}

const ONE: Readonly<Record<Language, string>> = { en: 'one', zh: '一' };

/** `files` hold what `phraseFileSchema` has accepted. */
export function createPhrasebook(files: Readonly<Record<Language, PhraseFile>>): Phrasebook {
  const template = (language: Language, key: PhraseKey): string => {
    const found = files[language].phrases[key];
    if (found === undefined) throw new Error(`no phrase "${key}" in "${language}": the file was not checked`);
    return found;
  };
  return {
    say: (language, key, values) => fillPhrase(template(language, key), values),
    measure(language, worded, unitCode) {
      const unit = files[language].units[unitCode];
      const forms = typeof unit === 'object' ? unit : { one: unit ?? unitCode, other: unit ?? unitCode };
      const words = worded === ONE[language] ? forms.one : forms.other;
      return unit !== undefined && words.includes('{value}')
        ? { value: fillPhrase(words, { value: worded }), unit: '' }
        : { value: worded, unit: words };
    },
    list(language, items, last) {
      const head = items.slice(0, -1).join(template(language, 'list_separator'));
      const tail = items.at(-1) ?? '';
      return head === '' ? tail : `${head}${template(language, last)}${tail}`;
    },
  };
}

/**
 * Puts values into a template, once: braces in a value are text. An empty value takes the space before it along.
 * Throws an Error for a placeholder without a value: templates are checked when they are loaded.
 */
export function fillPhrase(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/( ?)\{([^{}]*)\}/g, (_, space: string, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) throw new Error(`no value for "{${name}}" in "${template}"`);
    return value === '' ? '' : space + value;
  });
}
