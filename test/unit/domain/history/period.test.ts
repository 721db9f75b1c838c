import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { localTime, momentOf } from '../../../../src/domain/history/local-time.ts';
import { parsePeriod } from '../../../../src/domain/history/parse-period.ts';
import { type PeriodSetting, periodOf } from '../../../../src/domain/history/period.ts';
import { PERIOD_WORDS, periodNamed } from '../../../../src/domain/history/period-words.ts';
import { NO_SHIFTS, shiftCalendarOf } from '../../../../src/domain/history/shift-calendar.ts';

const SHIFTS = ['06:00', '14:00', '22:00'];
const at = (
  iso: string,
  timeZone = 'Europe/Berlin',
  shiftStarts: readonly string[] = SHIFTS,
): PeriodSetting => ({
  nowMs: Date.parse(iso),
  timeZone,
  shifts: shiftCalendarOf([...shiftStarts]),
});

/** From and to as UTC, and the hours between. */
function told(text: string, setting: PeriodSetting): readonly [string, string, number] {
  const { fromMs, toMs } = parsePeriod(text, setting);
  const short = (ms: number) => new Date(ms).toISOString().slice(0, 16);
  return [short(fromMs), short(toMs), (toMs - fromMs) / 3_600_000];
}

// Wednesday the 14th of January 2026, 10:30 in Berlin, which is an hour ahead of UTC in winter.
const winter = at('2026-01-14T09:30:00Z');

describe('periods by name', () => {
  it.each([
    ['today', '今天', '2026-01-13T23:00', '2026-01-14T09:30'],
    ['yesterday', '昨天', '2026-01-12T23:00', '2026-01-13T23:00'],
    ['the day before yesterday', '前天', '2026-01-11T23:00', '2026-01-12T23:00'],
    ['this shift', '本班', '2026-01-14T05:00', '2026-01-14T09:30'],
    ['last shift', '上一班', '2026-01-13T21:00', '2026-01-14T05:00'],
    ['since Monday', '周一以来', '2026-01-11T23:00', '2026-01-14T09:30'],
    ['since friday', '星期五以来', '2026-01-08T23:00', '2026-01-14T09:30'],
    ['this week', '本周', '2026-01-11T23:00', '2026-01-14T09:30'],
    ['last week', '上周', '2026-01-04T23:00', '2026-01-11T23:00'],
    ['this month', '本月', '2025-12-31T23:00', '2026-01-14T09:30'],
    ['last month', '上个月', '2025-11-30T23:00', '2025-12-31T23:00'],
    ['last hour', '过去一小时', '2026-01-14T08:30', '2026-01-14T09:30'],
    ['Last 24 hours', '过去24小时', '2026-01-13T09:30', '2026-01-14T09:30'],
    ['the past eight hours', '最近八小时', '2026-01-14T01:30', '2026-01-14T09:30'],
    ['last two days', '过去两天', '2026-01-12T09:30', '2026-01-14T09:30'],
    ['last 90 minutes', '过去九十分钟', '2026-01-14T08:00', '2026-01-14T09:30'],
    ['2026-01-10', '2026年1月10日', '2026-01-09T23:00', '2026-01-10T23:00'],
    ['2026-01-10 .. 2026-01-11', '2026年1月10日至2026年1月11日', '2026-01-09T23:00', '2026-01-11T23:00'],
    [
      '2026-01-10 08:00 to 2026-01-10 09:30',
      '2026年1月10日8点00分到2026年1月10日9点30分',
      '2026-01-10T07:00',
      '2026-01-10T08:30',
    ],
  ])('%s, %s', (en, zh, from, to) => {
    expect(told(en, winter).slice(0, 2)).toEqual([from, to]);
    expect(told(zh, winter).slice(0, 2)).toEqual([from, to]);
  });

  it('every form of the table names its period, and no form names two', () => {
    const forms = PERIOD_WORDS.flatMap(({ name, en, zh }) => [...en, ...zh].map((form) => ({ form, name })));
    for (const { form, name } of forms) expect(periodNamed(form)).toEqual(name);
    expect(new Set(forms.map(({ form }) => form)).size).toBe(forms.length);
  });

  it.each([
    ['yesterdy', /Did you mean "yesterday"/u],
    ['last 0 hours', /too much or nothing/u],
    ['2026-02-30', /is no period/u],
    ['2026-01-02 .. 2026-01-01', /ends before/u],
    ['', /is no period/u],
    ['2026-01-01 .. 2026-01-02 .. 2026-01-03', /is no period/u],
  ])('refuses %s and says how to ask', (text, message) => {
    expect(() => parsePeriod(text, winter)).toThrow(message);
  });
});

