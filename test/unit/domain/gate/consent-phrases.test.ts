import { describe, expect, it, vi } from 'vitest';
import { REFUSING_INTENTS } from '../../../../src/domain/gate/refusing.ts';
import type { SentenceFile } from '../../../../src/domain/intent/sentence-file.ts';
import type { Template } from '../../../../src/domain/intent/template.ts';
import { formsOf, sentencesOf, shippedSentenceFiles, waysOf } from '../../../support/shipped-sentences.ts';
import { type Syllable, syllablesOf, unlikeness } from '../../../support/syllables.ts';

// It looks at every sentence or combination there is, which on a busy machine takes a while.
vi.setConfig({ testTimeout: 60_000 });

const CONSENTS = ['yes', 'confirm_execute'];

/** A consent as what is compared: words where one of them may be lost, syllables where one may be misheard. */
interface Consent {
  readonly intent: string;
  readonly text: string;
  readonly words: readonly string[];
  readonly syllables: readonly Syllable[];
}

function consentsOf(file: SentenceFile): readonly Consent[] {
  return sentencesOf(file)
    .filter(({ intent }) => CONSENTS.includes(intent))
    .flatMap(({ intent, template }) =>
      waysOf(template, file).map((words) => ({
        intent,
        text: words.join(' '),
        words: units(words, file),
        syllables: words.flatMap((word) => syllablesOf(word, file.language)),
      })),
    );
}

/** What can be lost by itself: an English word, a Chinese syllable. */
function units(words: readonly string[], { language }: SentenceFile): readonly string[] {
  return language === 'zh'
    ? words.flatMap((word) => syllablesOf(word, language).map((syllable) => syllable.join('')))
    : words;
}

/**
 * Walks all ways of a template at once: `at[i]` is what it has cost to get through the first i parts of the consent.
 * Every sentence is covered, however many a template has.
 */
function walk(
  template: Template,
  file: SentenceFile,
  at: readonly number[],
  step: (at: readonly number[], word: string) => readonly number[],
): readonly number[] {
  const through = (words: readonly string[]): readonly number[] =>
    words.reduce<readonly number[]>((costs, word) => step(costs, word), at);
  switch (template.kind) {
    case 'word':
      return step(at, template.text);
    case 'list':
      return cheapest(formsOf(template.list, file).map(through));
    case 'optional':
      return cheapest([at, walk(template.part, file, at, step)]);
    case 'choice':
      return cheapest(template.options.map((option) => walk(option, file, at, step)));
    case 'sequence':
      return template.parts.reduce((costs, part) => walk(part, file, costs, step), at);
  }
}

function cheapest(ways: readonly (readonly number[])[]): readonly number[] {
  return (ways[0] ?? []).map((_, i) => Math.min(...ways.map((way) => way[i] ?? Number.POSITIVE_INFINITY)));
}

/**
 * The fewest syllables that have to be lost, added or misheard to make the consent of a sentence of the template. A
 * syllable taken for another costs twice the share of its sounds that differ: wholly unlike, it is as one lost and one added.
 */
function syllableDistance({ syllables }: Consent, template: Template, file: SentenceFile): number {
  const begin = [0, ...syllables.map((_, i) => i + 1)];
  const throughSyllable = (at: readonly number[], said: Syllable): readonly number[] => {
    const next = [(at[0] ?? 0) + 1];
    for (const [i, wanted] of syllables.entries())
      next.push(
        Math.min((at[i + 1] ?? 0) + 1, (next[i] ?? 0) + 1, (at[i] ?? 0) + 2 * unlikeness(said, wanted)),
      );
    return next;
  };
  const end = walk(template, file, begin, (at, word) =>
    syllablesOf(word, file.language).reduce(throughSyllable, at),
  );
  return end.at(-1) ?? 0;
}

/** Whether the consent is what is left of a sentence of the template when some of its words are lost. */
function isPartOf({ words }: Consent, template: Template, file: SentenceFile): boolean {
  const never = Number.POSITIVE_INFINITY;
  const begin = [0, ...words.map(() => never)];
  const end = walk(template, file, begin, (at, word) =>
    units([word], file).reduce<readonly number[]>(
      (costs, unit) =>
        costs.map((cost, i) =>
          Math.min(cost, i > 0 && words[i - 1] === unit ? (costs[i - 1] ?? never) : never),
        ),
      at,
    ),
  );
  return end.at(-1) === 0;
}

