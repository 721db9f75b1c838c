import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { LANGUAGES } from '../../../../src/domain/language/language.ts';
import { isPhraseKey, PHRASE_PLACEHOLDERS } from '../../../../src/domain/phrases/phrase-keys.ts';
import { createPhrasebook, fillPhrase, phraseFileSchema } from '../../../../src/domain/phrases/phrasebook.ts';

function shipped(language: string) {
  const path = new URL(`../../../../config/phrases/${language}.yaml`, import.meta.url);
  return phraseFileSchema.parse(parse(readFileSync(path, 'utf8')));
}

const book = createPhrasebook({ en: shipped('en'), zh: shipped('zh') });

function complaintsAbout(change: (phrases: Record<string, string>) => void): readonly string[] {
  const file = structuredClone(shipped('en'));
  change(file.phrases);
  const { error } = phraseFileSchema.safeParse(file);
  return error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
}

describe('the shipped phrases', () => {
  it.each(LANGUAGES)('in "%s" leave no brace behind when their values are filled in', (language) => {
    for (const key of Object.keys(PHRASE_PLACEHOLDERS).filter(isPhraseKey)) {
      const values = Object.fromEntries(PHRASE_PLACEHOLDERS[key].map((name) => [name, `<${name}>`]));
      expect(book.say(language, key, values)).not.toMatch(/[{}]|undefined/);
    }
  });

  it.each(LANGUAGES)('in "%s" use each value of a reading', (language) => {
    const said = book.say(language, 'reading', { machine: 'M', quantity: 'Q', value: 'V', unit: 'U' });
    expect(said).toMatch(/M.*Q.*V.*U/);
  });

  it.each(LANGUAGES)(
    'in "%s" never name a value that could not be read, but the machine and the quantity',
    (language) => {
      for (const reason of ['unreachable', 'timeout', 'refused', 'unavailable', 'not_a_number'] as const) {
        const said = book.say(language, `reading_bad_${reason}`, { machine: 'M', quantity: 'Q' });
        expect(said).toContain('M');
        expect(said).toContain('Q');
      }
    },
  );
});

describe('a phrase file', () => {
  it('is refused when a phrase is missing', () => {
    expect(complaintsAbout((phrases) => delete phrases['reading'])).toEqual([
      expect.stringContaining('phrases.reading'),
    ]);
  });

  it('is refused when it has a phrase that nobody says', () => {
    const complaints = complaintsAbout((phrases) => {
      phrases['readng'] = 'x';
    });
    expect(complaints.join()).toContain('readng');
  });

  it('is refused with the nearest placeholder when one is misspelled', () => {
    const complaints = complaintsAbout((phrases) => {
      phrases['reading'] = '{machin} is {value}.';
    });
    expect(complaints).toEqual([expect.stringMatching(/phrases\.reading: \{machin\}.*machine/)]);
  });
});

describe('filling in', () => {
  it('takes values as they are, braces and all', () => {
    expect(book.say('en', 'no_such_point', { machine: '{quantity}', quantity: '$& {machine}' })).toBe(
      '{quantity} has no $& {machine}.',
    );
  });

  it('leaves no gap where a value is empty', () => {
    const reading = { machine: 'Counter', quantity: 'count', value: 'seven', unit: '' };
    expect(book.say('en', 'reading', reading)).toBe('Counter count is seven.');
    expect(fillPhrase('{machine}{value}{unit}。', { machine: '泵', value: '七', unit: '' }, 'zh')).toBe(
      '泵七。',
    );
  });

  it('says a unit that the file does not know as it is written', () => {
    expect(book.measure('en', 'seven', 'degC')).toEqual({ value: 'seven', unit: 'degrees' });
    expect(book.measure('en', 'seven', 'furlong')).toEqual({ value: 'seven', unit: 'furlong' });
    expect(book.measure('zh', '七', 'constructor')).toEqual({ value: '七', unit: 'constructor' });
  });

  it('puts a unit that stands around its value there', () => {
    expect(book.measure('zh', '五十', 'percent')).toEqual({ value: '百分之五十', unit: '' });
  });

  it('joins lists and choices the way each language does', () => {
    expect(book.list('en', ['A', 'B'])).toBe('A, B');
    expect(book.choices('en', ['A', 'B'])).toBe('A, or B');
    expect(book.choices('zh', ['甲', '乙'])).toBe('甲，还是乙');
  });
});
