import { type Found, matchesOf } from './found.ts';

const unhashed = (): string => '';

/** Shapes that are secret wherever they stand. */
const SHAPES: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/gu,
  /\beyJ[\w-]{5,}\.[\w-]{5,}(?:\.[\w-]*)?/gu,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/gu,
  /\bgh[pousr]_[A-Za-z0-9]{16,}/gu,
  /\bgithub_pat_\w{20,}/gu,
  /\bglpat-[\w-]{16,}/gu,
  /\bsk[-_](?:[\w]+[-_])?[\w-]{16,}/gu,
  /\bxox[abeprs]-[\w-]{10,}/gu,
  /\bAIza[\w-]{30,}/gu,
  /(?<keep>\b(?:bearer|basic) +)[A-Za-z0-9._~+/-]{8,}=*/giu,
  /(?<keep>\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@]*:[^\s/]*(?=@)/giu,
  /(?<keep>[?&](?:access_?token|token|api_?key|key|sig|signature|password|secret|auth)=)[^\s&#]+/giu,
];

const NAME =
  '(?:pass ?words?|passwd|pwd|pass ?codes?|passphrase|pin codes?|secret|token|credentials?|(?:api|access|private|secret|license|licence)[ _-]?key)';
const STATES =
  'wrong|expired|required|missing|invalid|incorrect|not|needed|set|changed|ok|okay|good|old|lost|forgotten|weak|blank|empty|unknown|there|written|stored|kept|being|only|too|what|in|on|with|by|for';
const SAID_TO_BE =
  '(?:\\s+(?:has been |was |is )?(?:changed|set|reset)\\s+to|\\s+(?:is|was|are|will be)(?:\\s+(?:now|still|always|called))?|\\s*[=:]|["\']\\s*:)';

/** `password=...`, `"token": "..."`, also inside longer names such as `aws_secret_access_key`. */
const ASSIGNED = new RegExp(
  `(?<keep>[\\w-]*${NAME}\\w*["']?\\s*[=:]\\s*["']?)(?!\\[secret\\])[^\\s"',;，；。]+`,
  'giu',
);
/** "The password of the panel is tiger": a word that looks like a secret is all of it, plain words go to the end of the clause. */
const TOLD = new RegExp(
  `(?<keep>\\b${NAME}(?:\\s+(?:for|of|to|on)\\s+(?:[\\w-]+\\s+){0,4}?[\\w-]+)?${SAID_TO_BE}\\s*:?\\s*(?=\\S))(?!\\[secret\\]|(?:${STATES})\\b)(?:["'][^"'\\n]+["']|(?=\\S*[\\d!@#$%^&*_])\\S+(?:\\s+(?=\\S*\\d)\\S+)*|[^,;!?，；。！？\\n]{1,80}?(?=\\.?(?:[,;!?，；。！？\\n]|\\.\\s|\\.?$)))`,
  'giu',
);
const BESIDE = new RegExp(`(?<keep>\\b${NAME}\\s+)(?=\\S*\\d)(?!\\d{1,3}\\b)[^\\s,;，；。]{4,}`, 'giu');
const PIN =
  /(?<keep>\b(?:pin|combination|door code|access code|unlock code)(?: (?:is|was|number|no)|:)*\s+)\d(?:[ -]?\d){3,7}(?!\d)/giu;

const CHINESE_NAME = '(?:密码|口令|暗号|密钥|秘钥|令牌|验证码|pin ?码|解锁码|开机码|门禁码)';
const CHINESE_STATES =
  '错|不|对的|空的?|过期|正确|什么|多少|几|哪|必须|需要|默认的?$|有|没|未|被|已|要|否|无|安全|一样|吗|呢|谁';
const CHINESE_TOLD = new RegExp(
  `(?<keep>${CHINESE_NAME}(?:已经?|现在|今天|都)?\\s*(?:改成了?|改为了?|换成了?|换为|设为|设成|就是|还是|变成|是|为|叫|:|=|,)\\s*(?=\\S))(?!\\[secret\\]|${CHINESE_STATES})(?:[\\x21-\\x2b\\x2d-\\x7e]+(?: +[a-z]?\\d[\\w]*)*|[零〇一二三四五六七八九幺拐洞两]{3,}|[^，。；,;！!？?\\s]{1,40})`,
  'giu',
);
const CHINESE_BESIDE = new RegExp(
  `(?<keep>${CHINESE_NAME}\\s*)(?:[\\x21-\\x2b\\x2d-\\x39\\x3b-\\x5a\\x5c\\x5e-\\x7e]{4,}|[零〇一二三四五六七八九幺拐洞两]{4,})`,
  'giu',
);

/** Passwords, keys and tokens, by their shape or by what is said of them. */
export function findSecrets(form: string): readonly Found[] {
  return [...SHAPES, ASSIGNED, TOLD, BESIDE, PIN, CHINESE_TOLD, CHINESE_BESIDE].flatMap((pattern) =>
    matchesOf(form, pattern, 'secret', unhashed),
  );
}
