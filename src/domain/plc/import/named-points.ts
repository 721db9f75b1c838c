import { freeId, hasHan, idOf, type Romanise, spokenOf } from './list-names.ts';
import type { ListedPoint } from './listed-point.ts';

/** What a machine is told from, the first that is given and finds one. */
export interface MachineRule {
  /** Its first group is the machine; what it matches is no part of the point's name. */
  readonly pattern?: RegExp;
  /** For rows that neither a column nor the pattern gives a machine. */
  readonly fallback?: string;
}

export interface NamedPoint {
  readonly listed: ListedPoint;
  readonly machine: string;
  readonly key: string;
  readonly names: { readonly en: string; readonly zh: string };
  /** For whoever completes the file. */
  readonly remarks: readonly string[];
}

export interface NamedMachine {
  readonly id: string;
  readonly names: { readonly en: string; readonly zh: string };
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
  const points: NamedPoint[] = [];
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
    const remarks = [...spoken.remarks];
    const unique = {
      en: uniqueName(spoken.names.en, 'en', used, remarks),
      zh: uniqueName(spoken.names.zh, 'zh', used, remarks),
    };
    const key = keyFor(machine, tag, unique, point, { keys, keyOfSpoken }, romanise);
    points.push({ listed: point, machine, key, names: unique, remarks });
  }
  return { machines: [...machines.values()], points, refused };
}

interface Known {
  readonly keys: Map<string, Set<string>>;
  /** What is called alike on two machines is one quantity, and has one key. */
  readonly keyOfSpoken: Map<string, string>;
}

function keyFor(
  machine: string,
  tag: string,
  names: NamedPoint['names'],
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

function pointNames({ texts }: ListedPoint, tag: string): ReturnType<typeof spokenPair> {
  const { comment, name_en, name_zh } = texts;
  return spokenPair([comment, tag], tag, name_en, name_zh);
}

/** Both names from what the list has; one that is missing is the other. */
function spokenPair(
  texts: readonly string[],
  fallback: string,
  en = '',
  zh = '',
): { names: { en: string; zh: string }; remarks: string[] } {
  const spoken = texts.map(spokenOf).filter((text) => text !== '');
  const chinese = spokenOf(zh) || spoken.find(hasHan);
  const english = spokenOf(en) || spoken.find((text) => !hasHan(text));
  const either = english ?? chinese ?? fallback;
  // A comment of the list is what people call it; the tag beside it is for the program.
  const first = spoken[0];
  const names = { en: english ?? either, zh: chinese ?? either };
  const isTagOnly = english !== undefined && first !== undefined && hasHan(first) && spokenOf(en) === '';
  return {
    names,
    remarks: [
      ...(english === undefined ? ['needs an English name'] : isTagOnly ? ['check the English name'] : []),
      ...(chinese === undefined ? ['needs a Chinese name'] : []),
    ],
  };
}

function uniqueName(name: string, language: string, used: Set<string>, remarks: string[]): string {
  const isUsed = (tried: string): boolean => used.has(`${language} ${tried.toLowerCase()}`);
  let free = name;
  for (let number = 2; isUsed(free); number += 1) free = `${name} ${number}`;
  if (free !== name) remarks.push(`"${name}" is the name of another point`);
  used.add(`${language} ${free.toLowerCase()}`);
  return free;
}
