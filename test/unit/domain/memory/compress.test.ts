import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { languageOf } from '../../../../src/domain/language/language.ts';
import { compress } from '../../../../src/domain/memory/compress.ts';
import { findNames, WEDNESDAY_MS, ZONE } from './site.ts';

const said = { atMs: WEDNESDAY_MS, timeZone: ZONE };
const made = (text: string) => compress(text, findNames(text, languageOf(text)), languageOf(text), said);
const named = (text: string) =>
  made(text).entities.map(({ kind, text: name, id }) => `${kind}:${id ?? name}`);

describe('what a text is made into', () => {
  it.each([
    [
      'we did not change the seal on pump two, E203 came again at 195 degrees',
      ['part:seal', 'machine:pump-2', 'code:E-203', 'number:195 degrees'],
    ],
    ['e two oh three on pump seven', ['code:E-203', 'machine:pump-7']],
    ['order 6ES7 214-1AG40 within two weeks', ['part:6ES7 214-1AG40', 'date:2026-03-18']],
    [
      'Zhang and Li Na met, mail to [email:0a1b2c3d4e5f6071]',
      ['person:Zhang', 'person:li-na@maintenance', 'email:[email:0a1b2c3d4e5f6071]'],
    ],
    [
      '七号泵昨天更换了轴承，温度降到一百九十五度',
      ['machine:pump-7', 'date:2026-03-03', 'part:轴承', 'number:一百九十五度'],
    ],
    ['Ｅ－２０３ 在二号线', ['code:E-203', 'line:line-2']],
    ['pump seven, again pump 7', ['machine:pump-7']],
    ['[phone:1234567812345678] and [secret] stay hidden', []],
  ])('names in: %s', (text, expected) => {
    expect(named(text)).toEqual(expected);
  });

  it('a name that is several people, or only like one, is not exact', () => {
    expect(made('Zhang looked at the big pump').entities).toEqual([
      { kind: 'person', text: 'Zhang', exact: false },
      { kind: 'machine', text: 'the big pump', id: 'pump-9', exact: false },
    ]);
  });

  it.each([
    [
      'please replace the seal kit on pump seven by Friday',
      { type: 'replace', target: 'seal kit', deadline: '2026-03-06' },
    ],
    ['we did not change the seal on pump two', { type: 'replace', target: 'seal', done: false }],
    ['Zhang cleaned the filter yesterday', { type: 'clean', target: 'filter', done: true }],
    ['call Li Na tomorrow', { type: 'inform', target: 'Li Na', deadline: '2026-03-05' }],
    [
      'tighten the bolts within two hours',
      { type: 'tighten', target: 'bolts', deadline: '2026-03-04T04:00:00.000Z' },
    ],
    ['the fan must be checked by July 20', { type: 'inspect', deadline: '2026-07-20' }],
    ['replace the filter by 2026-02-20', { type: 'replace', target: 'filter', deadline: '2026-02-20' }],
    ['没有更换七号泵的密封件', { type: 'replace', target: '七号泵的密封件', done: false }],
    ['七号泵昨天更换了轴承', { type: 'replace', target: '轴承', done: true }],
    ['请下周一前清洗二号炉的滤网', { type: 'clean', target: '二号炉的滤网', deadline: '2026-03-09' }],
    ['张工已经通知了李娜', { type: 'inform', target: '李娜', done: true }],
    ['记得月底前校准传感器', { type: 'calibrate', target: '传感器', deadline: '2026-03-31' }],
  ])('the deed in: %s', (text, expected) => {
    const [deed] = made(text).deeds;
    const { deadline, ...rest } = expected as { readonly deadline?: string };
    expect(deed).toEqual(deadline === '2026-02-20' ? rest : expected);
  });

  it.each([
    'the filter is clean',
    'we call pump seven the screamer',
    'work order 12 is open',
    'the emergency stop is red',
    '换班时间',
  ])('nothing is done in: %s', (text) => {
    expect(made(text).deeds).toEqual([]);
  });

  it.each([
    [
      'Well, um, could you please remember that pump seven is not to run above 4.5 bar, thank you',
      'pump seven is not to run above 4.5 bar',
    ],
    ['你好，麻烦你记一下，七号泵不能超过四点五巴，谢谢', '七号泵不能超过四点五巴'],
  ])('politeness and fillers are left out: %s', (text, expected) => {
    expect(made(text).summary).toBe(expected);
  });

  it('of a long text the clauses with names, numbers and negations stay', () => {
    const talk = 'the weather was fine and we had a long walk around the yard. ';
    const text = `${talk.repeat(4)}Pump seven did not reach 4.5 bar after E-203. ${talk.repeat(4)}`;
    const { summary } = made(text);
    expect(summary.length).toBeLessThanOrEqual(200);
    expect(summary).toContain('Pump seven did not reach 4.5 bar after E-203.');
  });
});

