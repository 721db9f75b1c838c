import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePeriod } from '../../../../src/domain/history/parse-period.ts';
import type { PeriodSetting } from '../../../../src/domain/history/period.ts';
import { shiftCalendarOf } from '../../../../src/domain/history/shift-calendar.ts';
import { shiftSettingsSchema } from '../../../../src/domain/history/shift-settings.ts';
import { hearPeriod } from '../../../../src/domain/history/spoken-period.ts';

const THREE = ['06:00', '14:00', '22:00'];
const shanghai = (iso: string, shifts: unknown = THREE): PeriodSetting => ({
  nowMs: Date.parse(iso),
  timeZone: 'Asia/Shanghai',
  shifts: shiftCalendarOf(shiftSettingsSchema.parse(shifts)),
});

/** Each reading as the site's clocks show it, with its confidence. */
function heard(text: string, setting: PeriodSetting): readonly string[] {
  const found = hearPeriod(text, setting);
  if (found.kind !== 'heard') return [found.kind];
  const local = (ms: number): string =>
    new Date(ms + 8 * 3_600_000).toISOString().slice(0, 16).replace('T', ' ').replace(' 00:00', '');
  return found.readings.map(
    ({ period, confidence }) =>
      `${local(period.fromMs)} .. ${local(period.toMs)} (${Math.round(confidence * 100) / 100})`,
  );
}

// Thursday, 2026-11-26, 10:30 in Shanghai.
const thursday = shanghai('2026-11-26T02:30:00Z');
// Tuesday, 2026-11-24.
const tuesday = shanghai('2026-11-24T02:30:00Z');

