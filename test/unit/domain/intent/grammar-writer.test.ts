import { describe, expect, test } from 'vitest';
import { compileSentences } from '../../../../src/domain/intent/sentence-book.ts';
import { sentenceFileSchema } from '../../../../src/domain/intent/sentence-file.ts';
import { parseTemplate, type Template } from '../../../../src/domain/intent/template.ts';

const sentences = [
  '(read|show [me]) [the] {quantity} (of|on) [the] {machine} [now]',
  'is {machine} [(very|quite) [very]] hot',
  'set {machine} to {value} [bar|(rpm [max])]',
  'stop',
];
const machines = ['machine twelve', 'machine twenty one', 'big pump', 'boiler'];
const quantities = ['oil pressure', 'speed'];

const file = sentenceFileSchema.parse({
  language: 'en',
  skip_words: ['please', 'thank you'],
  lists: { value: { range: { from: 0, to: 12 } } },
  intents: { x: { sentences: sentences.slice(0, 3) }, stop: { sentences: sentences.slice(3) } },
});
const site = {
  machine: machines.map((name) => ({ value: name, spoken: [name] })),
  quantity: quantities.map((name) => ({ value: name, spoken: [name] })),
};
const book = compileSentences(file, site);
const known = new Set(book.vocabulary());
const numbers = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** Every sentence of a template, the long way. */
function expand(template: Template): string[] {
  switch (template.kind) {
    case 'word':
      return [template.text];
    case 'list':
      return { machine: machines, quantity: quantities, value: numbers }[template.list] ?? [];
    case 'optional':
      return ['', ...expand(template.part)];
    case 'choice':
      return template.options.flatMap(expand);
    case 'sequence':
      return template.parts
        .map(expand)
        .reduce((heads, tails) => heads.flatMap((head) => tails.map((tail) => `${head} ${tail}`)));
  }
}

function pairsOf(phrases: readonly string[]): Set<string> {
  return new Set(
    phrases.flatMap((phrase) => {
      const words = ['<s>', ...phrase.split(' ').filter((word) => word !== ''), '</s>'];
      return words.slice(1).map((word, i) => `${words[i]} ${word}`);
    }),
  );
}

describe('the grammar of a book', () => {
  const everySentence = sentences.flatMap((text) =>
    expand(parseTemplate(text, '', { lists: new Set(['machine', 'quantity', 'value']), rules: new Map() })),
  );

  test('has every pair of neighbouring words that some sentence has, in far fewer phrases', () => {
    const grammar = book.grammar({ known, minPhrases: 0 });
    const missing = [...pairsOf(everySentence)].filter((pair) => !pairsOf(grammar).has(pair));
    expect(missing).toEqual([]);
    expect(grammar.length).toBeLessThan(everySentence.length / 2);
  });

  test('has each skip word in front of each first word', () => {
    const pairs = pairsOf(book.grammar({ known, minPhrases: 0 }));
    for (const first of ['read', 'show', 'is', 'set', 'stop']) {
      expect(pairs).toContain(`please ${first}`);
      expect(pairs).toContain(`you ${first}`);
    }
  });

  test('says nothing that does not match', () => {
    for (const phrase of book.grammar({ known })) expect(book.match(phrase).kind).toBe('match');
  });

  test('gives a short command its share of the phrases', () => {
    const grammar = book.grammar({ known, minPhrases: 1500 });
    expect(grammar).toHaveLength(1500);
    const share = grammar.filter((phrase) => phrase === 'stop').length / grammar.length;
    expect(share).toBeGreaterThan(0.1);
  });

  test('is the same each time', () => {
    expect(book.grammar({ known })).toEqual(compileSentences(file, site).grammar({ known }));
  });

  test('keeps to its limit and then still has every kind of sentence', () => {
    const grammar = book.grammar({ known, maxPhrases: 20 });
    expect(grammar).toHaveLength(20);
    for (const begin of ['read', 'is', 'set', 'stop'])
      expect(grammar.some((phrase) => phrase.startsWith(begin))).toBe(true);
  });

  test('leaves out what holds an unknown word, and only that', () => {
    const grammar = book.grammar({
      known: new Set([...known].filter((word) => word !== 'big' && word !== 'of')),
    });
    const pairs = pairsOf(grammar);
    expect(grammar.filter((phrase) => /\b(of|big|pump)\b/.test(phrase))).toEqual([]);
    expect(pairs).toContain('speed on');
    expect(pairs).toContain('is boiler');
  });

  test('stays within its limit with a thousand names', () => {
    const kinds = 'machine pump line motor valve tank conveyor oven press boiler'.split(' ');
    const large = compileSentences(file, {
      ...site,
      machine: Array.from({ length: 1000 }, (_, i) => ({
        value: `m${i}`,
        spoken: [`${kinds[i % 10]} ${Math.floor(i / 10) + 1}`],
      })),
    });
    const grammar = large.grammar({ known: new Set(large.vocabulary()) });
    expect(grammar.length).toBeGreaterThanOrEqual(1500);
    expect(grammar.length).toBeLessThanOrEqual(3000);
    expect(pairsOf(grammar)).toContain('pump ninety');
  });
});
