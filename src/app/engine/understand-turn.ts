import type { MatchOutcome, Meaning } from '../../domain/intent/meaning.ts';
import { answeredMatch, BARE_VALUE } from '../../domain/intent/slot-answer.ts';
import { asksWhen } from '../../domain/memory/recall/need.ts';
import { LOOKING_INTENTS } from '../../domain/planning/looking-intents.ts';
import type { WriteMode } from '../../domain/plc/writing/write-order.ts';
import { type Completed, completeMeaning, slotId } from './complete-meaning.ts';
import { isValueDoubtful, machinesMistakable } from './doubtful-write.ts';
import type { EngineParts } from './engine-parts.ts';
import type { LiveSession } from './live-session.ts';
import type { TurnScope } from './turn-scope.ts';

export interface Understood {
  readonly completed: Exclude<Completed, { kind: 'none' }>;
  /** It answers the question that was open. */
  readonly answers: boolean;
}

interface Parts extends Pick<EngineParts, 'plant' | 'keywords' | 'asksForMemory'> {
  readonly writes: WriteMode;
}

/** What the likeness of words may lead to: it only looks, and touches no step of the ledger. */
const BY_LIKENESS = [...LOOKING_INTENTS, 'help'];

/**
 * What was meant: an answer to the open question, a sentence, or, for typed text, what its words are like. Undefined when
 * nothing is near; the session in PARSING has then been told of the templates, not of the likeness.
 */
export function understandTurn(
  session: LiveSession,
  scope: TurnScope,
  match: MatchOutcome,
  parts: Parts,
): Understood | undefined {
  const { question } = session;
  const understood = understand(session, scope, match, parts);
  if (understood === undefined || scope.caller.origin !== 'voice') return understood;
  const wasOffered = understood.answers && question?.slot === 'machine' && question.named;
  return { ...understood, completed: toldApart(understood.completed, scope, parts, wasOffered) };
}

/**
 * A write with the numbers in it weighed, also those that stood in the question that was answered. Where its machine may as
 * well be another one it is asked which, unless it was just chosen out of several, or is refused whichever it is.
 */
function toldApart(
  completed: Understood['completed'],
  scope: TurnScope,
  { plant, writes }: Parts,
  wasOffered: boolean,
): Understood['completed'] {
  if (completed.kind !== 'meaning') return completed;
  const { meaning } = completed;
  const { language } = scope;
  if (isValueDoubtful(meaning, language, plant)) {
    scope.evidence = { ...scope.evidence, digitsDoubtful: true };
    return completed;
  }
  const machine = slotId(meaning, 'machine');
  const others = wasOffered || writes === 'off' ? [] : machinesMistakable(meaning, language, plant);
  if (machine === undefined || others.length === 0) return completed;
  const { machine: _, ...slots } = meaning.slots;
  const { intent } = meaning;
  return {
    kind: 'ask',
    question: {
      kind: 'question',
      meaning: { intent, slots },
      slot: 'machine',
      choices: [machine, ...others],
      named: true,
    },
  };
}

function understand(
  session: LiveSession,
  scope: TurnScope,
  match: MatchOutcome,
  { plant, keywords, asksForMemory }: Parts,
): Understood | undefined {
  const { question } = session;
  if (question !== undefined && match.kind === 'match' && match.meaning.intent === 'repeat') {
    scope.meaning = match.meaning;
    return { completed: { kind: 'meaning', meaning: match.meaning }, answers: true };
  }
  const answered = question === undefined ? undefined : answeredMatch(question, match);
  const answer = answered === undefined ? undefined : completeMeaning(answered, plant);
  if (answered !== undefined && answer !== undefined && answer.kind !== 'none') {
    scope.meaning = answered.kind === 'match' ? answered.meaning : undefined;
    return { completed: answer, answers: true };
  }
  const completed = completeMeaning(match, plant);
  if (completed.kind !== 'none' && !(match.kind === 'match' && match.meaning.intent === BARE_VALUE)) {
    scope.meaning = match.kind === 'match' ? match.meaning : undefined;
    return { completed, answers: false };
  }
  session.apply({ type: 'not_understood' });
  const { text, language } = scope;
  const isTyped = scope.caller.origin !== 'voice';
  const likeliest = isTyped ? keywords(text, language) : undefined;
  if (isTyped && likeliest?.slots['quantity'] === undefined && asksForMemory(text, language)) {
    scope.meaning = questionToMemory(text);
    scope.evidence = { ...scope.evidence, source: 'keyword' };
    return { completed: { kind: 'meaning', meaning: scope.meaning }, answers: false };
  }
  const meaning = likeliest !== undefined && BY_LIKENESS.includes(likeliest.intent) ? likeliest : undefined;
  const likely = meaning === undefined ? undefined : completeMeaning({ kind: 'match', meaning }, plant);
  if (likely === undefined || likely.kind === 'none') return undefined;
  scope.meaning = meaning;
  scope.evidence = { ...scope.evidence, source: 'keyword' };
  scope.degradedBy = 'nlu';
  return { completed: likely, answers: false };
}

/** What a quantity was is in the history of its values; any other question about the past is one to memory, and only looks. */
function questionToMemory(text: string): Meaning {
  return { intent: asksWhen(text) ? 'when_last' : 'recall', slots: { note: { value: text, spoken: text } } };
}
