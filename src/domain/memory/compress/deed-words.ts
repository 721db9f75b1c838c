import type { Language } from '../../language/language.ts';

/** A verb of maintenance; `past` are forms that tell it is done. */
export interface DeedWords {
  readonly type: string;
  readonly en: { readonly any: string; readonly past: string };
  readonly zh: string;
}

export const DEED_WORDS: readonly DeedWords[] = [
  {
    type: 'replace',
    en: {
      any: 'replac(?:e|es|ing)|chang(?:e|es|ing)|swap(?:s|ping)?|renew(?:s|ing)?',
      past: 'replaced|changed|swapped|renewed',
    },
    zh: '更换|替换|换掉|换成|换(?!班|人|热|向|算|句|言)',
  },
  {
    type: 'clean',
    en: {
      any: 'clean(?:s|ing)?|flush(?:es|ing)?|wash(?:es|ing)?|rins(?:e|es|ing)',
      past: 'cleaned|flushed|washed|rinsed',
    },
    zh: '清洗|清洁|清理|冲洗|擦洗|打扫',
  },
  {
    type: 'inspect',
    en: {
      any: 'inspect(?:s|ing)?|check(?:s|ing)?|examin(?:e|es|ing)|look at|test(?:s|ing)?',
      past: 'inspected|checked|examined|looked at|tested',
    },
    zh: '检查|检验|查看|巡检|点检|测试',
  },
  {
    type: 'repair',
    en: { any: 'repair(?:s|ing)?|fix(?:es|ing)?|mend(?:s|ing)?', past: 'repaired|fixed|mended' },
    zh: '修理|维修|修复|修好|抢修|修(?!改|正)',
  },
  {
    type: 'adjust',
    en: {
      any: 'adjust(?:s|ing)?|sets?|setting|align(?:s|ing)?|tun(?:e|es|ing)',
      past: 'adjusted|aligned|tuned',
    },
    zh: '调整|调节|调到|调至|设定|设为|设置|对中',
  },
  {
    type: 'tighten',
    en: { any: 'tighten(?:s|ing)?|torqu(?:e|ing)', past: 'tightened|torqued' },
    zh: '拧紧|紧固|上紧|锁紧',
  },
  {
    type: 'lubricate',
    en: { any: 'lubricat(?:e|es|ing)|greas(?:e|es|ing)|oil(?=s? the|ing)', past: 'lubricated|greased|oiled' },
    zh: '润滑|加油|加脂|打油|注油|上油',
  },
  {
    type: 'order',
    en: {
      any: '(?<!work )(?<!out of )order(?:s|ing)?(?! (?:number|wo))|buy(?:s|ing)?|purchas(?:e|es|ing)',
      past: 'ordered|bought|purchased',
    },
    zh: '订购|订货|采购|下单|购买',
  },
  {
    type: 'inform',
    en: {
      any: '(?<!(?:we|they|people|i) )call(?:s|ing)?(?! (?:it|him))|inform(?:s|ing)?|notif(?:y|ies|ying)|tell(?:s|ing)?|phone',
      past: 'called|informed|notified|told',
    },
    zh: '通知|告诉|告知|打电话给|打给|联系',
  },
  {
    type: 'restart',
    en: { any: 'restart(?:s|ing)?|reset(?:s|ting)?|reboot(?:s|ing)?', past: 'restarted|rebooted' },
    zh: '重启|复位|重新启动|重置',
  },
  {
    type: 'stop',
    en: {
      any: '(?<!emergency )stop(?:s|ping)?|shut(?:s|ting)? down|switch(?:es|ing)? off',
      past: 'stopped|switched off',
    },
    zh: '停机|停止|停下|关停|关掉|停了|停线',
  },
  {
    type: 'move',
    en: { any: 'mov(?:e|es|ing)|stor(?:e|es|ing)(?! room)|put(?:s|ting)?', past: 'moved|stored' },
    zh: '搬到|搬|移到|移动|挪到|存放|放到',
  },
  {
    type: 'calibrate',
    en: { any: 'calibrat(?:e|es|ing)|zero(?:es|ing) ', past: 'calibrated|zeroed' },
    zh: '校准|标定|校验',
  },
  {
    type: 'install',
    en: {
      any: 'install(?:s|ing)?|mount(?:s|ing)?|fit(?:s|ting)? (?:the|a)',
      past: 'installed|mounted|fitted',
    },
    zh: '安装|装上|加装',
  },
  {
    type: 'remove',
    en: {
      any: 'remov(?:e|es|ing)|dismantl(?:e|es|ing)|take out',
      past: 'removed|dismantled|taken out|took out',
    },
    zh: '拆除|拆下|拆掉|取下|卸下|移除',
  },
];

/** Before a verb of its clause: it was not done, or is not to be. */
export const UNDONE: Readonly<Record<Language, RegExp>> = {
  en: /(?:\b(?:not|never|cannot|without|nobody|refused to|forgot to|failed to|no need to|no longer)|n't)\b[^,.;!?]{0,25}$/iu,
  zh: /(?:没有?|未|不(?:用|要|必|能|再|得|许|准)?|别|勿|无需|忘了|还没|禁止|严禁)[^，。；、]{0,6}$/u,
};

/** A noun's or adjective's place: "the change", "is clean". */
export const NO_VERB_BEFORE = /\b(?:a|an|the|this|that|is|are|was|were|oil|shift|very|of) $/iu;

/** What a deed is done to ends before these. */
export const TARGET_ENDS: Readonly<Record<Language, RegExp>> = {
  en: /[,.;:!?()]|\b(?:and|or|but|because|since|until|till|by|before|after|when|if|then|so|with|from|to|at|in|on|for|today|tomorrow|tonight|yesterday|within|every|again|please|now|soon|last|next|this morning|that|which)\b/iu,
  zh: /[，。；、：！？,.;:!?（）()\s]|之前|以前|以后|之后|因为|由于|然后|并且|并|和|再(?=[\p{Script=Han}])|的时候|时(?!间)|吧|了|过|完|好/u,
};
