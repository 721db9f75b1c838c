import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileSentences, type SentenceBook } from '../../../../src/domain/intent/sentence-book.ts';
import { type SiteLists, sentenceFileSchema } from '../../../../src/domain/intent/sentence-file.ts';

const english = {
  language: 'en',
  skip_words: ['please', 'hermes', 'thank you'],
  lists: {
    value: { range: { from: -100, to: 1000, decimals: 1 } },
    ordinal: { values: [{ in: 'first', out: 1 }] },
  },
  intents: {
    read: { sentences: ['read [the] {quantity} of [the] {machine}', '(show|read) {machine} {quantity}'] },
    set: { sentences: ['set {machine} to {value}'] },
    stop: { sentences: ['stop'] },
    stop_machine: { sentences: ['stop {machine}'] },
    choose: { sentences: ['[the] {ordinal}', '{machine}'] },
  },
};

const site: SiteLists = {
  machine: [
    { value: 'm12', spoken: ['machine 12'] },
    { value: 'm5', spoken: ['machine five'] },
    { value: 'p01', spoken: ['pump 01'] },
    { value: 'p203', spoken: ['pump 203'] },
    { value: 'a12', spoken: ['line A12', 'the spare'] },
    { value: 'b3', spoken: ['line b-3', 'the spare'] },
    { value: 'm20', spoken: ['machine 20'] },
    { value: 'm25', spoken: ['machine 25'] },
  ],
  quantity: [
    { value: 'temperature', spoken: ['temperature'] },
    { value: 'oil_pressure', spoken: ['oil pressure', 'pressure'] },
  ],
};

const compile = (file: object, lists: SiteLists = {}) =>
  compileSentences(sentenceFileSchema.parse(file), lists);
const book = compile(english, site);

function meaningOf(text: string, from: SentenceBook = book): unknown {
  const outcome = from.match(text);
  if (outcome.kind !== 'match') return outcome.kind;
  const values = Object.entries(outcome.meaning.slots).map(([slot, { value }]) => [slot, value]);
  return [outcome.meaning.intent, Object.fromEntries(values)];
}

describe('a sentence', () => {
  test('is understood with the values of its slots and the words that named them', () => {
    expect(book.match('Read the oil pressure of machine twelve.')).toEqual({
      kind: 'match',
      meaning: {
        intent: 'read',
        slots: {
          quantity: { value: 'oil_pressure', spoken: 'oil pressure' },
          machine: { value: 'm12', spoken: 'machine twelve' },
        },
      },
    });
  });

  test('has to match as a whole', () => {
    expect(meaningOf('read the temperature of machine twelve again')).toBe('none');
    expect(meaningOf('read the temperature of')).toBe('none');
    expect(meaningOf('')).toBe('none');
  });

  test('may hold skip words anywhere between its words, but does not consist of them', () => {
    expect(meaningOf('hermes please read thank you the temperature of please machine 12 please')).toEqual([
      'read',
      { quantity: 'temperature', machine: 'm12' },
    ]);
    expect(meaningOf('hermes please')).toBe('none');
  });

  test('with a sound that is no word is never understood', () => {
    expect(meaningOf('stop')).toEqual(['stop', {}]);
    expect(meaningOf('stop [unk]')).toBe('none');
    expect(meaningOf('[unk] stop')).toBe('none');
  });

  test('that is not understood says which words are unknown', () => {
    expect(book.match('read the blorp of machine 99 please')).toEqual({
      kind: 'none',
      knownWords: 6,
      unknownWords: ['blorp'],
    });
  });

  test('"stop" and "stop pump" are never taken for each other', () => {
    expect(meaningOf('stop')).toEqual(['stop', {}]);
    expect(meaningOf('stop pump one')).toEqual(['stop_machine', { machine: 'p01' }]);
    expect(meaningOf('stop pump')).toBe('none');
    expect(meaningOf('stop the')).toBe('none');
  });
});

describe('a name with a number', () => {
  test.each([
    ['machine 12', 'm12'],
    ['machine twelve', 'm12'],
    ['machine one two', 'm12'],
    ['machine 5', 'm5'],
    ['machine twenty', 'm20'],
    ['machine twenty five', 'm25'],
    ['machine two five', 'm25'],
    ['pump two zero three', 'p203'],
    ['pump two hundred and three', 'p203'],
    ['pump one', 'p01'],
    ['pump zero one', 'p01'],
    ['Line A-12', 'a12'],
    ['line a one two', 'a12'],
    ['line b three', 'b3'],
  ])('%s', (spoken, machine) => {
    expect(meaningOf(spoken)).toEqual(['choose', { machine }]);
  });

  test.each([
    'machine',
    'machine two',
    'machine zero five',
    'machine -5',
    'machine 1 2',
    'pump zero zero one',
  ])('%s names nothing', (spoken) => {
    expect(meaningOf(spoken)).toBe('none');
  });
});

