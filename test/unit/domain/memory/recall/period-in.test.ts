import { describe, expect, it } from 'vitest';
import { shiftCalendarOf } from '../../../../../src/domain/history/shift-calendar.ts';
import { periodIn } from '../../../../../src/domain/memory/recall/period-in.ts';

/** A Thursday. */
const NOW = Date.parse('2026-04-16T10:00:00+08:00');
const SETTING = {
  nowMs: NOW,
  timeZone: 'Asia/Shanghai',
  shifts: shiftCalendarOf({
    times: [
      { names: { en: ['day shift'], zh: ['早班'] }, starts: '06:00', ends: '14:00', days: DAYS() },
      { names: { en: ['late shift'], zh: ['中班'] }, starts: '14:00', ends: '22:00', days: DAYS() },
      { names: { en: ['night shift'], zh: ['夜班'] }, starts: '22:00', ends: '06:00', days: DAYS() },
    ],
    holidays: [],
  }),
};

function DAYS(): ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[] {
  return ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
}

function spanOf(text: string): string | undefined {
  const found = periodIn(text, SETTING);
  if (found === undefined) return undefined;
  const local = (ms: number): string => new Date(ms + 8 * 3_600_000).toISOString().slice(0, 16);
  return `${local(found.period.fromMs)} ${local(found.period.toMs)}`;
}

describe('the time within a question', () => {
  it.each([
    ['what did we do on pump seven yesterday?', '2026-04-15T00:00 2026-04-16T00:00'],
    ['七号泵昨天怎么了', '2026-04-15T00:00 2026-04-16T00:00'],
    ['what did the night shift do', '2026-04-15T22:00 2026-04-16T06:00'],
    ['前天夜班干了什么', '2026-04-14T22:00 2026-04-15T06:00'],
    ['who changed the filter last week', '2026-04-06T00:00 2026-04-13T00:00'],
    ['上周三谁修的输送机', '2026-04-08T00:00 2026-04-09T00:00'],
    ['what broke in March on line two', '2026-03-01T00:00 2026-04-01T00:00'],
    ['三月份换过几次皮带', '2026-03-01T00:00 2026-04-01T00:00'],
    ['what happened three days ago', '2026-04-13T00:00 2026-04-14T00:00'],
  ])('"%s"', (text, span) => {
    expect(spanOf(text)).toBe(span);
  });

  it.each(['where are the seal kits', '备件放在哪里', 'the may be a problem with pump seven'])(
    'finds none in "%s"',
    (text) => {
      expect(spanOf(text)).toBeUndefined();
    },
  );
});
