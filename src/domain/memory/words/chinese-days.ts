import { weekdayOf } from '../../history/local-time.ts';
import { wholeNumber } from '../../history/period-words.ts';
import { counted, countedMs, DAYS_AWAY, type DayForm, ISO, weeksOf } from './day-counts.ts';
import {
  away,
  date,
  dayOfMonth,
  endOf,
  endOfMonth,
  month,
  plus,
  week,
  weekday,
  weekOfMonth,
  wholeMonth,
} from './day-ranges.ts';

const HAN_WEEKDAYS = '一二三四五六日';
const HAN_NUMBER = '[零一二三四五六七八九十两\\d]{1,3}';

/** The longest forms first: what they have taken is not looked at again. */
export const CHINESE_DAYS: readonly DayForm[] = [
  ISO,
  {
    form: new RegExp(`(?:(\\d{4})年)?(${HAN_NUMBER})月(${HAN_NUMBER})[号日]`, 'gu'),
    days: ([year = '', m = '', d = ''], today) =>
      date(wholeNumber(m, 'zh') ?? 0, wholeNumber(d, 'zh') ?? 0, year, today),
  },
  {
    form: new RegExp(`(${HAN_NUMBER})月份?的?(?:第([一二三四1-4])|(最后)一?)个?(?:周|星期|礼拜)`, 'gu'),
    days: ([m = '', nth = '', last = ''], today) =>
      weekOfMonth(wholeNumber(m, 'zh') ?? 0, last === '' ? (wholeNumber(nth, 'zh') ?? -1) : 0, today),
  },
  {
    form: new RegExp(`(?:本月|这个月)(${HAN_NUMBER})[号日]`, 'gu'),
    days: ([d = ''], today) => date(today.month, wholeNumber(d, 'zh') ?? 0, String(today.year), today),
  },
  {
    form: /(大后天|大前天|[今明昨当][天日]|[今昨明][晚早夜]|[前后]天|前日)/gu,
    days: ([name = ''], today) => away(today, DAYS_AWAY[name] ?? 0),
  },
  {
    form: /(上上|上|这|本|下下|下)个?(?:周|星期|礼拜)([一二三四五六日天])/gu,
    days: ([which = '', name = ''], today) =>
      weekday(HAN_WEEKDAYS.indexOf(name.replace('天', '日')) + 1, weeksOf(which), today),
  },
  {
    form: /(?:周|星期|礼拜)([一二三四五六日天])/gu,
    days: ([name = ''], today) =>
      weekday(HAN_WEEKDAYS.indexOf(name.replace('天', '日')) + 1, undefined, today),
  },
  { form: /(?:这|本)?周末/gu, days: (_, today) => ({ next: plus(today, 6 - weekdayOf(today), 2) }) },
  {
    form: /(上上|上|这|本|下)个?(?:周|星期|礼拜)(?![一二三四五六日天末])/gu,
    days: ([which = ''], today) => week(weeksOf(which), today),
  },
  {
    form: /(下个?|本|这个)?月[底末]/gu,
    days: ([which = ''], today) => endOfMonth(which.startsWith('下') ? 1 : 0, today),
  },
  { form: /(上|这|本|下)个?月/gu, days: ([which = ''], today) => month(weeksOf(which), today) },
  { form: /下班|交班/gu, days: (_, today) => away(today, 0) },
  { form: /年底/gu, days: (_, today) => endOf('year', today) },
  {
    form: /([一二三四五六七八九十两半\d]{1,3})个?(天|周|星期|礼拜)(?:后|之后|以后|内|之内|以内)/gu,
    days: ([number = '', unit = ''], today) => counted(number, unit, 'zh', 1, today),
  },
  {
    form: /([一二三四五六七八九十两\d]{1,3})个?(天|周|星期|礼拜)(?:以前|之前|前)/gu,
    days: ([number = '', unit = ''], today) => counted(number, unit, 'zh', -1, today),
  },
  {
    form: /([一二三四五六七八九十两半\d]{1,3})个?(小时|钟头|分钟)(?:后|之后|以后|内|之内|以内)/gu,
    afterMs: ([number = '', unit = '']) => countedMs(number, unit, 'zh', 1),
  },
  {
    form: /([一二三四五六七八九十两半\d]{1,3})个?(小时|钟头|分钟)(?:以前|之前|前)/gu,
    afterMs: ([number = '', unit = '']) => countedMs(number, unit, 'zh', -1),
  },
  {
    form: new RegExp(`(?<![\\d年])(\\d{4}年)?(${HAN_NUMBER})月份?(?![\\d零一二三四五六七八九十])`, 'gu'),
    days: ([year = '', m = ''], today) =>
      wholeMonth(wholeNumber(m, 'zh') ?? 0, year.replace('年', ''), today),
  },
  {
    form: new RegExp(
      `(?<![\\d零一二三四五六七八九十])(${HAN_NUMBER})[号日](?=(?:之前|以前|前)(?![面端方]))`,
      'gu',
    ),
    days: ([d = ''], today) => dayOfMonth(wholeNumber(d, 'zh') ?? 0, today),
  },
];