function isWithin(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0;
  for (const unit of whole) if (unit === part[at]) at += 1;
  return at === part.length;
}

describe.each(shippedSentenceFiles())(
  '"Consent is a phrase that cannot be a damaged refusal" ($language)',
  (file) => {
    const consents = consentsOf(file);
    const others = sentencesOf(file).filter(({ intent }) => !CONSENTS.includes(intent));

    it('has consents, refusals and other sentences to compare', () => {
      expect(consents.length).toBeGreaterThan(8);
      expect(
        others.filter(({ intent }) => REFUSING_INTENTS.some((each) => each === intent)).length,
      ).toBeGreaterThan(3);
      expect(others.length).toBeGreaterThan(30);
    });

    it('no consent is a part of a refusal, of an alarm command, or of anything else that can be said', () => {
      for (const consent of consents)
        expect(
          others.filter(({ template }) => isPartOf(consent, template, file)).map(({ text }) => text),
          consent.text,
        ).toEqual([]);
    });

    it('no consent is within one syllable of anything else that can be said', () => {
      for (const consent of consents)
        expect(
          others
            .filter(({ template }) => syllableDistance(consent, template, file) <= 1)
            .map(({ intent, text }) => `${intent}: ${text}`),
          consent.text,
        ).toEqual([]);
    });

    it('no refusal is a part of a consent', () => {
      const refusals = others.filter(({ intent }) => REFUSING_INTENTS.some((each) => each === intent));
      for (const { template, text } of refusals)
        for (const way of waysOf(template, file))
          expect(
            consents.filter(({ words }) => isWithin(units(way, file), words)).map((each) => each.text),
            text,
          ).toEqual([]);
    });

    it('no consent is within one syllable of a consent to something weaker or stronger', () => {
      for (const consent of consents)
        for (const { intent, template } of sentencesOf(file))
          if (CONSENTS.includes(intent) && intent !== consent.intent)
            expect(syllableDistance(consent, template, file), consent.text).toBeGreaterThan(1);
    });
  },
);

describe('the comparison itself', () => {
  const [en, zh] = ['en', 'zh'].map((language) =>
    shippedSentenceFiles().find((file) => file.language === language),
  );
  if (en === undefined || zh === undefined) throw new Error('the English and the Chinese file are shipped');
  const consent = (text: string, file: SentenceFile): Consent => ({
    intent: 'yes',
    text,
    words: units(text.split(' '), file),
    syllables: text.split(' ').flatMap((word) => syllablesOf(word, file.language)),
  });
  const sentence = (text: string): Template => ({
    kind: 'sequence',
    parts: text.split(' ').map((word) => ({ kind: 'word', text: word })),
  });

  it.each([
    ['可以', '不 可以', true],
    ['确认 执行', '不 确认 执行', true],
    ['确认 执行', '确认 不 执行', true],
    ['确认 执行', '确认 报警', false],
    ['确认', '确认 报警', true],
    ['可以', '取消', false],
  ])('%s is what is left of %s: %s', (text, other, expected) => {
    expect(isPartOf(consent(text, zh), sentence(other), zh)).toBe(expected);
  });

  it.each([
    ['确认 执行', '确认 报警', 3],
    ['确认 执行', '确认 停止', 2],
    ['可以', '不 可以', 1],
    ['是', '四', 0],
    ['是', '不是', 1],
  ])('from %s to %s it is at least %d syllables', (text, other, atLeast) => {
    expect(syllableDistance(consent(text, zh), sentence(other), zh)).toBeGreaterThanOrEqual(atLeast);
  });

  it('takes a syllable for another only as far as their sounds are alike', () => {
    expect(syllableDistance(consent('yes', en), sentence('no'), en)).toBe(2);
    expect(syllableDistance(consent('yes', en), sentence('yes yes'), en)).toBe(1);
    expect(syllableDistance(consent('四', zh), sentence('是'), zh)).toBe(0);
    expect(isPartOf(consent('yes', en), sentence('not yes'), en)).toBe(true);
  });
});
