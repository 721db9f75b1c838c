import { type Draft, expanded, idOf, type Reader, subjectOf } from './draft.ts';

const PLACES =
  'cabinets?|shel(?:f|ves)|drawers?|racks?|box(?:es)?|rooms?|stores?|storage|warehouses?|bins?|lockers?|tool ?box|workshop|halls?|cupboards?|bays?|aisles?|crates?|containers?|office|corner|hooks?|trolley|cart|store ?room|depot|bench';
const EN_PLACE =
  /^(.+?) (?:is|are|lies?|stands?|hangs?|sits?|(?:is|are) (?:kept|stored|located|found)|can be found|belongs?)(?: (not|no longer|kept|stored|located|not kept|not stored))?(?: any ?more)? ((?:in|on|at|under|behind|inside|next to|beside|near|above|below) .+)$/u;
const EN_MOVED =
  /^(?:.+ )?(?:put|moved|store|stored|placed|keep|kept|left) (.+?) ((?:in|on|into|to|at|under|behind) .+)$/u;
const ZH_PLACES = '柜|架|箱|抽屉|库|仓|室|车间|房|桌|盒|角|推车|工具车|货位';
const ZH_PLACE = new RegExp(
  `^(?:把|将)?(.+?)(不再?|没有?)?(?:被)?(?:放置?|存放?|摆放?|收|搁|挂|移|搬|挪)?(?:在|到|进)(?:了)?(.*(?:${ZH_PLACES}).*)$`,
  'u',
);

/** "The seal kits are in cabinet four", 备件放在三号柜. */
export const readPlace: Reader = ({ plain, names }) => {
  const [, thing = '', word = '', where = ''] = EN_PLACE.exec(plain) ?? [];
  if (where !== '' && new RegExp(`\\b(?:${PLACES})\\b`, 'u').test(where))
    return placed(thing, where.replace(/ any ?more$/u, ''), /^(?:not|no longer)/u.test(word), names);
  const [, moved = '', to = ''] = EN_MOVED.exec(plain) ?? [];
  if (to !== '' && new RegExp(`\\b(?:${PLACES})\\b`, 'u').test(to) && !/\b(?:not|never)\b/u.test(plain))
    return placed(moved, to.replace(/^(?:into|to) /u, 'in '), false, names);
  const [, zhThing = '', zhNot, zhWhere = ''] = ZH_PLACE.exec(plain) ?? [];
  return zhWhere === ''
    ? undefined
    : placed(zhThing, zhWhere.replace(/(?:里面|里|内|中|了)$/u, ''), zhNot !== undefined, names);
};

function placed(
  thing: string,
  where: string,
  negated: boolean,
  names: Parameters<Reader>[0]['names'],
): Draft | undefined {
  const subject = subjectOf(thing, names);
  const value = expanded(where, names)?.replace(/^(?:in|inside|at) /u, '');
  if (subject === undefined || value === undefined || value === '') return undefined;
  return { subject, predicate: 'location', value, negated, class: 'machine', confidence: 0.9 };
}

const EN_RESPONSIBLE =
  /^(<p\d+>|[\p{L} ]{2,40}?) (?:(?:is|are|was|will be)(?: (not|no longer))? (?:responsible for|in charge of)|takes? care of|looks? after|takes? over|handles)(?: any ?more)? (.+?)(?: any ?more)?$/u;
const ZH_BY = /^(.+?)(不再)?(?:由|归|让)(<p\d+>|\p{Script=Han}{2,4})(?:来)?(?:负责|管理?|接手|照看)/u;
const ZH_RESPONSIBLE = /^(<p\d+>|\p{Script=Han}{2,3}?)(不再)?(?:负责|接手|管)(?!人)(.+)$/u;

/** "Li Na is responsible for line two", 二号线由李娜负责. */
export const readResponsible: Reader = ({ plain, names }) => {
  const en = EN_RESPONSIBLE.exec(plain);
  const by = ZH_BY.exec(plain);
  const zh = ZH_RESPONSIBLE.exec(plain);
  const [who = '', not, what = ''] =
    en !== null ? [en[1], en[2], en[3]] : by !== null ? [by[3], by[2], by[1]] : [zh?.[1], zh?.[2], zh?.[3]];
  if (who === '' || what === '') return undefined;
  const value = who.startsWith('<') ? idOf(who, names) : who;
  const subject = subjectOf(what, names);
  if (value === undefined || subject === undefined) return undefined;
  return {
    subject,
    predicate: 'responsible',
    value,
    negated: not !== undefined,
    class: 'person',
    confidence: 0.9,
  };
};

const SUPPLIERS: readonly (readonly [RegExp, number, number])[] = [
  [/^supplier (?:of|for) (.+?) is( not| no longer)? (.+)$/u, 1, 3],
  [
    /^(.+?) (?:comes?|(?:is|are)(?: (?:not|no longer))? (?:supplied|delivered|bought)) (?:from|by)() (.+)$/u,
    1,
    3,
  ],
  [/^(?:we )?(?:buy|get|order) (.+?) from() (.+)$/u, 1, 3],
  [/^(.+?)的?供应商(不再)?是(.+)$/u, 1, 3],
  [/^(.+?)(不再)?由(.+?)(?:供应|供货|提供)/u, 1, 3],
  [/^(.+?)(不再)?(?:从|向|找)(.+?)(?:那里)?(?:买|采购|进货|订)/u, 1, 3],
];

/** "The supplier of the seals is Meyer", 密封件由大连公司供应. */
export const readSupplier: Reader = ({ plain, names }) => {
  for (const [pattern, what, who] of SUPPLIERS) {
    const found = pattern.exec(plain);
    if (found === null) continue;
    const subject = subjectOf(found[what] ?? '', names);
    const value = expanded(found[who] ?? '', names);
    if (subject === undefined || value === undefined || value === '') return undefined;
    const negated = /\b(?:not|no longer)\b|不是|不再/u.test(plain);
    return { subject, predicate: 'supplier', value, negated, class: 'machine', confidence: 0.9 };
  }
  return undefined;
};
