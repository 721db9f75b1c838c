import type { Language } from '../../language/language.ts';
import { segment } from '../../language/segment.ts';
import { type Draft, expanded, subjectOf } from './draft.ts';
import type { PlainSentence } from './plain-sentence.ts';

const MAX_STEMS = 4;
const MAX_VALUE = 500;
/** Words that say nothing by themselves, and those whose meaning is in `negated`. */
const EN_STOP = new Set(
  'a an the and or but of to in on at by for with from as is are was were be been being it its this that these those there he she they we you i me us them his her our your their do does did has have had will would can could should may might must shall not no never longer any more anymore run runs running get gets got go goes going make makes made very too so if when while before after again still up down out off over under into than then also need needs every each all some only without within because'.split(
    ' ',
  ),
);
const ZH_STOP =
  /不再|不会|不能|不得|没有|之前|之后|以后|以前|时候|因为|所以|如果|需要|应该|必须|可以|容易|经常|每次|会|不|没|的|地|得|了|是|在|有|和|与|把|被|很|要|都|也|就|还|又|再|时|后|前|上|下|里|中|个|这|那|我|你|他|它|们|着|过(?!热|滤|载)/gu;
const ZH_WORDS: ReadonlySet<string> = new Set(
  '清洗 清洁 发热 过热 发烫 漏油 漏水 漏气 泄漏 振动 震动 噪音 异响 声音 启动 停机 停止 密封 密封件 轴承 阀门 温度 压力 转速 流量 液位 卡住 堵塞 跳闸 报警 润滑 加油 更换 检查 校准 预热 冷却 排气 电机 皮带 滤芯 滤网 管路 软管 手动 自动 夜班 白班 早班 磨损 松动 生锈 结垢'.split(
    ' ',
  ),
);
const NEGATED: Readonly<Record<Language, RegExp>> = {
  en: /\b(?:not|no longer|never)\b/u,
  zh: /不(?!锈)|没(?!问题)|从未/u,
};

/** What must not be is a rule of its own, not the denial of one. */
const FORBIDS: Readonly<Record<Language, RegExp>> = {
  en: /\b(?:must|may|shall|should|can) (?:not|never)\b|\bnot (?:to|allowed|permitted)\b|^(?:never|do not|please (?:never|do not))\b|, never\b/u,
  zh: /不准|不许|不得|不能|不要|不可|禁止|严禁|切勿|请勿/u,
};

/** A statement of no other kind, kept under the stems of its words: the same said in other fillers, numbers or word order is the same note. */
export function readNote(
  { plain, names }: PlainSentence,
  language: Language,
  subjectSign: string | undefined,
): Draft | undefined {
  const subject = subjectSign === undefined ? 'site' : subjectOf(subjectSign, names);
  const value = expanded(plain, names);
  const stems = stemsOf(plain.replace(/<[mpocn]\d+>/gu, ' '), language);
  if (subject === undefined || value === undefined || value === '' || stems.length === 0) return undefined;
  return {
    subject,
    predicate: `note.${stems.join('-').slice(0, 150)}`,
    value: value.slice(0, MAX_VALUE),
    negated: NEGATED[language].test(plain) && !FORBIDS[language].test(plain),
    class: 'machine',
    confidence: 0.7,
  };
}

function stemsOf(plain: string, language: Language): readonly string[] {
  const words =
    language === 'en'
      ? plain
          .split(/[^\p{L}]+/u)
          .filter((word) => word.length > 1 && !EN_STOP.has(word))
          .map(englishStem)
      : plain
          .replace(ZH_STOP, ' ')
          .split(/[^\p{L}]+/u)
          .flatMap((run) => segment(run, ZH_WORDS).words)
          .filter((word) => word !== '');
  return [...new Set(words)].sort().slice(0, MAX_STEMS);
}

/** Enough of a word to find its other forms. */
function englishStem(word: string): string {
  const stem = word
    .replace(/(?<=\w{3})(?:ings?|edly|ed|es|s|ly)$/u, '')
    .replace(/(?<=\w{2}[^aeiouls])e$/u, '');
  return stem.replace(/([bdgmnprt])\1$/u, '$1');
}
