import type { Period, PeriodSetting } from '../../history/period.ts';
import type { Language } from '../../language/language.ts';
import type { FindMentions, Mention } from '../mention.ts';
import type { IndexTerms, IndexWord } from './index-terms.ts';
import { periodIn } from './period-in.ts';

/** What kind of answer is wanted. */
export type Wanted = 'what' | 'when' | 'who' | 'where' | 'quantity' | 'cause' | 'way' | 'count';

/** Which of several that fit is meant. */
export type Which = 'any' | 'newest' | 'oldest' | 'earlier';

/** A question to memory, taken apart. */
export interface RecallQuestion {
  readonly text: string;
  readonly language: Language;
  readonly askedAtMs: number;
  /** What is asked about, without the names and times below. */
  readonly words: readonly IndexWord[];
  readonly mentions: readonly Mention[];
  readonly codes: readonly string[];
  readonly period: Period | undefined;
  readonly wanted: Wanted;
  readonly which: Which;
  /** Something is asked to have been left undone. */
  readonly negated: boolean;
}

const WANTED: readonly (readonly [Wanted, RegExp])[] = [
  ['count', /\bhow (?:often|many times)\b|多少次|几次|几回|多少回/iu],
  [
    'when',
    /\bwhen\b|\bwhat (?:time|day|date)\b|\bsince when\b|什么时候|何时|几点|哪天|哪一天|几号|多久(?:以)?前/iu,
  ],
  [
    'who',
    /\bwho(?:se|m)?\b|\bwhich (?:engineer|person|operator|colleague|supplier|company)\b|谁|哪位|哪个人|哪家/iu,
  ],
  [
    'where',
    /\bwhere\b|\bwhich (?:cabinet|shelf|drawer|room|place|rack|store)\b|哪里|哪儿|在哪|什么地方|哪个(?:柜|架|抽屉|仓库|地方)|放哪/iu,
  ],
  [
    'cause',
    /\bwhy\b|\bwhat (?:caused|was the (?:cause|reason)|went wrong)\b|\bcause\b|\breason\b|为什么|为何|原因|怎么回事|怎么会|咋回事/iu,
  ],
  [
    'quantity',
    /\bhow (?:much|many|long|far|high|hot|fast|heavy|big)\b|\bwhat (?:temperature|pressure|speed|value|limit|setting|set ?point|number|size)\b|多少|多大|多高|多长|多久|几(?:度|个|台|升|公斤|分钟|小时|天|巴|bar)|是几/iu,
  ],
  ['way', /\bhow (?:did|do|does|was|were|to|can|could|have)\b|怎么(?:修|处理|解决|弄|做|办|调|换)|如何/iu],
];

const NEWEST =
  /\b(?:last|latest|most recent(?:ly)?|recently|now|current(?:ly)?|at present|at the moment|these days|still|today)\b|最后一次|最近(?:一次)?|上一?次|上回|最新|现在|目前|如今|眼下|当前|还是|还在/iu;
const OLDEST =
  /\b(?:first|originally|initially|at first|the very first)\b|第一次|最初|最早|最开始|起初|首次/iu;
const EARLIER =
  /\b(?:before (?:that|it|the change|then)|previous(?:ly)?|earlier|formerly|used to|old(?:er)? (?:value|limit|setting|set ?point|place|supplier)|was it before|in the past)\b|\b(?:was|were)\b.*\bbefore\s*\??$|以前|之前|原来|原先|过去是|改之前|此前|从前/iu;
const NEGATED =
  /\b(?:not|never|n't|didn't|wasn't|without|nobody|skipped?|left out|forgot)\b|没|未|不曾|漏|忘/iu;

/** Takes a question apart; times in it are seen from `setting.nowMs`. */
export function readQuestion(
  text: string,
  language: Language,
  {
    find,
    terms,
    setting,
  }: { readonly find: FindMentions; readonly terms: IndexTerms; readonly setting: PeriodSetting },
): RecallQuestion {
  const mentions = find(text, language);
  const which = whichOf(text);
  const found = periodIn(text, setting, mentions);
  // Of a name that several have, its words still count.
  const taken = [
    ...mentions.filter(({ candidates }) => candidates.length === 1),
    ...(found === undefined ? [] : [found]),
  ];
  const words = terms.words(text);
  const isTaken = ({ start, end }: IndexWord): boolean =>
    taken.some((other) => start < other.end && other.start < end);
  return {
    text,
    language,
    askedAtMs: setting.nowMs,
    words: words.filter((word) => !isTaken(word) && !SAYS_NOTHING.has(word.term)),
    mentions,
    codes: words.filter((word) => word.kind === 'code' && !isTaken(word)).map(({ term }) => term),
    period: found?.period,
    wanted: WANTED.find(([, form]) => form.test(text))?.[0] ?? 'what',
    which,
    negated: NEGATED.test(text),
  };
}

const A_FEW_DAYS_MS = 3 * 86_400_000;

/** Whether it is about a day, a shift or a few days, and not about what was before them. */
export function asksAboutADay({ period, which }: Pick<RecallQuestion, 'period' | 'which'>): boolean {
  return period !== undefined && which !== 'earlier' && period.toMs - period.fromMs <= A_FEW_DAYS_MS;
}

function whichOf(text: string): Which {
  if (EARLIER.test(text)) return 'earlier';
  if (OLDEST.test(text)) return 'oldest';
  return NEWEST.test(text) ? 'newest' : 'any';
}

/** Words of a question that its answer does not hold; stems, and Chinese words. */
const SAYS_NOTHING: ReadonlySet<string> = new Set(
  (
    'last latest recent current present moment time often mani first origin previou earlier formerli use happen happend dai ' +
    'anyon anybodi someon somebodi anyth someth ever thing stuff exactli actual way kind sort about old new matter mean show displai sai said ' +
    'complain mention report accord news word date day dai long far below 1 ' +
    '最近 上次 上回 最后 一次 现在 目前 之前 以前 原来 原先 最初 第一次 发生 时候 情况 事 事情 东西 次 有人 还 最 先 哪些 哪天 哪位 几次 如何 多久 怎么样 回事 曾经 过 没 ' +
    '意思 说明 显示 指 指的 是什么 什么样 报 月份 天 家 台 哪台 设备 说的 叫'
  ).split(' '),
);

/** Words that stand in many questions and few answers: they weigh less. */
const LIGHT: ReadonlySet<string> = new Set(
  (
    'get go put take make want need come look find give keep handl solv fix help deal do work run try see ' +
    '处理 解决 弄好 弄 做 放 用 该 当 办 搞 搞定 做了 要 需要 多大 多少 新装'
  ).split(' '),
);

/** Share of its weight that a word of a question counts with, 0 to 1. */
export function questionShare({ term }: IndexWord): number {
  return LIGHT.has(term) ? 0.4 : 1;
}
