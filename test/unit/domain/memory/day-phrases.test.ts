import { describe, expect, it } from 'vitest';
import { localTime } from '../../../../src/domain/history/local-time.ts';
import { isoDay } from '../../../../src/domain/history/shift-calendar.ts';
import { languageOf } from '../../../../src/domain/language/language.ts';
import { dayPhrases } from '../../../../src/domain/memory/words/day-phrases.ts';
import { WEDNESDAY_MS, ZONE } from './site.ts';

const day = (ms: number | undefined): string | undefined =>
  ms === undefined ? undefined : isoDay(localTime(ms, ZONE));
const said = (text: string) =>
  dayPhrases(text, languageOf(text), { atMs: WEDNESDAY_MS, timeZone: ZONE }).map((phrase) => [
    phrase.text,
    day(phrase.past?.fromMs),
    day(phrase.next?.fromMs),
  ]);

describe('days in the middle of a text', () => {
  it.each([
    ['out of service until Friday', ['Friday', '2026-02-27', '2026-03-06']],
    ['clean it by next Wednesday', ['next Wednesday', undefined, '2026-03-11']],
    ['it broke last Wednesday', ['last Wednesday', '2026-02-25', undefined]],
    ['the day after tomorrow we check', ['the day after tomorrow', undefined, '2026-03-06']],
    ['order it within two weeks', ['within two weeks', undefined, '2026-03-18']],
    ['it was three days ago', ['three days ago', '2026-03-01', undefined]],
    ['in the first week of March', ['the first week of March', '2026-03-01', '2026-03-01']],
    ['due on July 20', ['July 20', '2025-07-20', '2026-07-20']],
    ['due on 2026-03-20', ['2026-03-20', '2026-03-20', '2026-03-20']],
    ['on the 2nd', ['the 2nd', '2026-03-02', '2026-04-02']],
    ['by the end of the month', ['the end of the month', undefined, '2026-03-31']],
    ['停用到周五', ['周五', '2026-02-27', '2026-03-06']],
    ['下周一前更换', ['下周一', undefined, '2026-03-09']],
    ['上周三坏的', ['上周三', '2026-02-25', undefined]],
    ['三天后检查', ['三天后', undefined, '2026-03-07']],
    ['三天前坏的', ['三天前', '2026-03-01', undefined]],
    ['三月第一周检修', ['三月第一周', '2026-03-01', '2026-03-01']],
    ['7月20日到期', ['7月20日', '2025-07-20', '2026-07-20']],
    ['月底前订购', ['月底', undefined, '2026-03-31']],
    ['后天清洗', ['后天', undefined, '2026-03-06']],
  ])('%s', (text, expected) => {
    expect(said(text)).toEqual([expected]);
  });

  it.each([
    'pump seven runs hot',
    'the 3rd pump leaks',
    '三号泵前面的阀',
    '二号线由李娜负责',
    'it may march on',
    '一天到晚响',
  ])('no day is named in: %s', (text) => {
    expect(said(text)).toEqual([]);
  });
});
