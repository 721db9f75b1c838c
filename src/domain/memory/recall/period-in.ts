import type { Period, PeriodSetting } from '../../history/period.ts';
import { hearPeriod } from '../../history/spoken-period.ts';
import { NUMBER_WORDS } from '../../language/number-words.ts';
import { partOfMonth } from './part-of-month.ts';

/** Words for a time within a sentence. */
export interface PeriodFound {
  readonly period: Period;
  /** UTF-16 indices in the text; `end` is not included. */
  readonly start: number;
  readonly end: number;
}

interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** What words for a time are made of; without one of `ENGLISH_HINT` among them they name none. */
const ENGLISH_TIME =
  /^(?:the|of|on|in|at|for|from|during|over|last|this|that|previous|past|current|next|ago|before|since|early|late|half|to|and|year|th|st|nd|rd|\d{1,4}(?:st|nd|rd|th)?|\d{4}-\d{2}-\d{2}|(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|thirtieth|(?:twenty|thirty)-(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)))$/iu;
const ENGLISH_HINT =
  /^(?:today|yesterday|tonight|overnight|weeks?|months?|days?|hours?|minutes?|shift|morning|afternoon|evening|night|noon|quarter|q[1-4]|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december|\d{4}-\d{2}-\d{2}|\d{1,2}(?:st|nd|rd|th)|(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|thirtieth|(?:twenty|thirty)-(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)))$/iu;
const FILLER = /^(?:the|of|on|in|at|for|from|during|over|to|and|that|before|since)$/iu;
const CHINESE_TIME =
  /(?:大前天|前天|昨天|今天|昨日|今日|当天|前日|(?:上上|上|本|这)个?(?:周|星期|礼拜)[一二三四五六日天末]?|上个?月|本月|这个月|(?:周|星期|礼拜)[一二三四五六日天末]|[一二三四五六七八九十两\d]+(?:月份?|号|日|天前|天以前|天之前|小时前|季度)|过去[一二三四五六七八九十两\d]+个?(?:天|小时|周)|最近[一二三四五六七八九十两\d]+个?(?:天|小时|周)|今年|去年|第[一二三四]季度|[今昨前]晚|[今昨前]早|凌晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|半夜|夜间|上一?个?班次?|本班|当班|这一?个?班|[白夜早中晚]班|的)+/gu;

/** In words, and in characters. */
const LONGEST = { en: 8, zh: 16 } as const;
const LEAST_CONFIDENCE = 0.34;

/** 七号泵 is no seventh of the month, and "may" alone no month. */
const NUMBERED_THING =
  /^(?:泵|线|机|柜|炉|箱|阀|罐|塔|车间|厂|门|楼|烘|烤|电|风|输|空|锅|压|冲|库|仓|位|站|工位|抽屉|架|平台|备|灌|贴|包|传|主|刀|辊|模|分)/u;
const NO_TIME = /^(?:may|second|first|third)$/iu;

/**
 * The longest words for a past time in a sentence, with the moment they mean as seen from `setting.nowMs`. Stretches that are
 * `taken` as names are passed over.
 */
export function periodIn(
  text: string,
  setting: PeriodSetting,
  taken: readonly Stretch[] = [],
): PeriodFound | undefined {
  const shiftWords = new Set(
    setting.shifts.shifts.flatMap(({ names }) =>
      names.en.flatMap((name) => name.toLowerCase().split(/\s+/u)),
    ),
  );
  const stretches = [...englishStretches(text, shiftWords), ...chineseStretches(text)]
    .filter(({ start, end }) => !taken.some((other) => start < other.end && other.start < end))
    .sort((one, other) => other.end - other.start - (one.end - one.start));
  const tried = new Set<string>();
  for (const { start, end } of stretches) {
    const words = text.slice(start, end);
    if (tried.has(words) || NO_TIME.test(words)) continue;
    tried.add(words);
    if (/号$/u.test(words) && NUMBERED_THING.test(text.slice(end))) continue;
    // What is told to a shift says nothing of when.
    if (/\bto (?:the )?$/iu.test(text.slice(0, start)) && /^(?:\S+ )?shift\b/iu.test(text.slice(start)))
      continue;
    if (DAYS_OF_A_MONTH.test(words) && OF_A_MONTH.test(text.slice(end))) continue;
    const period = heardIn(words, setting) ?? spanIn(words, setting);
    if (period === undefined) continue;
    const isMonth = period.toMs - period.fromMs > LEAST_MONTH_MS || MONTH.test(words);
    return {
      period: isMonth ? partOfMonth(period, text.slice(0, start), text.slice(end)) : period,
      start,
      end,
    };
  }
  return undefined;
}

