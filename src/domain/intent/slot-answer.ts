import type { MatchOutcome, Meaning } from './meaning.ts';

/** The intent of a bare value: a name, a place in a list, a number. It answers a question, and is nothing without one. */
export const BARE_VALUE = 'choose';

/** A question about one slot of what was understood so far. */
export interface SlotQuestion {
  readonly meaning: Meaning;
  /** The slot that the answer fills. */
  readonly slot: string;
  /** Ids to choose from, in the order they were named if they were. */
  readonly choices: readonly string[];
  /** Whether the question named them: only then is there a first and a second. */
  readonly named: boolean;
}

/**
 * What an answer makes of a question, also one that means several names; undefined when it answers something else. Only a
 * bare value answers. A whole sentence means what it says, whatever it names: taken for an answer, "inspect machine twelve"
 * would carry out what the question was about.
 */
export function answeredMatch(
  question: SlotQuestion,
  answer: MatchOutcome,
): Exclude<MatchOutcome, { kind: 'none' }> | undefined {
  if (answer.kind === 'none') return undefined;
  const given = answer.kind === 'match' ? [answer.meaning] : answer.meanings;
  if (given.some(({ intent }) => intent !== BARE_VALUE)) return undefined;
  const meanings = given.flatMap((meaning) => answeredBy(question, meaning) ?? []);
  const [meaning] = meanings;
  if (meaning === undefined) return undefined;
  return meanings.length === 1 ? { kind: 'match', meaning } : { kind: 'tie', meanings };
}

function answeredBy(question: SlotQuestion, { slots: said }: Meaning): Meaning | undefined {
  const ordinal = question.named ? said['ordinal'] : undefined;
  const place = ordinal?.value === 'last' ? question.choices.length : Number(ordinal?.value ?? 0);
  const chosen = question.choices[place - 1];
  const given =
    ordinal !== undefined && chosen !== undefined
      ? { value: chosen, spoken: ordinal.spoken }
      : said[question.slot === 'other_machine' ? 'machine' : question.slot];
  if (given === undefined) return undefined;
  const { intent, slots } = question.meaning;
  return { intent, slots: { ...slots, [question.slot]: given } };
}
