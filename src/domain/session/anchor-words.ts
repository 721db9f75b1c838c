import type { Language } from '../language/language.ts';

/** What an anchor is recognised by: a turn that holds one is what later turns lean on. */
type AnchorKind = 'time' | 'demonstrative' | 'negation';

const ENGLISH: Readonly<Record<AnchorKind, RegExp>> = {
  time: /\b(yesterday|today|tonight|tomorrow|now|then|earlier|later|ago|before|after|since|until|last|next|previous(ly)?|recent(ly)?|just|morning|noon|afternoon|evening|night|shift|hours?|minutes?|days?|weeks?|months?|years?|o'clock|(mon|tues|wednes|thurs|fri|satur|sun)days?|\d{1,2}:\d{2}|\d{4}-\d{2}-\d{2})\b/iu,
  demonstrative:
    /\b(this|that|these|those|it|its|them|same|former|latter|such|the other|another one|the one)\b/iu,
  negation:
    /\b(not?|never|none|nothing|nobody|neither|nor|without|except|cannot|don't|doesn't|didn't|isn't|wasn't|won't|can't|shouldn't|stop|cancel|undo|instead|rather)\b|n't\b/iu,
};

const CHINESE: Readonly<Record<AnchorKind, RegExp>> = {
  time: /[昨今明前后][天日晚早]|[上下这本]个?[周月季年班]|星期[一二三四五六日天]|周[一二三四五六日]|刚才|刚刚|现在|之前|之后|以前|以后|上次|下次|最近|早上|上午|中午|下午|晚上|夜里|[白夜早中晚]班|小时|分钟|[0-9零一二三四五六七八九十两]+[点时天日号月年周]/u,
  demonstrative: /[这那该此其它]|上述|前者|后者|同样|一样|另一个|另外/u,
  negation: /[不没未勿莫非]|别|无法|取消|撤销|撤回|停止|除了|而是/u,
};

/** Words that only look like an anchor: 分别 forbids nothing, and 不锈钢 denies nothing. */
const NO_ANCHOR: Readonly<Record<Language, RegExp>> = {
  en: /\b(no\.\s*\d+|emergency stop)\b/giu,
  zh: /分别|级别|区别|特别|类别|识别|个别|差别|非常|未来|不锈钢|不同|不断|那么|其中|其他|其它设备|此外/gu,
};

/** The kinds of anchor in a text; both languages are looked for, since names and units mix them. */
export function anchorsIn(text: string): readonly AnchorKind[] {
  const plain = text.replace(NO_ANCHOR.en, ' ').replace(NO_ANCHOR.zh, ' ');
  const kinds: readonly AnchorKind[] = ['time', 'demonstrative', 'negation'];
  return kinds.filter((kind) => ENGLISH[kind].test(plain) || CHINESE[kind].test(plain));
}
