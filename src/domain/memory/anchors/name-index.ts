import type { SpokenNames } from '../../plc/plant-model.ts';
import type { AnchorKind } from '../mention.ts';
import { type NameForm, type NameStep, nameForms } from './name-forms.ts';

/** Something of the site with what it is called. */
export interface SiteName {
  /** With its kind: `machine:pump-7`, `person:zhang-wei@maintenance`, `line:line-2`, `point:temperature`. */
  readonly id: string;
  readonly kind: AnchorKind;
  readonly names: SpokenNames;
}

/** What a form of a name leads to. */
export interface NamedHere {
  readonly id: string;
  readonly kind: AnchorKind;
  readonly rank: NameForm['rank'];
  readonly digitsOnly: boolean;
  readonly exact: boolean;
}

export interface NameNode {
  readonly words: Map<string, NameNode>;
  readonly numbers: Map<string, NameNode>;
  readonly named: NamedHere[];
}

/** A declared name, for what is only like it. */
export interface LikenessForm {
  readonly id: string;
  readonly kind: AnchorKind;
  readonly steps: readonly NameStep[];
}

/** The names of a site made ready for look-up; made once, and again when an alias comes or goes. */
export interface NameIndex {
  readonly root: NameNode;
  readonly declared: readonly LikenessForm[];
  /** Every name as it is written, for "did you mean". */
  readonly written: readonly string[];
  readonly ids: ReadonlySet<string>;
  /** Ids in the order of the site, for an order of candidates that stays. */
  readonly rankOf: ReadonlyMap<string, number>;
  /** The words of a thing's names that are no numbers: pump, 泵. */
  readonly nounsOf: ReadonlyMap<string, ReadonlySet<string>>;
  /** All of those of machines and lines. */
  readonly nouns: ReadonlySet<string>;
}

export function compileNames(names: readonly SiteName[]): NameIndex {
  const root = emptyNode();
  const declared: LikenessForm[] = [];
  const written = new Set<string>();
  const rankOf = new Map<string, number>();
  const nounsOf = new Map<string, Set<string>>();
  const allNouns = new Set<string>();
  for (const { id, kind, names: spoken } of names) {
    if (!rankOf.has(id)) rankOf.set(id, rankOf.size);
    const nouns = nounsOf.get(id) ?? new Set();
    nounsOf.set(id, nouns);
    const key = id.slice(id.indexOf(':') + 1);
    // A key of one word says no more than a name would, and the site chose other names.
    const typed = /[a-z0-9][-_@]?\d|[-_@]/u.test(key) ? [key] : [];
    for (const name of new Set([...spoken.en, ...spoken.zh, ...typed])) {
      for (const form of nameForms(name, kind)) {
        insert(root, form, { id, kind });
        if (form.rank === 'declared') {
          declared.push({ id, kind, steps: form.steps });
          for (const noun of nounsIn(form.steps)) {
            nouns.add(noun);
            if (kind === 'machine' || kind === 'line') allNouns.add(noun);
          }
        }
      }
    }
    for (const name of [...spoken.en, ...spoken.zh]) written.add(name);
  }
  const ids = new Set(rankOf.keys());
  return { root, declared, written: [...written], ids, rankOf, nounsOf, nouns: allNouns };
}

function emptyNode(): NameNode {
  return { words: new Map(), numbers: new Map(), named: [] };
}

function insert(node: NameNode, form: NameForm, { id, kind }: { id: string; kind: AnchorKind }): void {
  let ends = [node];
  for (const step of form.steps)
    ends =
      'word' in step
        ? ends.map((end) => child(end.words, step.word))
        : step.numbers.flatMap((key) => ends.map((end) => child(end.numbers, key)));
  const { rank, digitsOnly, exact } = form;
  for (const end of ends) {
    const same = end.named.find((known) => known.id === id && known.rank === rank);
    if (same === undefined) end.named.push({ id, kind, rank, digitsOnly, exact });
  }
}

function child(children: Map<string, NameNode>, key: string): NameNode {
  const present = children.get(key);
  if (present !== undefined) return present;
  const node = emptyNode();
  children.set(key, node);
  return node;
}

/** Words, and runs of characters with every end of them: 储气罐 is also a 罐. */
function nounsIn(steps: readonly NameStep[]): readonly string[] {
  const words = steps.flatMap((step) => ('word' in step && !step.isHan ? [step.word] : []));
  const characters = steps.map((step) => ('word' in step && step.isHan ? step.word : ' ')).join('');
  const runs = characters.split(' ').filter((run) => run !== '');
  return [...words, ...runs.flatMap((run) => [...run].map((_, index) => [...run].slice(index).join('')))];
}
