import { ENGLISH_BELOW_TWENTY, ENGLISH_TENS } from '../../language/number-words.ts';
import { counted, countedMs, DAYS_AWAY, type DayForm, ISO, weeksOf } from './day-counts.ts';
import {
  away,
  date,
  dayOfMonth,
  endOf,
  month,
  onlyOne,
  week,
  weekday,
  weekOfMonth,
  wholeMonth,
} from './day-ranges.ts';

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const WEEKDAY = WEEKDAYS.join('|');
const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);
const MONTH = MONTHS.join('|');
const ORDINALS = ['first', 'second', 'third', 'fourth'];
const NUMBERS = [...ENGLISH_BELOW_TWENTY, ...ENGLISH_TENS].join('|');
const WORD_NUMBER = `\\d{1,3}|an?|(?:${NUMBERS})(?:[ -](?:${NUMBERS}))?`;

/** The longest forms first: what they have taken is not looked at again. */
export const ENGLISH_DAYS: readonly DayForm[] = [
  ISO,
  {
    form: new RegExp(`\\bthe (first|second|third|fourth|last) week (?:of|in) (${MONTH})\\b`, 'gu'),
    days: ([nth = '', name = ''], today) =>
      weekOfMonth(MONTHS.indexOf(name) + 1, ORDINALS.indexOf(nth) + 1, today),
  },
  {
    form: new RegExp(
      `\\b(${MONTH}) (?:the )?(\\d{1,2})(?:st|nd|rd|th)?(?:,? (\\d{4}))?\\b(?! (?:degrees|bar|percent))`,
      'gu',
    ),
    days: ([name = '', day, year = ''], today) => date(MONTHS.indexOf(name) + 1, Number(day), year, today),
  },
  {
    form: new RegExp(`\\b(?:the )?(\\d{1,2})(?:st|nd|rd|th)? (?:of )?(${MONTH})(?:,? (\\d{4}))?\\b`, 'gu'),
    days: ([day, name = '', year = ''], today) => date(MONTHS.indexOf(name) + 1, Number(day), year, today),
  },
  {
    form: /\bthe (\d{1,2})(?:st|nd|rd|th)\b(?! (?:pump|line|valve|oven|shift|time|floor|step))/gu,
    days: ([day], today) => dayOfMonth(Number(day), today),
  },
  {
    form: /\b(?:the )?end of (?:the |this )?(day|shift|week|month|year)\b/gu,
    days: ([unit = ''], today) => endOf(unit, today),
  },
  {
    form: /\b((?:the )?day (?:after tomorrow|before yesterday)|this (?:morning|afternoon|evening)|last night|today|tonight|tomorrow|yesterday)\b/gu,
    days: ([name = ''], today) => away(today, DAYS_AWAY[name] ?? 0),
  },
  {
    form: new RegExp(`\\b(${WEEKDAY}) (last|this|next) week\\b`, 'gu'),
    days: ([name = '', which = ''], today) => weekday(WEEKDAYS.indexOf(name) + 1, weeksOf(which), today),
  },
  {
    form: new RegExp(`\\b(last|next) (${WEEKDAY})\\b`, 'gu'),
    days: ([which = '', name = ''], today) =>
      onlyOne(
        weekday(WEEKDAYS.indexOf(name) + 1, undefined, today),
        which,
        WEEKDAYS.indexOf(name) + 1,
        today,
      ),
  },
  {
    form: new RegExp(`\\b(?:this |coming )?(${WEEKDAY})\\b`, 'gu'),
    days: ([name = ''], today) => weekday(WEEKDAYS.indexOf(name) + 1, undefined, today),
  },
  { form: /\b(last|this|next) week\b/gu, days: ([which = ''], today) => week(weeksOf(which), today) },
  { form: /\b(last|this|next) month\b/gu, days: ([which = ''], today) => month(weeksOf(which), today) },
  {
    form: new RegExp(`\\b(?:in|within) (${WORD_NUMBER}) (day|week)s?\\b(?! ago)`, 'gu'),
    days: ([number = '', unit = ''], today) => counted(number, unit, 'en', 1, today),
  },
  {
    form: new RegExp(`\\b(${WORD_NUMBER}) (day|week)s? ago\\b`, 'gu'),
    days: ([number = '', unit = ''], today) => counted(number, unit, 'en', -1, today),
  },
  {
    form: new RegExp(`\\b(?:in|within) (${WORD_NUMBER}) (hour|minute)s?\\b`, 'gu'),
    afterMs: ([number = '', unit = '']) => countedMs(number, unit, 'en', 1),
  },
  {
    form: new RegExp(`\\b(${WORD_NUMBER}) (hour|minute)s? ago\\b`, 'gu'),
    afterMs: ([number = '', unit = '']) => countedMs(number, unit, 'en', -1),
  },
  {
    form: new RegExp(
      `(?<keep>\\b(?:in|of|until|till|by|since|from|to|during|before) )(${MONTH})(?: (\\d{4}))?\\b`,
      'gu',
    ),
    days: ([, name = '', year = ''], today) => wholeMonth(MONTHS.indexOf(name) + 1, year, today),
  },
];
