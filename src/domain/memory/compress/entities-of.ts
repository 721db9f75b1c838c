import { localTime } from '../../history/local-time.ts';
import { isoDay } from '../../history/shift-calendar.ts';
import type { Language } from '../../language/language.ts';
import type { Entity } from '../episode.ts';
import type { Mention } from '../mention.ts';
import { type DayPhrase, dayPhrases, type SaidAt } from '../words/day-phrases.ts';
import { sameLengthForm } from '../words/same-length-form.ts';
import { QUANTITIES } from '../words/signals.ts';

/** An entity and where it stands in the text; `end` is not included. */
export interface PlacedEntity {
  readonly entity: Entity;
  readonly start: number;
  readonly end: number;
}

const MAX_TEXT = 200;
const EMAIL = /\[email:[0-9a-f]{16}\]/gu;
const ANY_MARK = /\[(?:phone|id|address|card):[0-9a-f]{16}\]|\[secret\]/gu;
const PART_NUMBER =
  /(?<![\w-])(?=[A-Z0-9-]*[A-Z])(?=[A-Z0-9 -]*\d[A-Z0-9 -]*\d[A-Z0-9 -]*\d)[A-Z0-9]{3,}(?:[ -](?=[A-Z0-9-]*\d)[A-Z0-9]{3,})+(?![\w-])|(?<![\w-])(?=[A-Z0-9]*[A-Z][A-Z0-9]*\d)(?=(?:\D*\d){3})[A-Z0-9]{7,}(?![\w-])/gu;
const CODE = /(?<![\w-])(?:[A-Z]{1,4}-?\d{1,5}|[ef]-\d{2,4}|[ef]\d{3,4})(?![\w-]|\.\d)/gu;
const SPOKEN_CODE =
  /(?<![\w-])[ef] (?:(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|\d)(?: (?=(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|\d)\b)|\b)){2,4}|(?<![\w-])[EFef][零幺一二三四五六七拐八九]{2,4}/giu;
const PARTS: Readonly<Record<Language, RegExp>> = {
  en: /\b(?:(?:drive|shaft|mechanical|oil|air|ball|roller|conveyor|timing|hydraulic|fuel|water|spare) )?(?:seal kits?|seals?|bearings?|filters?|belts?|gaskets?|nozzles?|hoses?|couplings?|impellers?|o-rings?|fuses?|contactors?|relays?|sensors?|thermocouples?|gearbox(?:es)?|spare parts?|spares|grease)\b(?! (?:means|room))/giu,
  zh: /(?:机械|主轴|驱动|空气|液压|同步)?(?:密封[件圈]?|轴承|滤芯|滤网|过滤器|皮带|传送带|垫片|喷嘴|软管|联轴器|叶轮|保险丝|熔断器|接触器|继电器|传感器|热电偶|减速机|齿轮箱|备件|润滑脂|油封)/gu,
};

/** What a text names, from left to right and without overlaps; what stands first in a list of equals wins. */
export function entitiesOf(
  text: string,
  mentions: readonly Mention[],
  language: Language,
  said: SaidAt,
): readonly PlacedEntity[] {
  const form = sameLengthForm(text);
  const all: PlacedEntity[] = [
    ...mentions.map(ofMention),
    ...matches(form, text, EMAIL, 'email'),
    ...matches(form, text, ANY_MARK, 'email').map((each) => ({ ...each, entity: HIDDEN })),
    ...dayPhrases(text, language, said).map((phrase) => ofDay(phrase, said.timeZone)),
    ...matches(form, text, PART_NUMBER, 'part'),
    ...matches(form, text, CODE, 'code').map(withCodeId),
    ...matches(form, text, SPOKEN_CODE, 'code').map(withCodeId),
    ...matches(form, text, PARTS[language], 'part'),
    ...matches(form, text, new RegExp(QUANTITIES[language].source, 'giu'), 'number'),
  ];
  const chosen: PlacedEntity[] = [];
  for (const each of all)
    if (!chosen.some(({ start, end }) => each.start < end && each.end > start)) chosen.push(each);
  return chosen.filter(({ entity }) => entity !== HIDDEN).sort((a, b) => a.start - b.start);
}

/** Takes its place in the text so that nothing is found within, and is left out at the end. */
const HIDDEN: Entity = { kind: 'email', text: '[hidden]', exact: false };

function ofMention({ kind, text, start, end, candidates, exact }: Mention): PlacedEntity {
  const [id] = candidates;
  const isOne = candidates.length === 1 && id !== undefined;
  const entity = { kind, text: text.slice(0, MAX_TEXT), ...(isOne ? { id } : {}), exact: exact && isOne };
  return { entity, start, end };
}

function ofDay({ start, end, text, past, next }: DayPhrase, timeZone: string): PlacedEntity {
  const dayMs = next?.fromMs ?? past?.fromMs;
  const isSure = (past === undefined) !== (next === undefined) || past?.fromMs === next?.fromMs;
  const id = dayMs === undefined || !isSure ? {} : { id: isoDay(localTime(dayMs, timeZone)) };
  return { entity: { kind: 'date', text, ...id, exact: isSure }, start, end };
}

function matches(form: string, text: string, pattern: RegExp, kind: Entity['kind']): PlacedEntity[] {
  return [...form.matchAll(pattern)].map(({ 0: found, index }) => {
    const length = found.trimEnd().length;
    const entity = { kind, text: text.slice(index, index + length).slice(0, MAX_TEXT), exact: true };
    return { entity, start: index, end: index + length };
  });
}

const DIGITS: Readonly<Record<string, string>> = {
  zero: '0',
  oh: '0',
  one: '1',
  two: '2',
  three: '3',
  four: '4',
  five: '5',
  six: '6',
  seven: '7',
  eight: '8',
  nine: '9',
  零: '0',
  幺: '1',
  一: '1',
  二: '2',
  三: '3',
  四: '4',
  五: '5',
  六: '6',
  七: '7',
  拐: '7',
  八: '8',
  九: '9',
};

/** One spelling for a code: `E203`, "e two oh three" and E二零三 are `E-203`. */
export function codeId(text: string): string {
  const form = sameLengthForm(text)
    .toLowerCase()
    .replace(/[a-z]{3,}|\p{Script=Han}/gu, (word) => DIGITS[word] ?? word)
    .replace(/(?<=^[ef]) oh(?= )| oh\b/gu, '0');
  const [, letters = '', digits = ''] = /^([a-z]+)-?(\d+)$/u.exec(form.replace(/\s/gu, '')) ?? [];
  return letters === '' ? text : `${letters.toUpperCase()}-${digits}`;
}

function withCodeId(placed: PlacedEntity): PlacedEntity {
  return { ...placed, entity: { ...placed.entity, id: codeId(placed.entity.text) } };
}