const LEAST_MONTH_MS = 27 * 86_400_000;
const MONTH =
  /^(?:january|february|march|april|may|june|july|august|september|october|november|december|(?:this|last) month|(?:[一二三四五六七八九十\d]+|本|这个|上个?)月份?)$/iu;
/** "The last day of March": the month is what counts. */
const DAYS_OF_A_MONTH = /^(?:last|first) (?:days?|week)$/iu;
const OF_A_MONTH = /^ (?:of|in) /iu;

/** From one time to another: "Monday to Tuesday". */
function spanIn(words: string, setting: PeriodSetting): Period | undefined {
  const [first, last, ...more] = words.split(/\s+(?:to|till|until)\s+|到|至/iu);
  if (first === undefined || last === undefined || more.length > 0) return undefined;
  const from = heardIn(first, setting);
  const to = heardIn(last, setting);
  return from === undefined || to === undefined || from.fromMs > to.toMs
    ? undefined
    : { fromMs: from.fromMs, toMs: to.toMs };
}

/** Asked the morning after, the night is the one that was. */
const NIGHTS: readonly (readonly [RegExp, string])[] = [
  [/^night$/iu, 'last night'],
  [/^overnight$/iu, 'last night'],
  [/^(?:夜里|半夜|夜间)$/u, '昨天晚上'],
];

function heardIn(words: string, setting: PeriodSetting): Period | undefined {
  const heard = hearPeriod(
    NIGHTS.reduce((form, [from, to]) => form.replace(from, to), words),
    setting,
  );
  if (heard.kind !== 'heard') return undefined;
  const [best] = heard.readings;
  if (best === undefined || best.confidence < LEAST_CONFIDENCE) return undefined;
  // Where two days can be meant, what happened on either may be what is asked for.
  const likely = heard.readings.filter(({ confidence }) => confidence >= LEAST_CONFIDENCE);
  return {
    fromMs: Math.min(...likely.map(({ period }) => period.fromMs)),
    toMs: Math.max(...likely.map(({ period }) => period.toMs)),
  };
}

interface Word extends Stretch {
  readonly isTime: boolean;
  readonly isHint: boolean;
  readonly isFiller: boolean;
}

/** Runs of words that can be part of a time, without fillers at their ends. */
function englishStretches(text: string, shiftWords: ReadonlySet<string>): readonly Stretch[] {
  const words = [...text.matchAll(/[\p{Script=Latin}\d]+(?:[-'][\p{Script=Latin}\d]+)*/gu)].map(
    (found): Word => {
      const isHint = ENGLISH_HINT.test(found[0]);
      const isShift = shiftWords.has(found[0].toLowerCase());
      return {
        start: found.index,
        end: found.index + found[0].length,
        isHint: isHint || isShift,
        isTime:
          isHint || isShift || ENGLISH_TIME.test(found[0]) || NUMBER_WORDS.en.has(found[0].toLowerCase()),
        isFiller: FILLER.test(found[0]),
      };
    },
  );
  return words.flatMap((first, from) => {
    if (!first.isTime || first.isFiller) return [];
    const stretches: Stretch[] = [];
    let holdsHint = false;
    for (let to = from; to < Math.min(words.length, from + LONGEST.en); to += 1) {
      const last = words[to];
      if (last === undefined || !last.isTime) break;
      holdsHint ||= last.isHint;
      if (holdsHint && !last.isFiller) stretches.push({ start: first.start, end: last.end });
    }
    return stretches;
  });
}

function chineseStretches(text: string): readonly Stretch[] {
  return [...text.matchAll(CHINESE_TIME)].flatMap(({ index, 0: run }) => {
    const stretches: Stretch[] = [];
    for (let from = 0; from < run.length; from += 1)
      for (let to = from + 2; to <= Math.min(run.length, from + LONGEST.zh); to += 1)
        if (run[from] !== '的' && run[to - 1] !== '的')
          stretches.push({ start: index + from, end: index + to });
    return stretches;
  });
}
