import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { sayResult, unknownPhrases } from '../../../src/app/say-result.ts';
import { createPhrasebook, phraseFileSchema } from '../../../src/domain/phrases/phrasebook.ts';
import { type Say, saySchema } from '../../../src/domain/tool/say.ts';
import { systemClocks } from '../../../src/runtime/clocks.ts';
import { demoPlant } from '../../support/plant-file.ts';

const phraseFile = (language: string) =>
  phraseFileSchema.parse(
    parse(readFileSync(new URL(`../../../config/phrases/${language}.yaml`, import.meta.url), 'utf8')),
  );
const parts = {
  phrases: createPhrasebook({ en: phraseFile('en'), zh: phraseFile('zh') }),
  plant: demoPlant(),
  clocks: { ...systemClocks(), wall: () => new Date('2026-03-05T08:00:00Z') },
  timeZone: 'Asia/Shanghai',
};
const own = {
  all: { en: '{a}.', zh: '{a}。' },
  listed: { en: 'One of {list}.', zh: '其中之一：{list}。' },
  item: { en: '{name}', zh: '{name}' },
};
const said = (say: Say, language: 'en' | 'zh') => sayResult(say, own, parts, language);
const one = (a: Say[number]['values'][string]): Say => [{ phrase: 'all', values: { a } }];

describe('what a tool wants said', () => {
  it.each([
    [{ kind: 'machine' as const, id: 'machine-12' }, 'machine twelve.', '十二号机床。'],
    [{ kind: 'point' as const, machine: 'machine-12', point: 'speed' }, 'speed.', '转速。'],
    [
      { kind: 'value' as const, machine: 'machine-12', point: 'temperature', value: 68.44 },
      'sixty eight point four degrees.',
      '六十八点四度。',
    ],
    [{ kind: 'value' as const, machine: 'machine-12', point: 'mode', value: true }, 'running.', '运行。'],
    [{ kind: 'time' as const, at: '2026-03-05T06:05:00Z' }, 'at fourteen oh five.', '十四点零五分。'],
    [{ kind: 'duration' as const, seconds: 240 }, 'four minutes.', '四分钟。'],
    [{ kind: 'text' as const, en: 'an Excel file', zh: 'Excel 文件' }, 'an Excel file.', 'Excel 文件。'],
    [12, 'twelve.', '十二。'],
  ])('says a value in the language of whoever listens (%#)', (value, en, zh) => {
    expect(said(one(value), 'en')).toBe(en);
    expect(said(one(value), 'zh')).toBe(zh);
  });

  it('says a list in its own phrases', () => {
    const say: Say = [
      {
        phrase: 'listed',
        values: {
          list: {
            kind: 'list',
            items: ['a', 'b'].map((name) => ({ phrase: 'item', values: { name } })),
          },
        },
      },
    ];
    expect(said(say, 'en')).toBe('One of a, b.');
    expect(said(say, 'zh')).toMatch(/^其中之一：a.b。$/u);
  });

  it('says sentences one after the other', () => {
    expect(said([...one('a'), ...one('b')], 'en')).toBe('a. b.');
    expect(said([...one('甲'), ...one('乙')], 'zh')).toBe('甲。乙。');
  });

  it('takes what stands in a value for data, whatever it looks like', () => {
    expect(said(one('{a} {machine} {list}'), 'en')).toBe('{a} {machine} {list}.');
  });

  it('says a time that is none as it is written', () => {
    expect(said(one({ kind: 'time', at: 'soon' }), 'en')).toBe('soon.');
  });

  it('leaves out a sentence that the tool has no phrase for, and names it', () => {
    const say: Say = [
      { phrase: 'constructor', values: {} },
      { phrase: 'listed', values: { list: { kind: 'list', items: [{ phrase: 'missing', values: {} }] } } },
    ];
    expect(said(say, 'en')).toBe('One of.');
    expect(unknownPhrases(say, own)).toEqual(['constructor', 'missing']);
  });

  it('is bounded before it is said', () => {
    expect(saySchema.safeParse(Array.from({ length: 11 }, () => one('a')[0])).success).toBe(false);
    expect(saySchema.safeParse(one('x'.repeat(2001))).success).toBe(false);
  });
});
