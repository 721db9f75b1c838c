import { describe, expect, test } from 'vitest';
import { compileSentences } from '../../../../src/domain/intent/sentence-book.ts';
import { sentenceFileSchema } from '../../../../src/domain/intent/sentence-file.ts';

const chinese = sentenceFileSchema.parse({
  language: 'zh',
  skip_words: ['请'],
  lists: { value: { range: { from: 0, to: 20 } } },
  intents: {
    read: { sentences: ['读取 {machine} [的] 温度', '量 {machine}'] },
    set: { sentences: ['{machine} 设 为 {value} [摄氏]'] },
  },
});
const known = new Set(
  '请 读取 的 温度 设 为 零 一 二 三 四 五 六 七 八 九 十 百 号 机床 泵 A 冷却水'.split(' '),
);
const site = {
  machine: [
    { value: 'm12', spoken: ['12号机床'] },
    { value: 'a1', spoken: ['A1 冷却水泵', '主泵'] },
    { value: 'saw', spoken: ['锯床'] },
  ],
};
const book = compileSentences(chinese, site);

describe('the words of a book', () => {
  test('the vocabulary holds the words of sentences, names and numbers', () => {
    expect(book.vocabulary()).toEqual(
      expect.arrayContaining(['请', '读取', '量', '摄氏', '十', '二', '号机床', 'a', '冷却水泵']),
    );
  });

  test('candidates add the parts of Chinese runs and both cases of letters', () => {
    expect(book.candidates()).toEqual(
      expect.arrayContaining(['号', '机床', '冷却水', '泵', '水泵', 'A', 'a']),
    );
  });

  test('the grammar is written in the words the model knows', () => {
    const grammar = book.grammar({ known });
    expect(grammar).toContain('读取 十 二 号 机床 的 温度');
    expect(grammar).toContain('读取 A 一 冷却水 泵 温度');
    for (const phrase of grammar) for (const word of phrase.split(' ')) expect(known).toContain(word);
  });

  test('each unknown word is named with its place, the nearest known word, and whether there is a way around it', () => {
    expect(book.unknownWords(known)).toEqual([
      {
        word: '量',
        where: 'intents.read sentence 2, "量 {machine}"',
        nearest: undefined,
        blocking: true,
      },
      {
        word: '摄氏',
        where: 'intents.set sentence 1, "{machine} 设 为 {value} [摄氏]"',
        nearest: undefined,
        blocking: false,
      },
      { word: '主', where: 'machine "a1" (A1 冷却水泵, 主泵)', nearest: undefined, blocking: false },
      { word: '锯床', where: 'machine "saw" (锯床)', nearest: '机床', blocking: true },
    ]);
  });

  test('a model that knows nothing leaves an empty grammar', () => {
    expect(book.grammar({ known: new Set() })).toEqual([]);
  });
});

describe('a book that cannot be compiled', () => {
  const compile =
    (file: object, lists = {}) =>
    () =>
      compileSentences(sentenceFileSchema.parse({ language: 'en', ...file }), lists);
  const intent = (...sentences: string[]) => ({ intents: { x: { sentences } } });

  test.each([
    ['a sentence that may be empty', intent('[please] [now]'), {}, 'every word may be left out'],
    ['a slot filled twice', intent('swap {machine} and {machine}'), { machine: [] }, 'is filled twice'],
    [
      'a broken rule that no sentence uses',
      { ...intent('read'), expansion_rules: { odd: 'one (two' } },
      {},
      'expansion_rules.odd',
    ],
    ['a rule within itself', { ...intent('<r>'), expansion_rules: { r: 'go <r>' } }, {}, 'contains itself'],
    [
      'a name without words',
      intent('{machine}'),
      { machine: [{ value: 'x', spoken: ['!!'] }] },
      'machine "x"',
    ],
    ['a skip word without words', { ...intent('read'), skip_words: ['...'] }, {}, 'skip_words'],
    [
      'a list that both file and site give',
      { ...intent('read'), lists: { machine: { range: { from: 1, to: 2 } } } },
      { machine: [] },
      'lists.machine',
    ],
  ])('%s', (_what, file, lists, problem) => {
    expect(compile(file, lists)).toThrow(problem);
  });

  test('rules that double each other are refused before they fill the memory', () => {
    const rules: Record<string, string> = { r0: 'a b' };
    for (let i = 1; i < 30; i++) rules[`r${i}`] = `<r${i - 1}> <r${i - 1}>`;
    expect(compile({ ...intent('<r29>'), expansion_rules: rules })).toThrow('too many forms');
  });

  test('a key the schema does not know is refused', () => {
    expect(sentenceFileSchema.safeParse({ language: 'en', intents: {}, skipwords: [] }).success).toBe(false);
  });
});
