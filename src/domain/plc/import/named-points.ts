import { freeId, hasHan, idOf, type Romanise, spokenOf } from './list-names.ts';
import type { ListedPoint } from './listed-point.ts';
import { isCipher, spokenComment } from './spoken-texts.ts';

/** What a machine is told from, the first that is given and finds one. */
export interface MachineRule {
  /** Its first group is the machine; what it matches is no part of the point's name. */
  readonly pattern?: RegExp;
  /** For rows that neither a column nor the pattern gives a machine. */
  readonly fallback?: string;
}

/** At least one each; the first is the one that is said. */
export interface SpokenNames {
  readonly en: readonly string[];
  readonly zh: readonly string[];
}

export interface NamedPoint {
  readonly listed: ListedPoint;
  readonly machine: string;
  readonly key: string;
  readonly names: SpokenNames;
  /** For whoever completes the file. */
  readonly remarks: readonly string[];
}

export interface NamedMachine {
  readonly id: string;
  readonly names: SpokenNames;
  readonly remarks: readonly string[];
}

export interface Naming {
  readonly machines: readonly NamedMachine[];
  readonly points: readonly NamedPoint[];
  readonly refused: readonly { readonly line: number; readonly name: string; readonly reason: string }[];
}

/** Gives every point its machine, its key and its spoken names, in the order of the list. */
export function namedPoints(listed: readonly ListedPoint[], rule: MachineRule, romanise: Romanise): Naming {
  const machines = new Map<string, NamedMachine>();
  const idOfMachine = new Map<string, string>();
  const firsts: FirstNamed[] = [];
  const refused: { line: number; name: string; reason: string }[] = [];
  const keyOfSpoken = new Map<string, string>();
  const keys = new Map<string, Set<string>>();
  const said = new Map<string, Set<string>>();
  for (const point of listed) {
    const { name, machine: machineText } = point.texts;
    const found = rule.pattern?.exec(name);
    const machineName = machineText || found?.[1]?.trim() || rule.fallback || '';
    if (machineName === '') {
      refused.push({ line: point.line, name, reason: 'no machine: give --machine ID for such rows' });
      continue;
    }
    let machine = idOfMachine.get(machineName);
    if (machine === undefined) {
      machine = freeId(idOf(machineName, romanise) || 'machine', (id) => machines.has(id));
      idOfMachine.set(machineName, machine);
      machines.set(machine, { id: machine, ...spokenPair([machineName], machine) });
    }
    const tag = found === null || found === undefined ? name : name.replace(found[0], '').trim() || name;
    const spoken = pointNames(point, tag);
    const used = said.get(machine) ?? new Set();
    said.set(machine, used);
    const remarks = new Set(spoken.remarks);
    const first = {
      en: uniqueName(spoken.names.en[0] ?? tag, 'en', used, remarks),
      zh: uniqueName(spoken.names.zh[0] ?? tag, 'zh', used, remarks),
    };
    const key = keyFor(machine, tag, first, point, { keys, keyOfSpoken }, romanise);
    firsts.push({ point, machine, key, first, names: spoken.names, remarks: [...remarks] });
  }
  return { machines: [...machines.values()], points: withOtherNames(firsts), refused };
}

interface FirstNamed {
  readonly point: ListedPoint;
  readonly machine: string;
  readonly key: string;
  readonly first: { readonly en: string; readonly zh: string };
  readonly names: SpokenNames;
  readonly remarks: readonly string[];
}

/** A further name counts where it means one point of its machine only: several rows may have one comment. */
function withOtherNames(points: readonly FirstNamed[]): NamedPoint[] {
  const uses = new Map<string, number>();
  const wordOf = (machine: string, language: 'en' | 'zh', name: string): string =>
    `${machine} ${language} ${name.toLowerCase()}`;
  for (const { machine, first, names } of points)
    for (const language of ['en', 'zh'] as const)
      for (const word of new Set(
        [first[language], ...names[language]].map((name) => wordOf(machine, language, name)),
      ))
        uses.set(word, (uses.get(word) ?? 0) + 1);
  return points.map(({ point, machine, key, first, names, remarks }) => {
    const namesIn = (language: 'en' | 'zh'): string[] => [
      first[language],
      ...names[language].slice(1).filter((name) => uses.get(wordOf(machine, language, name)) === 1),
    ];
    return { listed: point, machine, key, names: { en: namesIn('en'), zh: namesIn('zh') }, remarks };
  });
}

interface Known {
  readonly keys: Map<string, Set<string>>;
  /** What is called alike on two machines is one quantity, and has one key. */
  readonly keyOfSpoken: Map<string, string>;
}

function keyFor(
  machine: string,
  tag: string,
  names: FirstNamed['first'],
  point: ListedPoint,
  { keys, keyOfSpoken }: Known,
  romanise: Romanise,
): string {
  const own = keys.get(machine) ?? new Set();
  keys.set(machine, own);
  const spoken = [`en ${names.en.toLowerCase()}`, `zh ${names.zh.toLowerCase()}`];
  const shared = spoken.map((each) => keyOfSpoken.get(each)).find((each) => each !== undefined);
  const made = idOf(tag, romanise) || `${point.register.replace('_', '-')}-${point.wire}`;
  const key = shared !== undefined && !own.has(shared) ? shared : freeId(made, (id) => own.has(id));
  own.add(key);
  for (const each of spoken) if (!keyOfSpoken.has(each)) keyOfSpoken.set(each, key);
  return key;
}

/** The name of the list, then its comment; a name that says nothing gives way to the comment. */
function pointNames({ texts }: ListedPoint, tag: string): ReturnType<typeof spokenPair> {
  const comment = spokenComment(texts.comment);
  const spoken = comment !== '' && isCipher(tag) ? [comment] : [tag, comment];
  const found = spokenPair(spoken, tag, texts.name_en, texts.name_zh);
  const isTagOnly =
    texts.name_en === '' &&
    !hasHan(tag) &&
    spoken.length > 1 &&
    hasHan(comment) &&
    found.remarks.length === 0;
  return isTagOnly ? { ...found, remarks: ['check the English name'] } : found;
}

/** Both names from what the list has; one that is missing is the other. */
function spokenPair(
  texts: readonly string[],
  fallback: string,
  en = '',
  zh = '',
): { names: SpokenNames; remarks: string[] } {
  const spoken = texts.map(spokenOf);
  const english = distinct([spokenOf(en), ...spoken.filter((text) => !hasHan(text))]);
  const chinese = distinct([spokenOf(zh), ...spoken.filter(hasHan)]);
  const either = english.length > 0 ? english : chinese.length > 0 ? chinese : [fallback];
  return {
    names: { en: english.length > 0 ? english : either, zh: chinese.length > 0 ? chinese : either },
    remarks: [
      ...(english.length === 0 ? ['needs an English name'] : []),
      ...(chinese.length === 0 ? ['needs a Chinese name'] : []),
    ],
  };
}

function distinct(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return names.filter((name) => {
    const word = name.toLowerCase();
    return word !== '' && !seen.has(word) && seen.add(word);
  });
}

function uniqueName(name: string, language: string, used: Set<string>, remarks: Set<string>): string {
  const isUsed = (tried: string): boolean => used.has(`${language} ${tried.toLowerCase()}`);
  let free = name;
  for (let number = 2; isUsed(free); number += 1) free = `${name} ${number}`;
  if (free !== name) remarks.add(`"${name}" is the name of another point`);
  used.add(`${language} ${free.toLowerCase()}`);
  return free;
}