describe('whatever the text', () => {
  const piece = fc.constantFrom(
    'pump seven ',
    'E-203 ',
    'not ',
    '4.5 bar ',
    'please ',
    'replace ',
    'the seal ',
    'by Friday ',
    'Li Na ',
    ', ',
    '. ',
    '[email:0a1b2c3d4e5f6071] ',
    '七号泵',
    '没有',
    '更换',
    '密封件',
    '，',
    '。',
    '请',
    '一百九十五度',
    '下周一前',
    '谢谢',
    'um ',
    '6ES7 214-1AG40 ',
    '\u{1F600}',
  );
  const texts = fc.oneof(
    fc.array(piece, { minLength: 1, maxLength: 60 }).map((parts) => parts.join('')),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 600 }),
  );

  it('it is made into the same twice, and the summary is a part of it, in its order, of at most 200 characters', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { summary, ...rest } = made(text);
        expect({ summary, ...rest }).toEqual(made(text));
        expect(summary.length).toBeLessThanOrEqual(200);
        let at = 0;
        for (const sign of summary.replace(/\s/gu, '')) {
          at = text.indexOf(sign, at);
          expect(at).toBeGreaterThanOrEqual(0);
          at += sign.length;
        }
      }),
    );
  });

  it('the summary of a sentence names what the sentence names', () => {
    const sentence = fc.tuple(
      fc.constantFrom('please ', 'um, ', '', 'hey Hermes, '),
      fc.constantFrom('pump seven', 'line two', 'Li Na'),
      fc.constantFrom(
        ' did not reach 4.5 bar',
        ' had E-203 at 195 degrees',
        ' needs 6ES7 214-1AG40',
        ' is off until Friday',
      ),
      fc.constantFrom('', ', thank you', ', you know', ' please'),
    );
    fc.assert(
      fc.property(sentence, (parts) => {
        const text = parts.join('');
        expect(made(made(text).summary).entities).toEqual(made(text).entities);
      }),
    );
  });

  it('no deadline is before the day it was said', () => {
    const when = fc.constantFrom(
      'by Friday',
      'by Wednesday',
      'today',
      'by July 20',
      'by March 1',
      'next week',
      'by the 2nd',
      'yesterday',
      'last Monday',
      '2020-01-01',
      'within three days',
      '周五前',
      '三月一号',
      '上周三',
      '月底前',
      '本周三',
    );
    fc.assert(
      fc.property(when, fc.integer({ min: 0, max: 800 }), (words, days) => {
        const at = { atMs: WEDNESDAY_MS + days * 86_400_000, timeZone: ZONE };
        const text = `replace the seal ${words} 更换密封件`;
        for (const language of ['en', 'zh'] as const)
          for (const { deadline } of compress(text, [], language, at).deeds)
            if (deadline !== undefined)
              expect(Date.parse(`${deadline.slice(0, 10)}T23:59:59+08:00`)).toBeGreaterThanOrEqual(at.atMs);
      }),
    );
  });
});
