import { EdgeError } from '../../runtime/edge-error.ts';
import { localTime, momentOf, weekdayOf } from './local-time.ts';
import type { PeriodName } from './period-words.ts';
import { type ShiftCalendar, type ShiftRun, shiftAt, shiftBefore } from './shift-calendar.ts';

/** Wall times in milliseconds since 1970; `toMs` is not included. */
export interface Period {
  readonly fromMs: number;
  readonly toMs: number;
}

/** What a period depends on besides its name. */
export interface PeriodSetting {
  readonly nowMs: number;
  /** IANA name of the zone the site lives by, such as `Asia/Shanghai`. */
  readonly timeZone: string;
  readonly shifts: ShiftCalendar;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * A named period up to now, or one that has ended. Days, weeks and shifts are those of the site's clocks: a day in which
 * they change has 23 or 25 hours. Throws EdgeError PERIOD_UNKNOWN when a shift is asked for and none are set.
 */
export function periodOf(name: PeriodName, setting: PeriodSetting): Period {
  const { nowMs, timeZone } = setting;
  const today = localTime(nowMs, timeZone);
  const midnight = (days: number): number =>
    momentOf({ ...today, day: today.day + days, hour: 0, minute: 0 }, timeZone);
  const sinceMonday = 1 - weekdayOf(today);
  const upToNow = (fromMs: number): Period => ({ fromMs: Math.min(fromMs, nowMs), toMs: nowMs });
  switch (name.kind) {
    case 'today':
      return upToNow(midnight(0));
    case 'yesterday':
      return { fromMs: midnight(-1), toMs: midnight(0) };
    case 'day before yesterday':
      return { fromMs: midnight(-2), toMs: midnight(-1) };
    case 'this week':
      return upToNow(midnight(sinceMonday));
    case 'last week':
      return { fromMs: midnight(sinceMonday - 7), toMs: midnight(sinceMonday) };
    case 'this month':
      return upToNow(momentOf({ ...today, day: 1, hour: 0, minute: 0 }, timeZone));
    case 'last month':
      return {
        fromMs: momentOf({ ...today, month: today.month - 1, day: 1, hour: 0, minute: 0 }, timeZone),
        toMs: momentOf({ ...today, day: 1, hour: 0, minute: 0 }, timeZone),
      };
    case 'this shift':
      return upToNow(worked(shiftAt(setting.shifts, nowMs, timeZone), setting).fromMs);
    case 'last shift':
      return worked(shiftBefore(setting.shifts, nowMs, timeZone), setting);
    case 'since weekday': {
      // On a Monday, "since Monday" is since this morning.
      const days = (weekdayOf(today) - name.weekday + 7) % 7;
      return upToNow(midnight(-days));
    }
    case 'last minutes':
      return { fromMs: nowMs - name.count * MINUTE_MS, toMs: nowMs };
    case 'last hours':
      return { fromMs: nowMs - name.count * HOUR_MS, toMs: nowMs };
    case 'last days':
      return upToNow(momentOf({ ...today, day: today.day - name.count }, timeZone) + today.second * 1000);
  }
}

function worked(run: ShiftRun | undefined, { shifts }: PeriodSetting): Period {
  if (run !== undefined) return { fromMs: run.fromMs, toMs: run.toMs };
  if (shifts.shifts.length === 0)
    throw unknown('no shifts are set for this site', 'set when the shifts begin');
  throw unknown('no shift runs then', 'ask for the last shift, or for a day');
}

function unknown(message: string, hint: string): EdgeError {
  return new EdgeError('PERIOD_UNKNOWN', message, { hint });
}