describe('days on which the clocks change', () => {
  it('have 23 hours in spring and 25 in autumn', () => {
    expect(told('yesterday', at('2026-03-30T10:00:00Z'))).toEqual([
      '2026-03-28T23:00',
      '2026-03-29T22:00',
      23,
    ]);
    expect(told('yesterday', at('2026-10-26T10:00:00Z'))).toEqual([
      '2026-10-24T22:00',
      '2026-10-25T23:00',
      25,
    ]);
    expect(told('yesterday', at('2026-03-09T15:00:00Z', 'America/New_York'))[2]).toBe(23);
    expect(told('last week', at('2026-03-30T10:00:00Z'))[2]).toBe(167);
  });

  it('give the night shift seven hours in spring and nine in autumn', () => {
    expect(told('last shift', at('2026-03-29T05:00:00Z'))).toEqual([
      '2026-03-28T21:00',
      '2026-03-29T04:00',
      7,
    ]);
    expect(told('last shift', at('2026-10-25T06:00:00Z'))).toEqual([
      '2026-10-24T20:00',
      '2026-10-25T05:00',
      9,
    ]);
  });

  it('begin a day whose midnight does not exist at the change', () => {
    // In Beirut the clocks went from 24:00 to 01:00 on the 29th of March 2026.
    const beirut = at('2026-03-29T10:00:00Z', 'Asia/Beirut');
    expect(told('today', beirut)[0]).toBe('2026-03-28T22:00');
    expect(told('yesterday', beirut)[2]).toBe(24);
  });

  it('count "last 24 hours" as 24 hours, and "last 1 days" from the same time of the day before', () => {
    const autumn = at('2026-10-25T10:00:00Z');
    expect(told('last 24 hours', autumn)[2]).toBe(24);
    expect(told('last 1 days', autumn)[2]).toBe(25);
  });
});

describe('shifts', () => {
  it('cross midnight: at one in the night the night shift of the evening before is running', () => {
    const night = at('2026-01-14T00:00:00Z');
    expect(told('this shift', night)).toEqual(['2026-01-13T21:00', '2026-01-14T00:00', 3]);
    expect(told('last shift', night)).toEqual(['2026-01-13T13:00', '2026-01-13T21:00', 8]);
  });

  it('begin at their first minute', () => {
    expect(told('this shift', at('2026-01-14T05:00:00Z'))[0]).toBe('2026-01-14T05:00');
    expect(told('last shift', at('2026-01-14T05:00:00Z'))[1]).toBe('2026-01-14T05:00');
  });

  it('may be two, in any order, in a zone with half an hour', () => {
    const india = at('2026-01-14T09:30:00Z', 'Asia/Kolkata', ['18:30', '06:30']);
    expect(told('last shift', india)).toEqual(['2026-01-13T13:00', '2026-01-14T01:00', 12]);
  });

  it('that are not set are told', () => {
    expect(() => periodOf({ kind: 'this shift' }, { ...winter, shifts: NO_SHIFTS })).toThrow(/no shifts/u);
    expect(() => parsePeriod('last shift', { ...winter, shifts: NO_SHIFTS })).toThrow(/no shifts/u);
  });
});

it('shows and finds back any minute of any zone that the clocks show once', () => {
  const zones = fc.constantFrom(
    'Europe/Berlin',
    'Asia/Shanghai',
    'America/New_York',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'UTC',
  );
  fc.assert(
    fc.property(zones, fc.integer({ min: 0, max: 30_000_000 }), (timeZone, minute) => {
      const atMs = Date.UTC(2000, 0, 1) + minute * 60_000;
      const back = momentOf(localTime(atMs, timeZone), timeZone);
      const same = localTime(back, timeZone);
      expect(same).toEqual(localTime(atMs, timeZone));
      expect(back).toBeLessThanOrEqual(atMs);
    }),
  );
});
