import type { Language } from '../language/language.ts';

/** How something is done, in one language. */
export interface ProcedureText {
  readonly title: string;
  readonly steps: readonly string[];
  /** Other words that it is found by. */
  readonly keywords: readonly string[];
}

export interface Procedure {
  /** The name of its file without language and ending. */
  readonly id: string;
  readonly texts: Readonly<Partial<Record<Language, ProcedureText>>>;
}

const MAX_STEPS = 50;
const MAX_STEP_CHARACTERS = 500;

/**
 * A procedure from Markdown: the first heading is its title, each item of a list a step, and a line `Keywords: a, b`
 * (关键词：甲，乙) names further words. Undefined for a text without a heading or without steps.
 */
export function parseProcedure(markdown: string): ProcedureText | undefined {
  let title: string | undefined;
  const steps: string[] = [];
  let keywords: readonly string[] = [];
  for (const line of markdown.split(/\r?\n/u)) {
    const [, heading] = /^#+\s+(.+)$/u.exec(line) ?? [];
    if (heading !== undefined) {
      title ??= withoutMarks(heading);
      continue;
    }
    const [, words] = /^(?:keywords|关键词)\s*[:：]\s*(.+)$/iu.exec(line) ?? [];
    if (words !== undefined) {
      keywords = words
        .split(/[,，、;；]/u)
        .map((word) => word.trim())
        .filter((word) => word !== '');
      continue;
    }
    const [, item] = /^\s{0,3}(?:\d{1,3}[.)]|[-*+])\s+(.+)$/u.exec(line) ?? [];
    if (item !== undefined) steps.push(withoutMarks(item));
    // An indented line goes on with the step above it.
    else if (/^\s{2,}\S/u.test(line) && steps.length > 0)
      steps.push(`${steps.pop() ?? ''} ${withoutMarks(line)}`);
  }
  if (title === undefined || steps.length === 0) return undefined;
  return {
    title,
    keywords,
    steps: steps.slice(0, MAX_STEPS).map((step) => [...step].slice(0, MAX_STEP_CHARACTERS).join('')),
  };
}

function withoutMarks(text: string): string {
  return text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/gu, '$1')
    .replace(/[*_`]+/gu, '')
    .trim();
}
