import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadPinyin } from '../../../../../src/adapters/speech/load-pinyin.ts';
import { languageOf } from '../../../../../src/domain/language/language.ts';
import { MentionFinder } from '../../../../../src/domain/memory/anchors/mention-finder.ts';
import { compileNames } from '../../../../../src/domain/memory/anchors/name-index.ts';
import {
  englishSound,
  nearSyllable,
  type Romanise,
} from '../../../../../src/domain/memory/anchors/near-sounds.ts';
import { demoNames, machine, person } from '../../../../support/anchor-site.ts';

const site = [
  ...demoNames(),
  machine('pump-4', ['pump four'], ['四号泵']),
  machine('pump-7', ['pump seven'], ['七号泵']),
  machine('pump-10', ['pump ten'], ['十号泵']),
  machine('press-4', ['press four'], ['四号压机']),
  person('chen-nan@quality', ['Chen Nan'], ['陈楠']),
];
let romanise: Romanise | undefined;
const finder = new MentionFinder(compileNames(site), () => romanise);

function named(text: string, likeness = true): string[] {
  return finder
    .find(text, languageOf(text), { likeness })
    .map((mention) => `${mention.text} -> ${mention.exact ? '' : '~'}${mention.candidates.join('|')}`);
}

beforeAll(async () => {
  romanise = await loadPinyin();
});

describe('what is only like a name', () => {
  it.each([
    ['jump seven stopped', 'jump seven -> ~machine:pump-7'],
    ['look at convayor two', 'convayor two -> ~machine:conveyor-2'],
    ['con veyor 2', 'con veyor 2 -> ~machine:conveyor-2'],
    ['ask jang way', 'jang way -> ~person:zhang-wei@maintenance'],
    ['the presure', 'presure -> ~point:pressure'],
    ['七号崩停了', '七号崩 -> ~machine:pump-7'],
    ['7号嘣停了', '7号嘣 -> ~machine:pump-7'],
    ['问问章工', '章工 -> ~person:zhang-wei@maintenance'],
    ['问问陈兰', '陈兰 -> ~person:chen-nan@quality'],
    ['二号书送带', '二号书送带 -> ~machine:conveyor-2'],
    ['压丽低', '压丽 -> ~point:pressure'],
  ])('finds in "%s": %s', (text, found) => {
    expect(named(text)).toEqual([found]);
    expect(named(text, false)).toEqual([]);
  });

  it.each([
    'jump seventeen',
    'jump 14',
    'jump seven two',
    'jump 7.5',
    'P77',
    'jump',
    'thank you',
    'pimp 11',
    '十七号崩',
    '是号泵',
    '事号泵',
    '式号泵',
    '石号泵',
    '期号泵',
    '77号崩',
    '崩',
    'the press 4 times',
  ])('finds nothing in "%s"', (text) => expect(named(text)).toEqual([]));

  it('asks which one, where a word only sounds like a number', () => {
    expect(named('pump for stopped')).toEqual([
      'pump for -> ~machine:pump-4|machine:pump-3|machine:pump-7|machine:pump-10',
    ]);
    expect(named('press for the guard')).toEqual([]);
    expect(named('pump for stopped', false)).toEqual([]);
  });

  it('leaves exact names as they are', () => {
    expect(named('jump seven and pump seven')).toEqual([
      'jump seven -> ~machine:pump-7',
      'pump seven -> machine:pump-7',
    ]);
    expect(named('章工说四号泵')).toEqual([
      '章工 -> ~person:zhang-wei@maintenance',
      '四号泵 -> machine:pump-4',
    ]);
  });

  it('knows no sounds of characters before their dictionary is there', () => {
    const deaf = new MentionFinder(compileNames(site));
    expect(deaf.find('问问章工', 'zh', { likeness: true })).toEqual([]);
    expect(deaf.find('jump seven', 'en', { likeness: true })).toHaveLength(1);
  });

  it('keeps the sounds that a recogniser mixes up together, and others apart', () => {
    const near = (one: string, other: string) => nearSyllable(one) === nearSyllable(other);
    for (const [one, other] of [
      ['zhang1', 'zang4'],
      ['chi', 'ci'],
      ['shi', 'si'],
      ['nan', 'lan'],
      ['hui', 'fei'],
      ['fu', 'hu'],
      ['xing', 'xin'],
    ] as const)
      expect(near(one, other)).toBe(true);
    expect(near('beng', 'ban')).toBe(false);
    expect(near('gong', 'gon')).toBe(false);
    expect(englishSound('conveyor')).toBe(englishSound('konvayer'));
    expect(englishSound('pump')).not.toBe(englishSound('tank'));
  });

  it('never crosses a number, whatever the words around it sound like', () => {
    const words = fc.constantFrom('pump', 'jump', 'pamp', 'press', 'pres', 'conveyer', 'the', 'for', 'to');
    const numbers = fc.constantFrom(
      '4',
      '7',
      '10',
      '14',
      '17',
      '40',
      '47',
      'four',
      'seven',
      'fourteen',
      'ten',
    );
    const value: Record<string, string> = { four: '4', seven: '7', fourteen: '14', ten: '10' };
    fc.assert(
      fc.property(words, numbers, words, (one, number, other) => {
        for (const { text, candidates } of finder.find(`${one} ${number} ${other}`, 'en', { likeness: true }))
          if (text.includes(number))
            for (const id of candidates) expect(id.endsWith(`-${value[number] ?? number}`)).toBe(true);
      }),
    );
    const han = fc.constantFrom('泵', '崩', '号', '压', '丫', '机', '四', '十', '七', '是', '期', '一');
    fc.assert(
      fc.property(fc.array(han, { minLength: 2, maxLength: 8 }), (characters) => {
        const numberOf: Record<string, string> = {
          'pump-4': '四',
          'pump-7': '七',
          'pump-10': '十',
          'press-4': '四',
          'pump-3': '三',
        };
        for (const { text, candidates } of finder.find(characters.join(''), 'zh', { likeness: true }))
          for (const id of candidates) {
            const number = numberOf[id.replace('machine:', '')];
            if (number !== undefined) expect(text.replace(/[^四十七三一]/gu, '')).toBe(number);
          }
      }),
    );
  });
});
