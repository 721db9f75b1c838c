import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Language, languageOf } from '../../../../../src/domain/language/language.ts';
import { numberToWords } from '../../../../../src/domain/language/number-to-words.ts';
import { MentionFinder } from '../../../../../src/domain/memory/anchors/mention-finder.ts';
import { compileNames, type NameIndex } from '../../../../../src/domain/memory/anchors/name-index.ts';
import type { Mention } from '../../../../../src/domain/memory/mention.ts';
import { demoNames, line, machine, person } from '../../../../support/anchor-site.ts';

const site = [
  ...demoNames(),
  machine('pump-1', ['pump one'], ['一号泵']),
  machine('pump-4', ['pump four'], ['四号泵']),
  machine('pump-7', ['pump seven'], ['七号泵']),
  machine('filler', ['filler', 'the big filler'], ['灌装机', '大灌']),
  machine('spare', ['pump'], ['泵']),
];
const index = compileNames(site);

function exactMentions(text: string, language: Language, names: NameIndex): readonly Mention[] {
  return new MentionFinder(names).find(text, language);
}

/** What a text names, as `text -> id|id`; ~ for a name that is not exact. */
function named(text: string): string[] {
  return exactMentions(text, languageOf(text), index).map(
    (mention) => `${mention.text} -> ${mention.exact ? '' : '~'}${mention.candidates.join('|')}`,
  );
}

