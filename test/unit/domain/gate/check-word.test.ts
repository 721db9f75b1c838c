import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHECK_WORDS, nextCheckWord } from '../../../../src/domain/gate/check-word.ts';
import { LANGUAGES } from '../../../../src/domain/language/language.ts';
import { formsOf, sentencesOf, shippedSentenceFiles, waysOf } from '../../../support/shipped-sentences.ts';
import { edits, phonesOf, unlikeness } from '../../../support/syllables.ts';

/** So much of the sounds of two check words differs at least, and so many of them. */
const LEAST_UNLIKENESS = 0.7;
const LEAST_EDITS = 3;

describe('the changing check word', () => {
  it.each(LANGUAGES)('is never the same twice in a row, and each comes in its turn (%s)', (language) => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { maxLength: 50 }), (chances) => {
        let previous: string | undefined;
        for (const chance of chances) {
          const next = nextCheckWord(language, previous, () => chance);
          expect(CHECK_WORDS[language]).toContain(next);
          expect(next).not.toBe(previous);
          previous = next;
        }
      }),
    );
    const words = CHECK_WORDS[language];
    const all = words.map((_, i) => nextCheckWord(language, undefined, () => i / words.length));
    expect(all).toEqual(words);
    expect(nextCheckWord(language, undefined, () => 1)).toBe(words.at(-1));
  });
});

describe.each(shippedSentenceFiles())('the check words ($language)', (file) => {
  const { language } = file;
  const words = CHECK_WORDS[language];
  const pronunciations = (word: string) => phonesOf(word, language) ?? [];

  it('are those of the sentence file, and are said after the execute phrase', () => {
    expect(formsOf('check_word', file).map((form) => form.join(' '))).toEqual(words);
    const execute = sentencesOf(file).filter(({ intent }) => intent === 'confirm_execute');
    const said = execute.flatMap(({ template }) => waysOf(template, file)).map((way) => way.join(' '));
    for (const word of words) expect(said).toContain(`${said[0]} ${word}`);
  });

  it('are known to the smallest recogniser model', () => {
    expect(words.filter((word) => pronunciations(word).length === 0)).toEqual([]);
  });

  it('differ from each other in most of their sounds', () => {
    const alike = words.flatMap((one, i) =>
      words
        .slice(i + 1)
        .flatMap((other) =>
          pronunciations(one).flatMap((a) =>
            pronunciations(other).flatMap((b) =>
              edits(a, b) >= LEAST_EDITS && unlikeness(a, b) >= LEAST_UNLIKENESS
                ? []
                : [`${one} [${a.join(' ')}] and ${other} [${b.join(' ')}]`],
            ),
          ),
        ),
    );
    expect(alike).toEqual([]);
  });

  it('differ from every word of a refusal and of the execute phrase in most of their sounds', () => {
    const refusals = sentencesOf(file)
      .filter(({ intent }) => ['no', 'cancel', 'stop', 'emergency_stop'].includes(intent))
      .flatMap(({ template }) => waysOf(template, file).flat());
    const execute = language === 'zh' ? ['确认', '执行'] : ['confirm', 'execute'];
    const alike = [...new Set([...refusals, ...execute])].flatMap((said) =>
      words
        .filter((word) =>
          pronunciations(said).some((a) =>
            pronunciations(word).some((b) => unlikeness(a, b) < LEAST_UNLIKENESS),
          ),
        )
        .map((word) => `${word} and ${said}`),
    );
    expect(alike).toEqual([]);
  });
});
