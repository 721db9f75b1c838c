import type { Period, PeriodSetting } from '../../history/period.ts';
import { hearPeriod } from '../../history/spoken-period.ts';

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

/** Only words around one of these can name a time: hearing every stretch of a sentence would take milliseconds. */
const ENGLISH_HINT =
  /\b(?:today|yesterday|tonight|week|weeks|month|months|day|days|hours?|minutes?|shift|morning|afternoon|evening|night|noon|ago|since|quarter|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december|\d{4}-\d{2}-\d{2})\b/giu;
const CHINESE_HINT =
  /今天|今日|昨天|昨日|前天|大前天|本周|这周|上周|上上周|星期|礼拜|周[一二三四五六日天]|本月|这个月|上个?月|月|[号日]|[白夜早中晚]班|上一?个?班|本班|当班|这个?班|早上|上午|中午|下午|晚上|夜里|凌晨|昨晚|今晚|今早|天前|过去|最近/gu;

const MOST_WORDS = 7;
const MOST_CHARACTERS = 12;
const LEAST_CONFIDENCE = 0.34;

/** 七号泵 is no seventh of the month, and "may" alone no month. */
const NUMBERED_THING =
  /^(?:泵|线|机|柜|炉|箱|阀|罐|塔|车间|厂|门|楼|烘|电|风|输|空|锅|压|冲|库|仓|位|站|工位|抽屉|架|平台|备|灌|贴|包|传|主|刀|辊)/u;
const NO_TIME = /^(?:(?:the|of|it|on|at|for|from) )*may$/iu;

/**
 * The longest words for a past time in a sentence, with the moment they mean as seen from `setting.nowMs`. Stretches that are
 * `taken` as names are passed over.
 */
export function periodIn(
  text: string,
  setting: PeriodSetting,
  taken: readonly Stretch[] = [],
): PeriodFound | undefined {
  const stretches = [...englishStretches(text), ...chineseStretches(text)]
    .filter(({ start, end }) => !taken.some((other) => start < other.end && other.start < end))
    .filter(({ start, end }) => {
      const words = text.slice(start, end);
      return !NO_TIME.test(words) && !(/号$/u.test(words) && NUMBERED_THING.test(text.slice(end)));
    })
    .sort((one, other) => other.end - other.start - (one.end - one.start));
  const tried = new Set<string>();
  for (const { start, end } of stretches) {
    const words = text.slice(start, end);
    if (tried.has(words)) continue;
    tried.add(words);
    const period = heardIn(words, setting);
    if (period !== undefined) return { period, start, end };
  }
  return undefined;
}

function heardIn(words: string, setting: PeriodSetting): Period | undefined {
  const heard = hearPeriod(words, setting);
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

function englishStretches(text: string): readonly Stretch[] {
  const words = [...text.matchAll(/[\p{Script=Latin}\d]+(?:[-'][\p{Script=Latin}\d]+)*/gu)].map((word) => ({
    start: word.index,
    end: word.index + word[0].length,
  }));
  const hints = [...text.matchAll(ENGLISH_HINT)].map((hint) => hint.index);
  const stretches: Stretch[] = [];
  for (const hint of hints) {
    const at = words.findIndex(({ start, end }) => start <= hint && hint < end);
    if (at < 0) continue;
    for (let from = Math.max(0, at - MOST_WORDS + 1); from <= at; from += 1)
      for (let to = at; to < Math.min(words.length, from + MOST_WORDS); to += 1) {
        const first = words[from];
        const last = words[to];
        if (first !== undefined && last !== undefined) stretches.push({ start: first.start, end: last.end });
      }
  }
  return stretches;
}

function chineseStretches(text: string): readonly Stretch[] {
  const stretches: Stretch[] = [];
  for (const hint of text.matchAll(CHINESE_HINT)) {
    const hintEnd = hint.index + hint[0].length;
    for (let start = Math.max(0, hintEnd - MOST_CHARACTERS); start <= hint.index; start += 1)
      for (let end = hintEnd; end <= Math.min(text.length, start + MOST_CHARACTERS); end += 1)
        if (/^[\p{Script=Han}\d]+$/u.test(text.slice(start, end))) stretches.push({ start, end });
  }
  return stretches;
}
