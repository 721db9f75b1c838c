import type { Language } from '../../language/language.ts';
import { NUMBER_WORDS } from '../../language/number-words.ts';

type PerLanguage = Readonly<Record<Language, RegExp>>;

/** Words for a time, a date or a period. */
export const TIME_WORDS: PerLanguage = {
  en: /\b(?:today|tonight|tomorrow|yesterday|now|soon|always|daily|weekly|monthly|yearly|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|june|july|august|september|october|november|december|morning|afternoon|evening|night|noon|midnight|o'clock|(?:last|next|this|every|each) (?:week|month|year|shift|day|time|hour)|ago|since|until|till|weekends?|deadline)\b|\b\d{1,2}:\d{2}\b|\b\d{4}-\d{2}-\d{2}\b|\b(?:in|within|for|after|before|every) \w+ (?:minutes?|hours?|days?|weeks?|months?|years?|shifts?)\b/iu,
  zh: /今天|今早|今晚|今日|明天|明早|明晚|明日|后天|昨天|昨晚|昨日|前天|刚才|现在|以后|以前|每[天周月年班次]|[上下本这]个?(?:周|星期|礼拜|月|班|季度)|周[一二三四五六日天末]|星期[一二三四五六日天]|礼拜|早上|上午|中午|下午|晚上|夜里|凌晨|夜班|早班|白班|中班|月底|月初|年底|[0-9零一二三四五六七八九十半两]+(?:点|时|分钟|个?小时|天|个?月|年|周|号|日)(?!泵|机|线|阀|炉|柜|罐|站)|截止|之前|直到/u,
};

const EN_NUMBERS = [...NUMBER_WORDS.en]
  .filter((word) => !/^(?:and|point|minus|negative)$/u.test(word))
  .join('|');
const UNIT_EN =
  'percent|degrees?|bar|mbar|[kmh]?pa|psi|rpm|hz|kw|kwh|mm|cm|m|km|kg|g|mg|ml|l|ms|s|min|h|amps?|volts?|watts?|tons?|tonnes?|lit(?:er|re)s?|met(?:er|re)s?|hours?|minutes?|seconds?|days?|weeks?|months?|pieces?|pcs|times|turns|strokes|boxes|bags|pallets|drops|shifts|kits?|bearings?|filters?|seals?|belts?|hoses?|spares?|bolts?|screws?|parts?|revolutions';
const UNIT_ZH =
  '度|转|巴|兆帕|千帕|帕|毫米|厘米|毫秒|米|公斤|千克|克|吨|升|毫升|个|件|次|小时|分钟|秒|天|圈|片|支|套|桶|箱|袋|包|脉冲|赫兹|千瓦|瓦|伏|安培?|百分|成|倍|根|只|条|滴|块|台|%';

/** A number that counts or measures something; the number in a name, such as "pump seven", is none. */
export const QUANTITIES: PerLanguage = {
  en: new RegExp(
    `(?:(?<![\\w.-])-?\\d+(?:[.,]\\d+)?|\\b(?:${EN_NUMBERS}|half|dozen))[ -]?(?:(?:${UNIT_EN})\\b|%|°|℃)|(?<![\\w.])-?\\d+\\.\\d+(?![\\w.])|\\b(?:twice|half|double|triple|dozens?|hundreds|thousands)\\b`,
    'iu',
  ),
  zh: new RegExp(
    `百分之|-?\\d+(?:\\.\\d+)? ?(?:${UNIT_ZH}|°|℃|bar|mpa|kpa|rpm|mm|kg|hz)|[零一二三四五六七八九十百千万两半几]+(?:点[零一二三四五六七八九]+)?(?:${UNIT_ZH})|-?\\d+\\.\\d+|一半|两倍|翻倍`,
    'iu',
  ),
};

/** That something is not, was not done, or must not be. */
export const NEGATIONS: PerLanguage = {
  en: /\b(?:not|no|never|none|nothing|nobody|without|neither|nor|cannot|isn't|don't|doesn't|didn't|won't|can't|wasn't|aren't|hasn't|haven't|hadn't|shouldn't|mustn't|wouldn't|no longer|any ?more|refused?|denied|denies)\b/iu,
  zh: /不(?!锈|间断|停机泵|断)|没(?!问题)|未(?!来)|无(?!线|缝|人机|级)|别(?!的|人)|勿|禁止|严禁|从来没|拒绝|并非/u,
};

/** Strong words only: of danger, anger, worry, relief. */
export const EMOTIONS: PerLanguage = {
  en: /\b(?:hate|hates|love|loves|angry|furious|annoyed|annoying|terrible|terribly|awful|horrible|dangerous|danger|scared|afraid|worried|worrying|fear|desperate|disaster|catastroph\w*|damn|hell|unacceptable|ridiculous|nightmare|urgent|urgently|fantastic|great|excellent|perfect|relieved|fed up|sick of|shocking|screams?|screaming|insane|crazy|absolutely|extremely|critical)\b|!{1,}/iu,
  zh: /讨厌|生气|气死|愤怒|恼火|糟糕|糟透|可怕|危险|害怕|担心|着急|急死|紧急|灾难|要命|该死|他妈|受不了|无法接受|荒唐|噩梦|太棒|太好了|完美|满意|喜欢|非常|极其|严重|千万|绝对|！|!/u,
};
