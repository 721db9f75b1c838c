import type { JsonObject, JsonValue } from '../../src/domain/json.ts';
import type { SayValue, Sentence } from '../../src/domain/tool/say.ts';
import { isObject, objectsOf, optionalText, textOf } from './json.ts';

/** Longer texts are cut: nobody keeps more of a spoken answer in mind. */
const MAX_SAID = 200;

/** Something remembered, as a capability of memory gives it: words of others, to be quoted and nothing else. */
export interface Remembered {
  readonly id: string;
  readonly text: string;
  /** ISO 8601. */
  readonly when: string;
  readonly source: string;
  readonly who: { readonly en: string; readonly zh: string } | undefined;
  /** Of a fact that is not simply believed. */
  readonly standing: 'pending' | 'disputed' | undefined;
  readonly raw: JsonObject;
}

export function rememberedIn(answer: JsonValue, key: 'items' | 'facts'): readonly Remembered[] {
  return objectsOf(isObject(answer) ? answer[key] : undefined, key).map(rememberedOf);
}

function rememberedOf(raw: JsonObject): Remembered {
  const who = raw['who'];
  const standing = raw['standing'];
  return {
    id: textOf(raw['id'], 'the id of a memory'),
    text: textOf(raw['text'], 'the text of a memory'),
    when: textOf(raw['when'], 'the time of a memory'),
    source: optionalText(raw['source']) ?? 'model',
    who: isObject(who) ? { en: textOf(who['en'], 'a name'), zh: textOf(who['zh'], 'a name') } : undefined,
    standing: standing === 'pending' || standing === 'disputed' ? standing : undefined,
    raw,
  };
}

const BY_SOURCE: Readonly<Record<string, string>> = {
  operator: 'said',
  plc: 'plc_said',
  tool: 'tool_said',
  report: 'report_said',
  mqtt: 'message_said',
};

/**
 * One thing remembered as it is told: who or what said it, when, and its words as a quotation. The phrases are `said_by`, `said`,
 * `plc_said`, `tool_said`, `report_said`, `message_said` and `model_said`; for a fact that is not simply believed `pending` or
 * `disputed` follows.
 */
export function sayRemembered({ text, when, source, who, standing }: Remembered): readonly Sentence[] {
  const values = { text: quoted(text), time: { kind: 'time', at: when } } as const;
  const said: Sentence =
    who === undefined || source !== 'operator'
      ? { phrase: BY_SOURCE[source] ?? 'model_said', values }
      : { phrase: 'said_by', values: { ...values, who: { kind: 'text', ...who } } };
  return standing === undefined ? [said] : [said, { phrase: standing, values: {} }];
}

/** The words of somebody, without marks that would end the quotation or break the line. */
export function quoted(text: string): SayValue {
  if (!MARK.test(text)) return cut(text);
  return { kind: 'text', en: cut(withoutMarks(text, 'en')), zh: cut(withoutMarks(text, 'zh')) };
}

/** What stands where something was not kept. */
const MARK = /\[(phone|id|email|address|card|secret)(?::[0-9a-f]+)?\]/u;
const NOT_KEPT: Readonly<Record<string, { readonly en: string; readonly zh: string }>> = {
  phone: { en: 'a telephone number that I do not keep', zh: '一个未保存的电话号码' },
  id: { en: 'an identity number that I do not keep', zh: '一个未保存的证件号' },
  email: { en: 'an e-mail address that I do not keep', zh: '一个未保存的邮箱' },
  address: { en: 'an address that I do not keep', zh: '一个未保存的地址' },
  card: { en: 'a card number that I do not keep', zh: '一个未保存的卡号' },
  secret: { en: 'something secret that I do not keep', zh: '一项未保存的密码' },
};

function withoutMarks(text: string, language: 'en' | 'zh'): string {
  return text.replace(new RegExp(MARK, 'gu'), (mark, kind: string) => NOT_KEPT[kind]?.[language] ?? mark);
}

function cut(text: string): string {
  const plain = text
    .replace(/[\p{Cc}\p{Cf}“”"「」]+/gu, ' ')
    .replace(/\s+/gu, ' ')
    .replace(/[.。!！;；\s]+$/u, '')
    .trim();
  const characters = [...plain];
  return characters.length <= MAX_SAID ? plain : `${characters.slice(0, MAX_SAID).join('')}…`;
}
