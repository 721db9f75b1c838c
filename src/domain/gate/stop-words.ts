import type { MatchOutcome, Meaning } from '../intent/meaning.ts';
import type { Language } from '../language/language.ts';
import { normalise } from '../language/tokens.ts';

/** Which meaning a sentence with several takes before all others: the one that changes least. */
const SAFEST_FIRST = ['emergency_stop', 'stop', 'cancel'];

/** What is said in an emergency, whatever else is said with it. */
const EMERGENCY: Readonly<Record<Language, RegExp>> = {
  en: /\bemergency stop\b/u,
  zh: /急停|紧急停(?:止|机)/u,
};

const NO_SLOTS: Meaning['slots'] = {};

/**
 * A sentence that can mean an emergency stop, a stop or a cancel means it, whatever else it can mean. One that means
 * nothing and has an emergency stop in it ("emergency stop pump three") is one: it is answered with the red button, and
 * no machine is touched.
 */
export function safestMeaning(match: MatchOutcome, text: string, language: Language): MatchOutcome {
  if (match.kind === 'match') return match;
  if (match.kind === 'none')
    return saysEmergency(text, language)
      ? { kind: 'match', meaning: { intent: 'emergency_stop', slots: NO_SLOTS } }
      : match;
  const [meaning] = SAFEST_FIRST.flatMap(
    (intent) => match.meanings.find((each) => each.intent === intent) ?? [],
  );
  return meaning === undefined ? match : { kind: 'match', meaning };
}

function saysEmergency(text: string, language: Language): boolean {
  const form = normalise(text, language).replace(/\s+/gu, language === 'zh' ? '' : ' ');
  return EMERGENCY[language].test(form);
}

/** These end what is pending and silence speech; they stop no machine. */
export function isInterrupt(match: MatchOutcome): boolean {
  return match.kind === 'match' && SAFEST_FIRST.includes(match.meaning.intent);
}

export function isEmergency(match: MatchOutcome): boolean {
  return match.kind === 'match' && match.meaning.intent === 'emergency_stop';
}

interface Book {
  match(text: string): MatchOutcome;
}

/** Words that make an interrupt of something else when a hall's noise is taken for one. */
const ADDED: Readonly<Record<Language, readonly string[]>> = {
  en: ['stop', 'emergency', 'now', 'everything', 'line'],
  zh: ['停止', '紧急', '急停', '立即', '全部', '产线'],
};

/** Longer sentences are more than one word away from the longest stop. */
const MAX_WORDS_NEAR_STOP = 8;

/**
 * Whether a sentence that was heard would have been "stop" or "emergency stop" with one word less or more: "stop boiler",
 * where the site has a boiler. Such a one is asked for in full ("stop the boiler"). `words` as the recogniser gave them;
 * typed sentences lose no words.
 */
export function isOneWordFromStop(words: readonly string[], language: Language, book: Book): boolean {
  const isStop = (changed: readonly string[]): boolean => {
    const match = book.match(changed.join(' '));
    return (
      match.kind !== 'none' && (match.kind === 'tie' ? match.meanings : [match.meaning]).some(isStopping)
    );
  };
  if (words.length > MAX_WORDS_NEAR_STOP) return false;
  return (
    words.some((_, at) => isStop([...words.slice(0, at), ...words.slice(at + 1)])) ||
    ADDED[language].some((word) =>
      Array.from({ length: words.length + 1 }, (_, at) => at).some((at) =>
        isStop([...words.slice(0, at), word, ...words.slice(at)]),
      ),
    )
  );
}

function isStopping({ intent }: Meaning): boolean {
  return intent === 'stop' || intent === 'emergency_stop';
}