describe('a number', () => {
  test('that was said digit by digit carries its count of digits', () => {
    expect(book.match('set machine 12 to five five')).toMatchObject({
      meaning: { slots: { value: { value: 55, spoken: 'five five', digits: 2 } } },
    });
    expect(book.match('set machine 12 to fifty five')).toMatchObject({
      meaning: { slots: { value: { value: 55, spoken: 'fifty five' } } },
    });
  });

  test('is understood within its range and decimals only', () => {
    expect(meaningOf('set machine 12 to minus one hundred')).toEqual([
      'set',
      { machine: 'm12', value: -100 },
    ]);
    expect(meaningOf('set machine 12 to -100.5')).toBe('none');
    expect(meaningOf('set machine 12 to 2.5')).toEqual(['set', { machine: 'm12', value: 2.5 }]);
    expect(meaningOf('set machine 12 to 2.55')).toBe('none');
    expect(meaningOf('set machine 12 to 2,5')).toBe('none');
    expect(meaningOf('set machine 12 to one thousand and one')).toBe('none');
  });
});

describe('a sentence with several readings', () => {
  test('is a tie of all of them when they explain it equally well', () => {
    expect(book.match('read the temperature of the spare')).toMatchObject({
      kind: 'tie',
      meanings: [{ slots: { machine: { value: 'a12' } } }, { slots: { machine: { value: 'b3' } } }],
    });
  });

  test('is not a tie when they mean the same', () => {
    const twice = compile(
      {
        language: 'en',
        intents: { read: { sentences: ['read [the] {machine}', '(read|show) (the {machine}|{machine})'] } },
      },
      { machine: [{ value: 'm', spoken: ['boiler', 'the boiler'] }] },
    );
    expect(meaningOf('read the boiler', twice)).toEqual(['read', { machine: 'm' }]);
  });

  test('means the one that explains more words', () => {
    const skipping = compile({
      language: 'en',
      skip_words: ['now', 'please now'],
      intents: { stop: { sentences: ['stop'] }, stop_now: { sentences: ['stop [please] now'] } },
    });
    expect(meaningOf('stop now', skipping)).toEqual(['stop_now', {}]);
    expect(meaningOf('stop please now', skipping)).toEqual(['stop_now', {}]);
    expect(meaningOf('now stop', skipping)).toEqual(['stop', {}]);
  });

  test('of two intents is a tie, whatever their order', () => {
    const sentences = { sentences: ['open it'] };
    for (const intents of [
      { one: sentences, two: sentences },
      { two: sentences, one: sentences },
    ])
      expect(compile({ language: 'en', intents }).match('open it').kind).toBe('tie');
  });
});

describe('Chinese', () => {
  const chinese = compile(
    {
      language: 'zh',
      skip_words: ['请', '一下'],
      lists: { value: { range: { from: 0, to: 1000, decimals: 1 } } },
      intents: {
        read: { sentences: ['读取 {machine} [的] 温度'] },
        set: { sentences: ['把 {machine} 设 为 {value}'] },
      },
    },
    {
      machine: [
        { value: 'm12', spoken: ['十二号机床'] },
        { value: 'a12', spoken: ['A12机床'] },
        { value: 'p2', spoken: ['2号泵'] },
      ],
    },
  );

  test.each([
    ['读取十二号机床的温度', ['read', { machine: 'm12' }]],
    ['读取 十 二 号 机床 的 温度', ['read', { machine: 'm12' }]],
    ['请读取一下12号机床温度。', ['read', { machine: 'm12' }]],
    ['读取幺二号机床温度', ['read', { machine: 'm12' }]],
    ['读取Ａ１２机床温度', ['read', { machine: 'a12' }]],
    ['读取 A 十 二 机床 温度', ['read', { machine: 'a12' }]],
    ['读取两号泵的温度', ['read', { machine: 'p2' }]],
    ['把二号泵设为一百二', ['set', { machine: 'p2', value: 120 }]],
    ['把二号泵设为五十五点五', ['set', { machine: 'p2', value: 55.5 }]],
  ])('%s', (text, meaning) => {
    expect(meaningOf(text, chinese)).toEqual(meaning);
  });

  test('shows the words of a slot without the spaces of the recogniser', () => {
    expect(chinese.match('读取 十 二 号 机床 的 温度')).toMatchObject({
      meaning: { slots: { machine: { spoken: '十二号机床' } } },
    });
  });
});

