import type { Language } from '../domain/language/language.ts';
import type { Phrasebook } from '../domain/phrases/phrasebook.ts';
import type { Clocks } from '../runtime/clocks.ts';
import type { Announcement } from './announcer.ts';
import type { TurnReport } from './turn-report.ts';

/** A value is said within this time of being read, or not at all. */
const VALUE_TRUE_FOR_MS = 5000;

/** The line for an answered turn; one that holds values is replaced when its turn to be said comes too late. */
export function answerLine(
  report: TurnReport,
  language: Language,
  parts: { readonly phrases: Phrasebook; readonly clocks: Clocks },
): Announcement | undefined {
  if (report.answer === undefined) return undefined;
  const line: Announcement = { text: report.answer, language, priority: 'answer' };
  if (report.readings.every(({ quality }) => quality !== 'good')) return line;
  const instead = parts.phrases.say(language, 'value_too_old');
  return { ...line, stale: { atMs: parts.clocks.monotonicMs() + VALUE_TRUE_FOR_MS, instead } };
}
