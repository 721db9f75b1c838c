import { expanded, idOf, type Reader, subjectOf } from './draft.ts';

const MEANINGS: readonly RegExp[] = [
  /^(?<code><c\d+>)(?: (?:on|at|of|from) (?<machine><m\d+>))? (?<not>does not )?(?:means?|indicates?|stands for|signals?|is code for)(?<no> not)? (?<value>.+)$/u,
  /^(?:on|at) (?<machine><m\d+>) (?<code><c\d+>) (?<not>does not )?(?:means?|indicates?|stands for)(?<no> not)? (?<value>.+)$/u,
  /^(?:在?(?<machine><m\d+>)(?:上面?)?的?)?(?<code><c\d+>)(?:的意思)?(?<not>不|不再)?(?:是指|是|表示|代表|意思是|指的是|指)(?<value>.+)$/u,
];

/** "E-203 on pump seven means the seal is dry", E-203表示密封干了. */
export const readMeaning: Reader = ({ plain, names }) => {
  for (const pattern of MEANINGS) {
    const { code, machine, not, no, value } = pattern.exec(plain)?.groups ?? {};
    if (code === undefined || value === undefined) continue;
    const subject = subjectOf(code, names);
    const where = machine === undefined ? '' : idOf(machine, names);
    const said = expanded(value, names);
    if (subject === undefined || where === undefined || said === undefined) return undefined;
    const predicate = where === '' ? 'meaning' : `meaning.${where}`;
    const negated = not !== undefined || no !== undefined;
    return { subject, predicate, value: said, negated, class: 'machine', confidence: 0.9 };
  }
  return undefined;
};

const ALIASES: readonly RegExp[] = [
  /^(?:we|they|people|everyone|everybody|i|operators)(?: (?<not>do not|no longer))? call (?<machine><m\d+>) (?<alias>[\p{L}\d' ]{2,40}?)(?: any ?more)?$/u,
  /^(?<machine><m\d+>) is(?: (?<not>not|no longer))? (?:called|known as|nicknamed) (?<alias>[\p{L}\d' ]{2,40})$/u,
  /^(?<alias>[\p{L}' ]{2,40}) means (?<machine><m\d+>)$/u,
  /^(?<machine><m\d+>)我们(?<not>不再?)?(?:叫|称)(?:它|做|作|为)?(?<alias>[\p{L}\d]{1,20})$/u,
  /^(?:我们|大家)(?<not>不再?)?(?:把|管)(?<machine><m\d+>)(?:叫|称)(?:做|作|为)?(?<alias>[\p{L}\d]{1,20})$/u,
  /^(?<machine><m\d+>)(?<not>不再?)?(?:又叫|俗称|外号是?|绰号是?|简称|叫做?)(?<alias>[\p{L}\d]{1,20})$/u,
  /^(?<alias>\p{L}{1,20})就是(?<machine><m\d+>)$/u,
];

/** "We call pump seven the screamer", 七号泵我们叫大泵. The alias is the site's, so it names one thing at a time. */
export const readAlias: Reader = ({ plain, names }) => {
  for (const pattern of ALIASES) {
    const { machine, alias, not } = pattern.exec(withAliasNames(plain, names))?.groups ?? {};
    if (machine === undefined || alias === undefined) continue;
    const value = idOf(machine, names);
    if (value === undefined) return undefined;
    const predicate = `alias.${alias.trim()}`;
    return {
      subject: 'site',
      predicate,
      value,
      negated: not !== undefined,
      class: 'machine',
      confidence: 0.9,
    };
  }
  return undefined;
};

/** A name that is only like one of the site's may be the very alias that is told: its letters, not what it was taken for. */
function withAliasNames(plain: string, names: Parameters<Reader>[0]['names']): string {
  return plain.replace(/<m\d+>/gu, (sign) => {
    const entity = names.get(sign)?.entity;
    return entity === undefined || entity.exact ? sign : entity.text.toLowerCase().replace(/^the /u, '');
  });
}

const STATES: readonly (readonly [string, RegExp, RegExp])[] = [
  [
    'out of service',
    /^(?:out of service|out of order|out of operation|not in service|decommissioned)$/u,
    /^停用$/u,
  ],
  [
    'maintenance',
    /^(?:under maintenance|in maintenance|being (?:serviced|repaired)|under repair)$/u,
    /^(?:在?(?:检修|维修|保养)中?)$/u,
  ],
  ['locked out', /^(?:locked out|tagged out|locked)$/u, /^(?:上锁|挂牌|锁定)$/u],
  ['down', /^(?:down|broken|broken down|defective)$/u, /^(?:坏|故障|停机|坏掉)$/u],
  ['stopped', /^(?:stopped|shut down|off|switched off)$/u, /^(?:停|停产|关停|停着)$/u],
  ['offline', /^offline$/u, /^(?:离线|脱机)$/u],
  ['standby', /^(?:on|in) standby$/u, /^(?:备用|待机)(?:状态)?$/u],
  ['bypassed', /^bypassed$/u, /^(?:被?旁路)$/u],
  ['manual', /^(?:in|on) manual(?: mode)?$/u, /^(?:手动)(?:模式|状态)?$/u],
];

/** "Pump two is out of service until Friday", 二号泵停用到周五. */
export const readState: Reader = ({ plain, names }) => {
  const [, sign = '', no = '', state = ''] =
    /^(<[mo]\d+>) (?:is|was|stays|remains|has been|will be)(?: (not|no longer))? ([a-z ]+?)(?: any ?more)?$/u.exec(
      plain,
    ) ??
    /^(<[mo]\d+>)(?:处于|是)?(不再|没有?|不)?(\p{Script=Han}{1,6})$/u.exec(plain) ??
    [];
  const found = STATES.find(([, en, zh]) => en.test(state) || zh.test(state));
  const subject = sign === '' ? undefined : subjectOf(sign, names);
  if (found === undefined || subject === undefined) return undefined;
  return {
    subject,
    predicate: 'state',
    value: found[0],
    negated: no !== '',
    class: 'transient',
    confidence: 0.9,
  };
};
