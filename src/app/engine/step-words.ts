import type { Language } from '../../domain/language/language.ts';
import { numberToWords } from '../../domain/language/number-to-words.ts';
import type { PhraseKey } from '../../domain/phrases/phrase-keys.ts';
import type { Phrasebook } from '../../domain/phrases/phrasebook.ts';
import type { Action } from '../../domain/session/action.ts';
import type { ToolErrorCode } from '../../domain/tool/tool-call.ts';
import type { ToolRunner } from '../ports/tool-runner.ts';

interface Parts {
  readonly phrases: Phrasebook;
  readonly tools: Pick<ToolRunner, 'contract'>;
}

/** A step of the ledger by its number and what it does, as "step three, the export". */
export function stepName(action: Action, parts: Parts, language: Language): string {
  const deed = parts.tools.contract(action.tool)?.deed[language] ?? action.tool;
  return parts.phrases.say(language, 'step_name', { number: numberToWords(action.step, language), deed });
}

export function stepNames(actions: readonly Action[], parts: Parts, language: Language): string {
  return parts.phrases.list(
    language,
    actions.map((action) => stepName(action, parts, language)),
  );
}

/** One phrase about some steps; nothing about none. */
export function aboutSteps(
  key: PhraseKey,
  actions: readonly Action[],
  parts: Parts,
  language: Language,
): readonly string[] {
  return actions.length === 0
    ? []
    : [parts.phrases.say(language, key, { steps: stepNames(actions, parts, language) })];
}

const FAILURES: Readonly<Record<ToolErrorCode, PhraseKey>> = {
  UNKNOWN_TOOL: 'tool_unavailable',
  INPUT_INVALID: 'tool_input_invalid',
  DENIED: 'denied',
  NOT_CONFIRMED: 'not_confirmed',
  TOOL_UNAVAILABLE: 'tool_unavailable',
  TOOL_BUSY: 'busy',
  TOOL_TIMEOUT: 'tool_timeout',
  TOOL_OOM: 'tool_failed',
  TOOL_CPU: 'tool_timeout',
  TOOL_FAILED: 'tool_failed',
  OUTPUT_INVALID: 'tool_failed',
  RECURSIVE_CALL: 'tool_failed',
  CALL_DEPTH_EXCEEDED: 'tool_failed',
  REPEATED_CALL: 'tool_failed',
  TOO_MANY_STEPS: 'tool_failed',
  CANCELLED: 'cancelled',
  OUTCOME_UNKNOWN: 'tool_outcome_unknown',
};

/** What is said of a call that failed: the reason in the words of a person, never those of the program. */
export function failureLine(code: ToolErrorCode, phrases: Phrasebook, language: Language): string {
  return phrases.say(language, FAILURES[code]);
}

/** Sentences one after the other. */
export function inOneBreath(lines: readonly string[], language: Language): string {
  return lines.filter((line) => line !== '').join(language === 'zh' ? '' : ' ');
}
