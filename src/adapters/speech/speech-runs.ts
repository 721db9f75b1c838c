import type { Language } from '../../domain/language/language.ts';
import { numberToWords } from '../../domain/language/number-to-words.ts';

/** A piece of a line that one voice speaks, in that voice's own writing: pinyin with tone numbers for Chinese. */
export interface SpeechRun {
  readonly voice: Language;
  readonly text: string;
}

/** Chinese characters to pinyin with tone numbers and `v` for ü; other characters stay. */
export type ToPinyin = (text: string) => string;

const LATIN_WORD = /[A-Za-z](?:[A-Za-z'’]*[A-Za-z])?/g;
const HAN = /\p{Script=Han}/u;

/**
 * Divides a sayable text among the voices. In a Chinese line numbers become words (the pinyin voice loses the decimal
 * point), codes such as PLC are spelled letter by letter and other Latin words go to the English voice; Chinese
 * characters in an English line go to the Chinese one.
 */
export function speechRuns(text: string, language: Language, toPinyin: ToPinyin): readonly SpeechRun[] {
  const pieces = language === 'zh' ? chineseLine(text) : englishLine(text);
  return merged(pieces).map((run) => (run.voice === 'zh' ? { voice: 'zh', text: toPinyin(run.text) } : run));
}

function englishLine(text: string): SpeechRun[] {
  return text
    .split(/(\p{Script=Han}(?:[\p{Script=Han}，。、]*\p{Script=Han})?)/u)
    .map((piece) => ({ voice: HAN.test(piece) ? 'zh' : 'en', text: piece }));
}

function chineseLine(text: string): SpeechRun[] {
  const worded = numbersInWords(text);
  const runs: SpeechRun[] = [];
  let from = 0;
  for (const match of worded.matchAll(LATIN_WORD)) {
    const [word] = match;
    runs.push({ voice: 'zh', text: worded.slice(from, match.index) });
    runs.push(
      isSpelled(word)
        ? { voice: 'zh', text: ` ${[...word.toUpperCase()].join(' ')} ` }
        : { voice: 'en', text: word },
    );
    from = match.index + word.length;
  }
  runs.push({ voice: 'zh', text: worded.slice(from) });
  return runs;
}

/** PLC, kW and rpm are letters; Hermes is a word. */
function isSpelled(word: string): boolean {
  return word.length <= 2 || word === word.toUpperCase() || !/[aeiouy]/i.test(word);
}

function numbersInWords(text: string): string {
  const words = (number: string): string => numberToWords(Number(number), 'zh');
  return text
    .replace(/(?:°|º)\s?[CF](?![A-Za-z])|℃/g, '度')
    .replace(/(?<![\w.-])(-?\d{1,9}(?:\.\d{1,6})?)\s?%/g, (_, number: string) => `百分之${words(number)}`)
    .replace(/(?<![\w.-])-?(?:0|[1-9]\d{0,8})(?:\.\d{1,6})?(?![\w.]*\d)/g, words)
    .replace(/\d/g, words);
}

/** Neighbours of one voice become one run; a piece without a letter or digit belongs to the piece before it. */
function merged(pieces: readonly SpeechRun[]): SpeechRun[] {
  const runs: SpeechRun[] = [];
  for (const piece of pieces) {
    if (piece.text === '') continue;
    const last = runs.at(-1);
    if (last !== undefined && (last.voice === piece.voice || !/[\p{L}\p{N}]/u.test(piece.text)))
      runs[runs.length - 1] = { voice: last.voice, text: last.text + piece.text };
    else runs.push(piece);
  }
  return runs.filter((run) => /[\p{L}\p{N}]/u.test(run.text));
}
