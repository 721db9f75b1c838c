import type { Language } from '../../language/language.ts';
import { numbersAt } from '../../language/numbers-at.ts';
import { tokenise } from '../../language/tokens.ts';
import type { PlacedEntity } from '../compress/entities-of.ts';
import { sameLengthForm } from '../words/same-length-form.ts';

/**
 * A sentence in one spelling, so that patterns need no variants: lower case, numbers as digits, without politeness, and each name,
 * code, part number and day as a sign of its own: `<m0>` for a machine or line, `<p1>` a person, `<o2>` a point, `<c3>` a code, `<n4>` a part number.
 */
export interface PlainSentence {
  readonly plain: string;
  readonly names: ReadonlyMap<string, PlacedEntity>;
}

const SIGNS: Readonly<Record<string, string>> = {
  machine: 'm',
  line: 'm',
  person: 'p',
  point: 'o',
  code: 'c',
};
/** No word of either language, and letters only: it stays one token. */
const PLACEHOLDER = 'zqx';
const LEFT_OUT: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: new Set(
    'the a an please um uh well so ok okay now just also number no. hermes hey currently really very actually then always usually'.split(
      ' ',
    ),
  ),
  zh: new Set([]),
};
const ZH_FILLERS =
  /请|麻烦你?|谢谢|现在|目前|已经|嗯|呃|啊|哦|其实|也|都|就(?!是)|(?:帮我|要|给我)?(?:记住|记得|记一下|记下|记着)|提醒(?:我|大家)|从?今天起|吧$|了$|呢$|很|非常|特别|总是|一直/gu;
const EN_OPENING =
  /^(?:(?:please|also|and|but|can you|could you|remember|note|keep in mind|make a note|remind (?:me|us)|do not forget|for the record|i|we|think|know|that|from) )*(?:remember|note|that|for record)(?: that)? |^(?:and|but) /u;

/** `from` and `to` are the sentence's place in the text; `hidden` are stretches that are left out, such as periods. */
export function plainSentence(
  text: string,
  language: Language,
  place: { readonly from: number; readonly to: number },
  entities: readonly PlacedEntity[],
  hidden: readonly { readonly start: number; readonly end: number }[],
): PlainSentence {
  const signs: { readonly start: number; readonly end: number; readonly word: string }[] = [];
  const names = new Map<string, PlacedEntity>();
  for (const each of hidden)
    if (each.start >= place.from && each.end <= place.to) signs.push({ ...each, word: ' ' });
  entities.forEach((each, index) => {
    const isPartNumber = each.entity.kind === 'part' && /\d/u.test(each.entity.text);
    const sign = isPartNumber ? 'n' : SIGNS[each.entity.kind];
    const isOutside = each.start < place.from || each.end > place.to;
    if (
      sign === undefined ||
      isOutside ||
      signs.some((other) => each.start < other.end && each.end > other.start)
    )
      return;
    names.set(`<${sign}${index}>`, each);
    signs.push({ start: each.start, end: each.end, word: ` ${PLACEHOLDER}${sign}${lettersOf(index)} ` });
  });
  const form = sameLengthForm(text);
  let marked = '';
  let at = place.from;
  for (const { start, end, word } of signs.sort((a, b) => a.start - b.start)) {
    marked += form.slice(at, start).replace(/zqx/giu, '') + word;
    at = end;
  }
  marked += form.slice(at, place.to).replace(/zqx/giu, '');
  return { plain: plainOf(marked, language), names };
}

function lettersOf(index: number): string {
  return [...String(index)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
}

function indexOf(letters: string): string {
  return [...letters].map((letter) => String('abcdefghij'.indexOf(letter))).join('');
}

function plainOf(marked: string, language: Language): string {
  const tokens = tokenise(language === 'zh' ? marked.replace(ZH_FILLERS, '') : marked, language);
  const words: string[] = [];
  for (let at = 0; at < tokens.length; ) {
    const [longest] = [...numbersAt(tokens, at, language)].sort((a, b) => b.end - a.end);
    const word = tokens[at]?.text ?? '';
    const sign = /^zqx([mpocn])([a-j]+)$/u.exec(word);
    if (longest !== undefined && !isOneself(tokens, at, language)) {
      words.push(String(longest.value));
      at = longest.end;
      continue;
    }
    if (sign !== null) words.push(`<${sign[1]}${indexOf(sign[2] ?? '')}>`);
    else if (!LEFT_OUT[language].has(word)) words.push(word);
    at += 1;
  }
  return language === 'zh' ? words.join('') : words.join(' ').replace(EN_OPENING, '').trim();
}

/** 一 in 一起, 一样, 一般 counts nothing. */
function isOneself(tokens: ReturnType<typeof tokenise>, at: number, language: Language): boolean {
  return language === 'zh' && tokens[at]?.text === '一' && /[起样般直些定]/u.test(tokens[at + 1]?.text ?? '');
}
