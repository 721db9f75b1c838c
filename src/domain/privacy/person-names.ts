import type { FormPlace } from './person-forms.ts';
import { folded, type Replacement, WordReplacer } from './word-replacer.ts';

/** A form of somebody, and what stands in its place. */
export interface NamedForm {
  readonly text: string;
  readonly place: FormPlace;
  readonly by: string;
}

export interface PersonNamesOptions {
  readonly forms: readonly NamedForm[];
  /** Words that are left alone, with everything in them: names of machines, ordinary words. */
  readonly keep?: readonly string[];
  /** What stands in the place of whoever has this id; undefined for one whose name is left alone beside the id. */
  readonly ids?: ReadonlyMap<string, Replacement>;
  /** What else is replaced in texts, such as telephone numbers; each pattern is global. */
  readonly masks?: readonly Mask[];
}

export interface Mask {
  readonly pattern: RegExp;
  readonly by: string;
}

/** Fields that hold a person, by id or by name. */
const PERSON_FIELDS: ReadonlySet<string> = new Set([
  'person',
  'person_id',
  'person_name',
  'by',
  'known',
  'user',
  'user_id',
  'userId',
  'created_by',
  'createdBy',
  'acknowledged_by',
  'resolved_by',
  'holder',
  'caller',
  'speaker',
  'ended_by',
  'to',
]);
const BADGE_FIELDS: ReadonlySet<string> = new Set(['badge', 'card']);
const BEHIND_BADGE =
  /((?:badge|card|工牌|胸卡|工号|卡号)(?:\s*(?:no\.?|number|号码?|#|:|：|is|是))*\s*)([\p{L}\p{N}-]+)/giu;

/** The words that name people, found in texts and in JSON. Keys, numbers and machine names stay as they are. */
export class PersonNames {
  readonly #words: WordReplacer;
  readonly #titled: WordReplacer;
  readonly #fields: ReadonlyMap<string, string>;
  readonly #badges: ReadonlyMap<string, string>;
  readonly #ids: ReadonlyMap<string, Replacement>;
  readonly #masks: readonly Mask[];

  constructor({ forms, keep = [], ids = new Map(), masks = [] }: PersonNamesOptions) {
    const kept = keep.map((word): [string, Replacement] => [folded(word), undefined]);
    const words = merged(forms, 'text');
    this.#words = new WordReplacer(new Map([...words, ...kept]));
    this.#titled = new WordReplacer(new Map([...merged(forms, 'titled'), ...kept]));
    this.#fields = new Map([...words, ...merged(forms, 'field')]);
    this.#badges = merged(forms, 'badge');
    this.#ids = ids;
    this.#masks = masks;
  }

  /** The text itself, when nobody is named in it. */
  inText(text: string): string {
    let found = this.#titled.replace(this.#words.replace(text));
    for (const { pattern, by } of this.#masks) found = found.replaceAll(pattern, () => by);
    if (this.#badges.size === 0) return found;
    return found.replaceAll(BEHIND_BADGE, (whole, before: string, badge: string) => {
      const by = this.#badges.get(folded(badge));
      return by === undefined ? whole : before + by;
    });
  }

  /** The value itself, when nobody is named in it. */
  inValue(value: unknown): unknown {
    return this.#walked(value, '', '');
  }

  #walked(value: unknown, key: string, above: string): unknown {
    if (typeof value === 'string') return this.#inField(value, key, above);
    if (Array.isArray(value)) return this.#inList(value, key, above);
    if (typeof value !== 'object' || value === null) return value;
    let changed = false;
    const members = Object.entries(value).map(([name, member]): [string, unknown] => {
      const replaced = this.#walked(member, name, key);
      changed ||= replaced !== member;
      return [name, replaced];
    });
    if (!changed) return value;
    const copy: Record<string, unknown> = Object.fromEntries(members);
    const namesake = this.#besideId(value);
    return namesake === undefined ? copy : { ...copy, ...namesake };
  }

  #inList(list: readonly unknown[], key: string, above: string): unknown {
    const replaced = list.map((item) => this.#walked(item, key, above));
    return replaced.every((item, index) => item === list[index]) ? list : replaced;
  }

  /** Of two people with one name, the id beside it says who is meant. */
  #besideId(value: object): { readonly name: unknown } | undefined {
    if (!('id' in value && 'name' in value) || typeof value.id !== 'string') return undefined;
    if (!this.#ids.has(value.id)) return undefined;
    return { name: this.#ids.get(value.id) ?? value.name };
  }

  #inField(text: string, key: string, above: string): string {
    const isPerson = PERSON_FIELDS.has(key) || ((key === 'id' || key === 'name') && PERSON_FIELDS.has(above));
    const whole = isPerson
      ? this.#fields.get(folded(text))
      : BADGE_FIELDS.has(key)
        ? this.#badges.get(folded(text))
        : undefined;
    return whole ?? this.inText(text);
  }
}

/** So many people are told apart behind one form. */
const MOST_NAMESAKES = 3;
const SEVERAL = 'several people';

function merged(forms: readonly NamedForm[], place: FormPlace): Map<string, string> {
  const found = new Map<string, string>();
  for (const form of forms) {
    if (form.place !== place) continue;
    const text = folded(form.text);
    const before = found.get(text);
    found.set(text, before === undefined ? form.by : together(before, form.by));
  }
  return found;
}

function together(before: string, by: string): string {
  if (before === SEVERAL || before.includes(by)) return before;
  return before.split('/').length < MOST_NAMESAKES ? `${before}/${by}` : SEVERAL;
}