describe('finding what a text names', () => {
  it.each([
    'pump seven',
    'Pump 7',
    'pump-7',
    'PUMP_7',
    'P7',
    'p 7',
    'P-7',
    'p seven',
    'pump no. 7',
    'pump No 7',
    'pump number seven',
    'pump #7',
    'number seven pump',
    'pumps 7',
    '七号泵',
    '7号泵',
    '7 号泵',
    '7#泵',
    '泵7',
    '泵#7',
    '７号泵',
    'ｐｕｍｐ　７',
    '７＃泵',
  ])('takes "%s" for pump seven', (text) => {
    expect(named(text)).toEqual([`${text} -> machine:pump-7`]);
    expect(named(`(${text}), ok`)).toEqual([`${text} -> machine:pump-7`]);
  });

  it.each([
    'pump seventeen',
    'pump seventy',
    'pump seven hundred',
    'pump seven two',
    'pump 77',
    'pump 7.5',
    'pump 07',
    'pump -7',
    'pump 7 1',
    'pump seven point five',
    'P77',
    'P7a',
    'P7-2',
    'P7-b',
    'XP7',
    '3P7',
    'heat-pump 7',
    'pump 17',
    'pump seventh',
    'pump 7th',
    '十七号泵',
    '七十号泵',
    '二十七号泵',
    '17号泵',
    '1 7号泵',
    '七七号泵',
    '一百零七号泵',
    '十月七号泵坏了',
    '3月7号泵坏了',
    '七号泵房',
    '七点五号泵',
    '泵7点坏了',
    '泵7小时前停了',
    '泵7次报警',
    '泵77',
    'check the pump 7 times',
    'an P7 bolt',
    'P7螺栓',
  ])('does not take "%s" for pump seven', (text) => {
    expect(named(text).filter((found) => found.includes('pump-7'))).toEqual([]);
  });

  it.each([
    'pump 14',
    'pump fourteen',
    'pump one four',
    '十四号泵',
    '14号泵',
    '泵14',
    'P14',
    'pump number 14',
  ])('takes "%s" for none of the pumps 1 and 4, nor for the one called pump', (text) =>
    expect(named(text)).toEqual([]),
  );

  it('does not count where nobody counts', () => {
    expect(named('泵一直响')).toEqual(['泵 -> machine:spare']);
    expect(named('check the pump 3 times')).toEqual(['pump -> machine:spare']);
    expect(named('周一三号泵停了')).toEqual(['三号泵 -> machine:pump-3']);
    expect(named('检查一下三号泵')).toEqual(['三号泵 -> machine:pump-3']);
  });

  it('is not sure of a number that may be a day', () => {
    expect(named('泵七号停了')).toEqual(['泵七号 -> ~machine:pump-7']);
  });

  it('finds machines, lines, quantities and people in one text, from left to right', () => {
    expect(named("Engineer Zhang's note: on line two, the pressure of pump 3 and tank b fell")).toEqual([
      'Engineer Zhang -> person:zhang-wei@maintenance',
      'line two -> line:line-2',
      'pressure -> point:pressure',
      'pump 3 -> machine:pump-3',
      'tank b -> machine:tank-b',
    ]);
    expect(named('张工说二号线的三号泵压力低，小李在看B储罐，储罐B和A号电机')).toEqual([
      '张工 -> person:zhang-wei@maintenance',
      '二号线 -> line:line-2',
      '三号泵 -> machine:pump-3',
      '压力 -> point:pressure',
      '小李 -> person:li-na@quality',
      'B储罐 -> machine:tank-b',
      '储罐B -> machine:tank-b',
      'A号电机 -> machine:motor-a',
    ]);
  });

  it('brings everybody and everything that has the name', () => {
    expect(named('ask Zhang')).toEqual(['Zhang -> person:zhang-wei@maintenance|person:zhang-min@production']);
    expect(named('小张去看')).toEqual(['小张 -> person:zhang-wei@maintenance|person:zhang-min@production']);
    const shared = compileNames([
      machine('press-7', ['press seven'], ['七号压机']),
      machine('pump-7', ['pump seven'], ['七号泵']),
    ]);
    expect(exactMentions('P7', 'en', shared)[0]?.candidates).toEqual(['machine:press-7', 'machine:pump-7']);
  });

  it('prefers the longest name, and a declared one to a code made by rule', () => {
    expect(named('water temperature')).toEqual(['water temperature -> point:water-temperature']);
    expect(named('冷却水温度')).toEqual(['冷却水温度 -> point:water-temperature']);
    const declared = compileNames([
      machine('pump-7', ['pump seven'], ['七号泵']),
      machine('press', ['P7'], ['压机']),
    ]);
    expect(exactMentions('P7', 'en', declared)[0]?.candidates).toEqual(['machine:press']);
  });

  it('takes a name with or without its article, but needs the article of a single word', () => {
    expect(named('stop the big filler')).toEqual(['the big filler -> machine:filler']);
    expect(named('stop big filler')).toEqual(['big filler -> machine:filler']);
    expect(named('大灌停了')).toEqual(['大灌 -> machine:filler']);
    const only = compileNames([machine('washer', ['the washer'], ['清洗机'])]);
    expect(exactMentions('a washer under the bolt', 'en', only)).toEqual([]);
    expect(exactMentions('the washer', 'en', only)).toHaveLength(1);
  });

  it('finds no name in a longer word', () => {
    expect(named('pumped the tanker, overspeed, modern')).toEqual([]);
    expect(named('减小张力，紧张工作，二号线圈，部门')).toEqual([]);
    const people = compileNames([person('he-long', ['He Long', 'He', 'Long'], ['张三'])]);
    const found = (text: string) =>
      exactMentions(text, languageOf(text), people).map((mention) => mention.text);
    expect(found('He said it takes long. He left')).toEqual([]);
    expect(found('ask He about it, or he long')).toEqual(['He', 'he long']);
    expect(found('张三一直在，张三十')).toEqual(['张三', '张三']);
    expect(found('张3')).toEqual([]);
  });

  it('keeps a number apart that belongs to the next name', () => {
    expect(named('二号线三号泵')).toEqual(['二号线 -> line:line-2', '三号泵 -> machine:pump-3']);
    expect(named('line 2 pump 3')).toEqual(['line 2 -> line:line-2', 'pump 3 -> machine:pump-3']);
    expect(named('P3压力')).toEqual(['P3 -> machine:pump-3', '压力 -> point:pressure']);
  });

  const digits = fc.integer({ min: 1, max: 120 });
  const many = compileNames(
    Array.from({ length: 120 }, (_, at) =>
      machine(
        `pump-${at + 1}`,
        [`pump ${numberToWords(at + 1, 'en')}`],
        [`${numberToWords(at + 1, 'zh')}号泵`],
      ),
    ).filter((_, at) => at % 3 !== 2),
  );

  it('never takes one number for another', () => {
    const ways = fc.constantFrom(
      (n: number) => `pump ${n}`,
      (n: number) => `pump ${numberToWords(n, 'en')}`,
      (n: number) => `please look at pump no. ${n}, now`,
      (n: number) => `P${n}`,
      (n: number) => `${n}号泵`,
      (n: number) => `看一下${numberToWords(n, 'zh')}号泵的压力`,
      (n: number) => `${n}#泵`,
      (n: number) => `泵${n}停了`,
    );
    fc.assert(
      fc.property(digits, ways, (number, way) => {
        const text = way(number);
        const expected = number % 3 === 0 ? [] : [[`machine:pump-${number}`]];
        expect(exactMentions(text, languageOf(text), many).map(({ candidates }) => candidates)).toEqual(
          expected,
        );
      }),
    );
  });

  it('takes no part of a number for a number', () => {
    fc.assert(
      fc.property(digits, digits, fc.constantFrom('', ' ', '-', '.', '/'), (one, other, between) => {
        const exactly = `machine:pump-${one}${other}`;
        for (const text of [`pump ${one}${between}${other}`, `${one}${between}${other}号泵`])
          for (const { candidates } of exactMentions(text, languageOf(text), many))
            expect(candidates).toEqual([between === '' ? exactly : `machine:pump-${other}`]);
      }),
    );
  });

  it('stays within the text, in order and without overlaps', () => {
    const bits = fc.constantFrom(
      'pump',
      'seven',
      '7',
      '号',
      '泵',
      '七',
      '十',
      ' ',
      '-',
      '#',
      'no.',
      "'s",
      '张',
      '工',
      'Zhang',
      'line',
      'two',
      '二',
      '线',
      'İ',
      '😀',
      '，',
      'p',
      '温度',
      '\n',
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(bits, fc.string({ unit: 'grapheme', maxLength: 3 })), { maxLength: 20 }),
        (parts) => {
          const text = parts.join('');
          let free = 0;
          for (const { start, end, text: own, candidates } of exactMentions(text, languageOf(text), index)) {
            expect(start).toBeGreaterThanOrEqual(free);
            expect(end).toBeGreaterThan(start);
            expect(end).toBeLessThanOrEqual(text.length);
            expect(own).toBe(text.slice(start, end));
            expect(candidates.length).toBeGreaterThan(0);
            free = end;
          }
        },
      ),
    );
  });

  it('takes a line and its machines apart', () => {
    const lines = compileNames([
      line('line-2', ['line two'], ['二号线']),
      machine('line-2-pump', ['line two pump'], ['二号线泵']),
    ]);
    expect(exactMentions('line 2 pump', 'en', lines)[0]?.candidates).toEqual(['machine:line-2-pump']);
    expect(exactMentions('L2', 'en', lines)[0]?.candidates).toEqual(['line:line-2']);
  });
});
