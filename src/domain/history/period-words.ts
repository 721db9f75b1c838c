import { chineseIntegersAt } from '../language/chinese-number.ts';
import { englishIntegersAt } from '../language/english-number.ts';
import type { Language } from '../language/language.ts';
import { normalise, tokenise } from '../language/tokens.ts';

export type PeriodName =
  | {
      readonly kind:
        | 'today'
        | 'yesterday'
        | 'day before yesterday'
        | 'this week'
        | 'last week'
        | 'this month'
        | 'last month'
        | 'this shift'
        | 'last shift';
    }
  /** Monday is 1, Sunday 7; the newest such day, today included. */
  | { readonly kind: 'since weekday'; readonly weekday: number }
  | { readonly kind: 'last minutes' | 'last hours' | 'last days'; readonly count: number };

/** How a period is said; the first form of a language is the usual one. */
export interface PeriodWords extends Readonly<Record<Language, readonly string[]>> {
  readonly name: PeriodName;
}

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const WEEKDAYS_ZH = ['一', '二', '三', '四', '五', '六', '日'];

/** Every period that has a name of its own, for voice and command line alike. */
export const PERIOD_WORDS: readonly PeriodWords[] = [
  { name: { kind: 'today' }, en: ['today', 'so far today'], zh: ['今天', '今日', '当天'] },
  { name: { kind: 'yesterday' }, en: ['yesterday'], zh: ['昨天', '昨日'] },
  { name: { kind: 'day before yesterday' }, en: ['the day before yesterday'], zh: ['前天'] },
  {
    name: { kind: 'this shift' },
    en: ['this shift', 'the current shift'],
    zh: ['本班', '这一班', '这个班', '当班'],
  },
  {
    name: { kind: 'last shift' },
    en: ['last shift', 'the previous shift'],
    zh: ['上一班', '上个班', '上班次'],
  },
  { name: { kind: 'this week' }, en: ['this week'], zh: ['本周', '这周', '这个星期', '本星期'] },
  { name: { kind: 'last week' }, en: ['last week'], zh: ['上周', '上个星期', '上星期'] },
  { name: { kind: 'this month' }, en: ['this month'], zh: ['本月', '这个月'] },
  { name: { kind: 'last month' }, en: ['last month'], zh: ['上个月', '上月'] },
  {
    name: { kind: 'last hours', count: 1 },
    en: ['last hour', 'the past hour'],
    zh: ['过去一小时', '最近一小时'],
  },
  {
    name: { kind: 'last hours', count: 24 },
    en: ['last 24 hours', 'the last day'],
    zh: ['过去24小时', '最近24小时', '过去一天'],
  },
  ...WEEKDAYS.map((day, i): PeriodWords => {
    const zh = WEEKDAYS_ZH[i] ?? '';
    return {
      name: { kind: 'since weekday', weekday: i + 1 },
      en: [`since ${day}`],
      zh: [
        `周${zh}以来`,
        `星期${zh}以来`,
        `从周${zh}开始`,
        `从星期${zh}开始`,
        ...(i === 6 ? ['周天以来', '星期天以来'] : []),
      ],
    };
  }),
];

/** What can be counted back from now, as in "last 8 hours", 过去八小时. */
export const COUNTED_UNITS: readonly (Readonly<Record<Language, readonly string[]>> & {
  readonly kind: 'last minutes' | 'last hours' | 'last days';
})[] = [
  { kind: 'last minutes', en: ['minutes', 'minute', 'min'], zh: ['分钟'] },
  { kind: 'last hours', en: ['hours', 'hour', 'h'], zh: ['小时', '个小时', '个钟头'] },
  { kind: 'last days', en: ['days', 'day', 'd'], zh: ['天', '日'] },
];

const COUNTED_EN = /^(?:last|past) (.+?) ?(minutes|minute|min|hours|hour|h|days|day|d)$/u;
const COUNTED_ZH = /^(?:过去|最近)(?:的)?(.+?)(分钟|个小时|小时|个钟头|天|日)$/u;

/** The period that these words name, whatever their case and spaces; undefined when none. */
export function periodNamed(text: string): PeriodName | undefined {
  const en = normalise(text, 'en').trim().toLowerCase().replace(/\s+/gu, ' ').replace(/^the /u, '');
  const zh = normalise(text, 'zh').replace(/\s+/gu, '');
  for (const words of PERIOD_WORDS) {
    if (words.en.some((form) => form.replace(/^the /u, '') === en) || words.zh.includes(zh))
      return words.name;
  }
  return counted(COUNTED_EN.exec(en), 'en') ?? counted(COUNTED_ZH.exec(zh), 'zh');
}

function counted(found: RegExpExecArray | null, language: Language): PeriodName | undefined {
  const [, count = '', unit = ''] = found ?? [];
  const kind = COUNTED_UNITS.find((known) => known[language].includes(unit))?.kind;
  const value = wholeNumber(count, language);
  return kind === undefined || value === undefined ? undefined : { kind, count: value };
}

/** Of digits or words; 两 counts as well as 二. */
export function wholeNumber(text: string, language: Language): number | undefined {
  if (/^\d{1,6}$/u.test(text)) return Number(text);
  const tokens = tokenise(text, language);
  const found = (language === 'en' ? englishIntegersAt : chineseIntegersAt)(tokens, 0);
  return found.find(({ end }) => end === tokens.length)?.value;
}