describe('days that people name', () => {
  it.each([
    ['three days ago', '三天前', '2026-11-23 .. 2026-11-24 (1)'],
    ['the 15th of this month', '本月15号', '2026-11-15 .. 2026-11-16 (1)'],
    ['the fifteenth of last month', '上个月十五号', '2026-10-15 .. 2026-10-16 (1)'],
    ['March 15th', '三月十五日', '2026-03-15 .. 2026-03-16 (0.9)'],
    ['the 1st of December 2025', '2025年12月1日', '2025-12-01 .. 2025-12-02 (1)'],
    ['the fifteenth', '15号', '2026-11-15 .. 2026-11-16 (0.9)'],
    ['the 30th', '三十号', '2026-10-30 .. 2026-10-31 (0.65)'],
    ['the third quarter', '第三季度', '2026-07-01 .. 2026-10-01 (0.9)'],
    ['Q3 last year', '去年第三季度', '2025-07-01 .. 2025-10-01 (1)'],
    ['last quarter', '上个季度', '2026-07-01 .. 2026-10-01 (1)'],
    ['last month', '上个月', '2026-10-01 .. 2026-11-01 (1)'],
    ['December', '十二月份', '2025-12-01 .. 2026-01-01 (0.9)'],
    ['last year', '去年', '2025-01-01 .. 2026-01-01 (1)'],
    ['the week before last', '上上周', '2026-11-09 .. 2026-11-16 (1)'],
    ['Wednesday of last week', '上周三', '2026-11-18 .. 2026-11-19 (1)'],
    ['this Wednesday', '这周三', '2026-11-25 .. 2026-11-26 (1)'],
    ['Monday', '星期一', '2026-11-23 .. 2026-11-24 (0.9)'],
    ['yesterday afternoon', '昨天下午', '2026-11-25 12:00 .. 2026-11-25 18:00 (0.8)'],
    ['last night', '昨晚', '2026-11-25 18:00 .. 2026-11-26 06:00 (0.8)'],
    ['this morning', '今天上午', '2026-11-26 06:00 .. 2026-11-26 10:30 (0.8)'],
  ])('%s, %s', (en, zh, expected) => {
    expect(heard(en, thursday)).toEqual([expected]);
    expect(heard(zh, thursday)).toEqual([expected]);
  });

  it('"last Wednesday" on a Tuesday can only be that of the week before', () => {
    expect(heard('last Wednesday', tuesday)).toEqual(['2026-11-18 .. 2026-11-19 (1)']);
  });

  it('"last Wednesday" on a Saturday is most likely three days ago, and may be ten', () => {
    expect(heard('last Wednesday', shanghai('2026-11-28T02:30:00Z'))).toEqual([
      '2026-11-25 .. 2026-11-26 (0.65)',
      '2026-11-18 .. 2026-11-19 (0.35)',
    ]);
  });

  it('"last Wednesday" on a Thursday has to be asked about: who means yesterday says so', () => {
    expect(heard('last Wednesday', thursday)).toEqual([
      '2026-11-18 .. 2026-11-19 (0.5)',
      '2026-11-25 .. 2026-11-26 (0.5)',
    ]);
    expect(() => parsePeriod('last Wednesday', thursday)).toThrow(/can mean 2026-11-18 or 2026-11-25/u);
  });

  it('上周三 is that of the week before on every day of the week', () => {
    const days = [23, 24, 25, 26, 27, 28, 29].map((day) => shanghai(`2026-11-${day}T02:30:00Z`));
    for (const day of days) expect(heard('上周三', day)).toEqual(['2026-11-18 .. 2026-11-19 (1)']);
  });

  it.each(['the 30th of this month', '本月30号', '这周五', 'this Friday', 'December 2026', 'today night'])(
    '%s has not come yet',
    (text) => {
      expect(heard(text, thursday)).toEqual(['future']);
      expect(() => parsePeriod(text, thursday)).toThrow(/has not come yet/u);
    },
  );

  it.each([
    'the 31st of February',
    '2月30号',
    'the fifth quarter',
    '第七季度',
    'wendsday',
    'last',
    '上周八',
    '',
  ])('"%s" is no time', (text) => {
    expect(heard(text, thursday)).toEqual(['unknown']);
  });

  it('an interval of ISO 8601 is taken as it is written', () => {
    const { fromMs, toMs } = parsePeriod('2026-03-01T05:00:00.000Z/2026-03-01T13:00:00.000Z', thursday);
    expect([fromMs, toMs]).toEqual([Date.parse('2026-03-01T05:00Z'), Date.parse('2026-03-01T13:00Z')]);
  });

  it('whatever is said, a reading lies in the past and ends after it begins', () => {
    const words = fc.constantFrom(
      ...'last this Wednesday Friday night shift morning 15th March quarter year month week ago three yesterday'.split(
        ' ',
      ),
      ...['上', '周', '三', '本', '月', '15', '号', '夜班', '昨', '天', '第', '季度', '年', '去'],
    );
    fc.assert(
      fc.property(
        fc.array(words, { maxLength: 6 }),
        fc.integer({ min: 0, max: 800 }),
        fc.boolean(),
        (said, day, spaced) => {
          const setting = { ...thursday, nowMs: thursday.nowMs + day * 86_400_000 };
          const found = hearPeriod(said.join(spaced ? ' ' : ''), setting);
          for (const { period, confidence } of found.kind === 'heard' ? found.readings : []) {
            expect(period.fromMs).toBeLessThan(period.toMs);
            expect(period.toMs).toBeLessThanOrEqual(setting.nowMs);
            expect(confidence).toBeGreaterThan(0);
            expect(confidence).toBeLessThanOrEqual(1);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

const WEEKDAYS_ONLY = {
  times: [
    {
      names: { en: ['day shift'], zh: ['白班'] },
      starts: '06:00',
      ends: '14:00',
      days: ['mon', 'tue', 'wed', 'thu', 'fri'],
    },
    {
      names: { en: ['night shift', 'graveyard shift'], zh: ['夜班'] },
      starts: '22:00',
      ends: '06:00',
      days: ['mon', 'tue', 'wed', 'thu', 'fri'],
    },
  ],
  holidays: ['2026-11-20', '2026-12-24..2026-12-26'],
};

describe('shifts by name', () => {
  it.each([
    ["last Friday's night shift", '上周五夜班', '2026-11-20 22:00 .. 2026-11-21 06:00 (1)'],
    ['the night shift of yesterday', '昨天的夜班', '2026-11-23 22:00 .. 2026-11-24 06:00 (1)'],
    ['last early shift', '上一个早班', '2026-11-23 06:00 .. 2026-11-23 14:00 (1)'],
    ['this early shift', '本早班', '2026-11-24 06:00 .. 2026-11-24 10:30 (1)'],
    ['the late shift', '中班', '2026-11-23 14:00 .. 2026-11-23 22:00 (0.9)'],
    ['2026-11-10 night shift', '2026-11-10夜班', '2026-11-10 22:00 .. 2026-11-11 06:00 (1)'],
  ])('%s, %s', (en, zh, expected) => {
    expect(heard(en, tuesday)).toEqual([expected]);
    expect(heard(zh, tuesday)).toEqual([expected]);
  });

  it('the usual names of two shifts follow from when they begin', () => {
    const two = shanghai('2026-11-24T02:30:00Z', ['20:00', '08:00']);
    expect(heard('last night shift', two)).toEqual(['2026-11-23 20:00 .. 2026-11-24 08:00 (1)']);
    expect(heard('昨天白班', two)).toEqual(['2026-11-23 08:00 .. 2026-11-23 20:00 (1)']);
  });

  it('the last shift of a Monday morning is that of Friday, where nobody works at the weekend', () => {
    const monday = shanghai('2026-11-30T00:30:00Z', WEEKDAYS_ONLY);
    expect(heard('last shift', monday)).toEqual(['2026-11-27 22:00 .. 2026-11-28 06:00 (1)']);
    expect(heard('上一班', monday)).toEqual(['2026-11-27 22:00 .. 2026-11-28 06:00 (1)']);
  });

  it('between two shifts the last one is the one that has ended', () => {
    const afternoon = shanghai('2026-11-25T10:00:00Z', WEEKDAYS_ONLY);
    expect(heard('last shift', afternoon)).toEqual(['2026-11-25 06:00 .. 2026-11-25 14:00 (1)']);
    expect(() => hearPeriod('this shift', afternoon)).toThrow(/no shift runs then/u);
  });

  it('the last shift while two overlap is the one that began before', () => {
    const overlap = shanghai('2026-11-25T06:05:00Z', {
      times: [
        { names: { en: ['early shift'], zh: ['早班'] }, starts: '06:00', ends: '14:15' },
        { names: { en: ['late shift'], zh: ['中班'] }, starts: '14:00', ends: '22:15' },
      ],
    });
    expect(heard('last shift', overlap)).toEqual(['2026-11-25 06:00 .. 2026-11-25 14:15 (1)']);
  });

  it('on a holiday no shift was worked, also when the shift of the day before ran into it', () => {
    const after = shanghai('2026-11-21T02:00:00Z', WEEKDAYS_ONLY);
    expect(heard('yesterday night shift', after)).toEqual(['no_shift']);
    expect(heard('last shift', after)).toEqual(['2026-11-19 22:00 .. 2026-11-20 06:00 (1)']);
    expect(heard('last shift', shanghai('2026-12-27T04:00:00Z', WEEKDAYS_ONLY))).toEqual([
      '2026-12-23 22:00 .. 2026-12-24 06:00 (1)',
    ]);
  });

  it('a shift that the site does not have names those it has', () => {
    expect(heard('last swing shift', tuesday)).toEqual(['no_shift']);
    expect(() => parsePeriod('last swing shift', tuesday)).toThrow(/no such shift was worked/u);
    expect(() => parsePeriod('昨天的大班', tuesday)).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('夜班') }),
    );
  });

  it.each([
    ['2026-02-30', /a day such as/u],
    ['2026-10-07..2026-10-01', /a day such as/u],
    ['Christmas', /a day such as/u],
  ])('%s is no holiday', (holiday, message) => {
    expect(() => shiftSettingsSchema.parse({ ...WEEKDAYS_ONLY, holidays: [holiday] })).toThrow(message);
  });
});
