import { z } from 'zod';
import type { Language } from '../language/language.ts';
import type { SessionMessage } from './session-record.ts';

/** Turns that may go by before they are summarised. */
export const SUMMARY_AFTER_TURNS = 6;

const MOST_ENTITIES = 20;
const MOST_FIGURES = 15;
const MOST_DECISIONS = 10;
const LONGEST_LINE = 120;

const summarySchema = z.strictObject({
  /** The last message that is in it. */
  upToSeq: z.int().min(0),
  turns: z.int().min(0),
  /** Names of machines, points and people, the last mentioned last. */
  entities: z.array(z.string()).max(MOST_ENTITIES),
  /** Clauses with a number, as they were said. */
  figures: z.array(z.string().max(LONGEST_LINE)).max(MOST_FIGURES),
  /** Sentences that say what was decided or done. */
  decisions: z.array(z.string().max(LONGEST_LINE)).max(MOST_DECISIONS),
});

/** What is left of turns that were trimmed: never what they meant, only what was named, measured and decided in them. */
export type RollingSummary = z.infer<typeof summarySchema>;

const EMPTY: RollingSummary = { upToSeq: 0, turns: 0, entities: [], figures: [], decisions: [] };

const DECISION =
  /\b(confirm|cancel|undo|undid|set|wrote|written|write|sent|send|export|creat|clos|acknowledg|shelv|reset|refus|fail|approv|agree|decid|order)\w*\b|确认|取消|撤销|设为|设置|写入|已写|发送|已发|导出|创建|新建|关闭|搁置|复位|拒绝|失败|同意|决定|派单/iu;
const NUMBER = /\p{N}/u;
const CLAUSES = /[^。！？；;!?\n，,]+(?:,\d{3}\b[^。！？；;!?\n，,]*)*/gu;
const SENTENCES = /(?:[^。！？；;!?.\n]|\.(?=\S))+/gu;

/** Whether so many turns have gone by that the ones before them are to be summarised. */
export function summaryIsDue(
  messages: readonly SessionMessage[],
  summary: RollingSummary,
  afterTurns: number = SUMMARY_AFTER_TURNS,
): boolean {
  const fresh = messages.filter(({ seq }) => seq > summary.upToSeq);
  return new Set(fresh.map(({ turnId }) => turnId)).size >= afterTurns;
}

/**
 * A summary and the messages that go into it, made by rule: what is named of `names`, every clause with a number, every sentence
 * with a word of deciding or doing. Bounded: of each the oldest give way.
 */
export function summarise(
  summary: RollingSummary,
  messages: readonly SessionMessage[],
  names: readonly string[],
): RollingSummary {
  const fresh = messages.filter(({ seq }) => seq > summary.upToSeq);
  const texts = fresh.map(({ content }) => content);
  const isNamed = (text: string): readonly string[] => {
    const lower = text.toLowerCase();
    return names.filter((name) => name !== '' && holds(lower, name.toLowerCase()));
  };
  return {
    upToSeq: fresh.reduce((newest, { seq }) => Math.max(newest, seq), summary.upToSeq),
    turns: summary.turns + new Set(fresh.map(({ turnId }) => turnId)).size,
    entities: newest([...summary.entities, ...texts.flatMap(isNamed)], MOST_ENTITIES),
    figures: newest(
      [...summary.figures, ...texts.flatMap((text) => pieces(text, CLAUSES, NUMBER))],
      MOST_FIGURES,
    ),
    decisions: newest(
      [...summary.decisions, ...texts.flatMap((text) => pieces(text, SENTENCES, DECISION))],
      MOST_DECISIONS,
    ),
  };
}

const WORDS: Readonly<Record<Language, (summary: RollingSummary) => readonly string[]>> = {
  en: ({ turns, entities, figures, decisions }) => [
    `Earlier, ${turns} ${turns === 1 ? 'turn' : 'turns'}.`,
    ...(entities.length > 0 ? [`Named: ${entities.join(', ')}.`] : []),
    ...(figures.length > 0 ? [`Figures: ${figures.join('; ')}.`] : []),
    ...(decisions.length > 0 ? [`Decided or done: ${decisions.join('; ')}.`] : []),
  ],
  zh: ({ turns, entities, figures, decisions }) => [
    `此前共${turns}轮。`,
    ...(entities.length > 0 ? [`提到：${entities.join('、')}。`] : []),
    ...(figures.length > 0 ? [`数据：${figures.join('；')}。`] : []),
    ...(decisions.length > 0 ? [`决定与操作：${decisions.join('；')}。`] : []),
  ],
};

/** A summary as a person or a model reads it; empty when nothing was summarised. */
export function summaryText(summary: RollingSummary, language: Language): string {
  if (summary.turns === 0) return '';
  return WORDS[language](summary).join(language === 'en' ? ' ' : '');
}

export function encodeSummary(summary: RollingSummary): string {
  return summary.turns === 0 ? '' : JSON.stringify(summary);
}

/** A stored summary; what cannot be read is an empty one, since a session is worth more than the summary of its past. */
export function decodeSummary(text: string): RollingSummary {
  if (text === '') return EMPTY;
  const summary = summarySchema.safeParse(parseJson(text));
  return summary.success ? summary.data : EMPTY;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function pieces(text: string, cut: RegExp, wanted: RegExp): readonly string[] {
  return [...text.matchAll(cut)]
    .map(([piece]) => piece.trim())
    .filter((piece) => wanted.test(piece))
    .map((piece) => (piece.length <= LONGEST_LINE ? piece : `${piece.slice(0, LONGEST_LINE - 1)}…`));
}

/** A Latin name is held as a whole word: "A1" is not named by "A12". */
function holds(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const after = text[at + name.length] ?? ' ';
    const cutsBefore = isWordPart(before) && isWordPart(name[0] ?? ' ');
    const cutsAfter = isWordPart(after) && isWordPart(name.at(-1) ?? ' ');
    if (!cutsBefore && !cutsAfter) return true;
  }
  return false;
}

function isWordPart(sign: string): boolean {
  return /[\p{L}\p{N}]/u.test(sign) && !/\p{Script=Han}/u.test(sign);
}

/** Each once, where it was last said; the newest `most`. */
function newest(lines: readonly string[], most: number): string[] {
  const once = new Set<string>();
  for (const line of lines) {
    once.delete(line);
    once.add(line);
  }
  return [...once].slice(-most);
}
