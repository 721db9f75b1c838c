import { type Reader, subjectOf } from './draft.ts';

interface Quantity {
  readonly name: string;
  readonly words: RegExp;
  readonly units: RegExp;
}

const QUANTITIES: readonly Quantity[] = [
  { name: 'temperature', words: /temperature|hot|温度/u, units: /^(?:degrees?|celsius|度|摄氏度)$/u },
  { name: 'pressure', words: /pressure|压力/u, units: /^(?:m?bar|[kmh]?pa|psi|巴|兆帕|千帕|帕|公斤)$/u },
  { name: 'speed', words: /speed|转速|速度/u, units: /^(?:rpm|hz|转|赫兹)$/u },
  { name: 'level', words: /level|液位|料位/u, units: /^$/u },
  { name: 'flow', words: /flow|流量/u, units: /^$/u },
  { name: 'vibration', words: /vibration|振动|震动/u, units: /^$/u },
  { name: 'current', words: /current|电流/u, units: /^(?:amps?|a|安培?|ma)$/u },
  { name: 'load', words: /load|负荷|负载/u, units: /^$/u },
];
const UNITS: Readonly<Record<string, string>> = {
  degree: 'degrees',
  celsius: 'degrees',
  度: 'degrees',
  摄氏度: 'degrees',
  巴: 'bar',
  兆帕: 'mpa',
  千帕: 'kpa',
  帕: 'pa',
  转: 'rpm',
  赫兹: 'hz',
  安: 'amps',
  安培: 'amps',
  amp: 'amps',
  百分之: 'percent',
  '%': 'percent',
  毫米: 'mm',
  秒: 'seconds',
  分钟: 'minutes',
};
const NUMBER = '(-?\\d+(?:\\.\\d+)?)';
const EN_WORD = '(?:limit|set ?point|target|threshold|maximum|minimum|max|min|alarm level)';
const EN_SET = new RegExp(
  `^((?:[a-z]+ ){0,3}?${EN_WORD}(?: [a-z]+)?) (?:for|of|on|at) (?:([a-z]+) (?:of|in|on|at) )?(<[mo]\\d+>)(?: ([a-z]+))? (is|must be|was)( not| no longer)? ${NUMBER} ?([a-z%]+)?`,
  'u',
);
const EN_OWN = new RegExp(
  `^(<[mo]\\d+>) ((?:[a-z]+ ){0,2}${EN_WORD}) (is|must be)( not| no longer)? ${NUMBER} ?([a-z%]+)?`,
  'u',
);
const EN_NEVER = new RegExp(
  `^(?:([a-z]+) (?:of|in|on) )?(<[mo]\\d+>) (?:[a-z]+ )?(?:must|may|should|can) (?:not|never) (?:run |go |be )?(exceed|above|over|below|under|hotter than|drop below)(?: than)? ${NUMBER} ?([a-z%]+)?`,
  'u',
);
const ZH_SET = new RegExp(
  `^(<[mo]\\d+>)的?(.{0,4}(?:上限|下限|限值|极限|最高|最低|最大|最小|设定值|设定点|目标|报警值).{0,4}?)(不再|不)?(?:是|为|改成|改为|设为|到)?(百分之)?${NUMBER}(.{0,4})$`,
  'u',
);
const ZH_NEVER = new RegExp(
  `^(<[mo]\\d+>)的?(.{0,4}?)(?:不能|不得|不可以?|不要|不应)(超过|高于|大于|低于|小于)(百分之)?${NUMBER}(.{0,4})$`,
  'u',
);

/** "The limit for oven two is 195 degrees", 二号炉温度上限是195度. */
export const readLimit: Reader = ({ plain, names }) => {
  const draft = (sign: string, words: string, value: string, unitWord: string, negated: boolean) => {
    const subject = subjectOf(sign, names);
    if (subject === undefined) return undefined;
    const unit = unitOf(unitWord);
    const unitPart = unit === undefined ? {} : { unit };
    const kind = /set ?point|target|设定|目标/u.test(words) ? 'setpoint' : 'limit';
    const isLower = /\bmin|minimum|below|under|lower|下限|最低|最小|低于|小于/u.test(words);
    const quantity = quantityOf(words, unitWord);
    const predicate = [kind, ...(isLower ? ['min'] : []), ...(quantity === undefined ? [] : [quantity])].join(
      '.',
    );
    return {
      subject,
      predicate,
      value: Number(value),
      ...unitPart,
      negated,
      class: 'machine',
      confidence: 0.9,
    } as const;
  };
  const set = EN_SET.exec(plain);
  if (set !== null)
    return draft(
      set[3] ?? '',
      `${set[1]} ${set[2] ?? ''} ${set[4] ?? ''}`,
      set[7] ?? '',
      set[8] ?? '',
      set[6] !== undefined,
    );
  const own = EN_OWN.exec(plain);
  if (own !== null)
    return draft(own[1] ?? '', own[2] ?? '', own[5] ?? '', own[6] ?? '', own[4] !== undefined);
  const never = EN_NEVER.exec(plain);
  if (never !== null)
    return draft(never[2] ?? '', `${never[1] ?? ''} ${never[3]}`, never[4] ?? '', never[5] ?? '', false);
  const zh = ZH_SET.exec(plain);
  if (zh !== null)
    return draft(zh[1] ?? '', zh[2] ?? '', zh[5] ?? '', zh[4] ?? zh[6] ?? '', zh[3] !== undefined);
  const zhNever = ZH_NEVER.exec(plain);
  if (zhNever === null) return undefined;
  return draft(
    zhNever[1] ?? '',
    `${zhNever[2]}${zhNever[3]}`,
    zhNever[5] ?? '',
    zhNever[4] ?? zhNever[6] ?? '',
    false,
  );
};

function unitOf(word: string): string | undefined {
  const plain = word.trim();
  if (plain === '') return undefined;
  return UNITS[plain] ?? plain;
}

function quantityOf(words: string, unit: string): string | undefined {
  return QUANTITIES.find((each) => each.words.test(words) || each.units.test(unit.trim() || '-'))?.name;
}