describe('hostile text and templates', () => {
  const part = '[a|a a|b] [(a|b)|[a] b]';
  const nasty = compile(
    {
      language: 'en',
      skip_words: ['a', 'a a', 'b'],
      lists: { value: { range: { from: 0, to: 999_999 } } },
      intents: { x: { sentences: [`${part} `.repeat(10).concat('[{machine}] [{value}] b')] } },
    },
    { machine: Array.from({ length: 100 }, (_, i) => ({ value: `m${i}`, spoken: ['a a', 'a b', 'one'] })) },
  );
  const longestMs = (texts: readonly string[], from: SentenceBook) => {
    let longest = 0;
    for (const text of texts) {
      const startedAt = performance.now();
      from.match(text);
      longest = Math.max(longest, performance.now() - startedAt);
    }
    return longest;
  };

  test('take time in proportion, not without end', () => {
    const texts = ['a', 'a b', 'b a a', 'one', 'one hundred', 'a one'].map((text) =>
      text
        .split(' ')
        .concat(Array<string>(300).fill(text))
        .join(' ')
        .split(' ')
        .slice(0, 299)
        .concat('b')
        .join(' '),
    );
    expect(nasty.match(texts[0] ?? '').kind).not.toBe('none');
    expect(longestMs(texts, nasty)).toBeLessThan(3000);
    expect(longestMs(texts, book)).toBeLessThan(200);
  });

  test('of more than 300 words is not understood', () => {
    expect(book.match(`${'please '.repeat(299)}stop`).kind).toBe('match');
    expect(book.match(`${'please '.repeat(300)}stop`)).toEqual({
      kind: 'none',
      knownWords: 0,
      unknownWords: [],
    });
    expect(book.match('stop'.padEnd(1_000_000)).kind).toBe('none');
  });

  test('no text makes it throw', () => {
    const pieces = fc.constantFrom(
      'stop',
      '[unk]',
      '十',
      '-',
      "'s",
      '\u0000',
      '𠀀',
      '12,',
      '負',
      '\ud800',
      '{x}',
      ' ',
      '__proto__',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string({ unit: 'binary' })), { maxLength: 30 }), (parts) => {
        expect(['match', 'tie', 'none']).toContain(book.match(parts.join('')).kind);
      }),
    );
  });
});

describe('a list that takes any words', () => {
  const notes = {
    language: 'en',
    skip_words: ['hermes'],
    lists: { note: { free: true } },
    intents: {
      remember: { typed: ['(remember|note) [that] {note}'] },
      know: {
        sentences: ['what do you know about [the] {machine}'],
        typed: ['what do you know about {note}'],
      },
    },
  };
  const open = compile(notes, site);

  test('gives what was typed to the end, with its capitals, hyphens and points', () => {
    expect(meaningOf('Hermes, remember that E-203 on P7 means 4.2 bar, not 4!', open)).toEqual([
      'remember',
      { note: 'E-203 on P7 means 4.2 bar, not 4!' },
    ]);
    expect(meaningOf("note the crew doesn't know", open)).toEqual([
      'remember',
      { note: "the crew doesn't know" },
    ]);
  });

  test('gives way to a sentence whose words are all listed', () => {
    expect(meaningOf('what do you know about machine 12', open)).toEqual(['know', { machine: 'm12' }]);
    expect(meaningOf('what do you know about machine 13', open)).toEqual(['know', { note: 'machine 13' }]);
  });

  test('is not filled by nothing', () => {
    expect(meaningOf('remember', open)).toBe('none');
    expect(meaningOf('remember that', open)).toEqual(['remember', { note: 'that' }]);
  });

  test('works in Chinese', () => {
    const chinese = compile({ ...notes, language: 'zh', intents: { remember: { typed: ['记住 {note}'] } } });
    expect(meaningOf('记住七号泵清洗后会发烫，别碰 E-203', chinese)).toEqual([
      'remember',
      { note: '七号泵清洗后会发烫，别碰 E-203' },
    ]);
  });

  test('what is given is the end of what was typed', () => {
    const typed = fc.array(
      fc.constantFrom('E-203', "doesn't", '-5', '4.2', '%', '!', 'a', ' ', '  ', '12,5', '10:30', '泵'),
      {
        maxLength: 12,
      },
    );
    fc.assert(
      fc.property(typed, (parts) => {
        const text = `remember ${parts.join('')}`;
        const outcome = open.match(text);
        if (outcome.kind === 'match')
          expect(text.trim().endsWith(String(outcome.meaning.slots['note']?.value))).toBe(true);
      }),
    );
  });

  test('is refused where a recogniser would have to listen for it', () => {
    expect(() => compile({ ...notes, intents: { remember: { sentences: ['remember {note}'] } } })).toThrow(
      /\{note\} takes any words/u,
    );
  });
});
