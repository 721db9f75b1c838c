import { EdgeError } from '../../runtime/edge-error.ts';
import { didYouMean } from '../../runtime/nearest.ts';
import type { Period, PeriodSetting } from './period.ts';
import { PERIOD_WORDS } from './period-words.ts';
import { hearPeriod, MAX_COUNT, type PeriodReading } from './spoken-period.ts';

/** From here on a reading counts as what was meant; below it somebody has to be asked. */
export const MIN_CONFIDENCE = 0.6;

/**
 * The period that the words mean, in English or Chinese: a day, a week, a month, a shift, a part of a day, an ISO 8601
 * interval, or two dates such as `2026-03-01 .. 2026-03-05 14:00`, of which a date alone is the whole day.
 * Throws EdgeError PERIOD_UNKNOWN, naming the nearest words there are, or the days that could be meant.
 */
export function parsePeriod(text: string, setting: PeriodSetting): Period {
  const heard = hearPeriod(text, setting);
  const written = `"${text.trim()}"`;
  switch (heard.kind) {
    case 'heard': {
      const [best] = heard.readings;
      if (best === undefined || best.confidence < MIN_CONFIDENCE)
        throw unknown(`${written} can mean ${daysOf(heard.readings, setting)}`, 'say the date');
      return best.period;
    }
    case 'backwards':
      throw unknown(`${written} ends before it begins`, 'put the earlier date first');
    case 'too_much':
      throw unknown(`${written} asks for too much or nothing`, `ask for 1 to ${MAX_COUNT}`);
    case 'future':
      throw unknown(`${written} has not come yet`, 'ask for a time that has begun');
    case 'no_shift': {
      const names = setting.shifts.shifts.flatMap((shift) => [...shift.names.en, ...shift.names.zh]);
      if (setting.shifts.shifts.length === 0)
        throw unknown('no shifts are set for this site', 'set when the shifts begin');
      throw unknown(`no such shift was worked: ${written}`, `the shifts are: ${names.join(', ')}`);
    }
    case 'unknown': {
      const words = PERIOD_WORDS.flatMap(({ en, zh }) => [...en, ...zh]);
      throw unknown(
        `${written} is no period.${didYouMean(text.trim().toLowerCase(), words)}`,
        'say "yesterday", "last shift", "last 24 hours", or two dates: 2026-03-01 .. 2026-03-05',
      );
    }
  }
}

function daysOf(readings: readonly PeriodReading[], { timeZone }: PeriodSetting): string {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  return readings.map(({ period }) => format.format(period.fromMs)).join(' or ');
}

function unknown(message: string, hint: string): EdgeError {
  return new EdgeError('PERIOD_UNKNOWN', message, { hint });
}
