import type { Language } from '../language/language.ts';
import { normalise } from '../language/tokens.ts';
import type { Capture } from './capture.ts';
import { keySignals } from './key-fact.ts';
import type { MemoryClass } from './memory-class.ts';
import type { Mention } from './mention.ts';
import {
  ACTED_WORDS,
  INCIDENT_WORDS,
  LOGISTICS_WORDS,
  PASSING_WORDS,
  PERSON_WORDS,
  SAFETY_WORDS,
} from './words/class-words.ts';
import { sameLengthForm } from './words/same-length-form.ts';
import { CONSENTS, CONTROL, contentLength, QUESTIONS, REMEMBER, SMALL_TALK } from './words/talk.ts';

/** Why something is not remembered. */
export type NotCaptured = 'empty' | 'control' | 'consent' | 'small_talk' | 'question' | 'nothing_said';

export type CaptureDecision =
  | { readonly isCaptured: true; readonly class: MemoryClass }
  | { readonly isCaptured: false; readonly reason: NotCaptured };

/** What a machine or a person recorded in a form of its own: remembered whatever its words are. */
const STRUCTURED: ReadonlySet<Capture['kind']> = new Set(['tool_result', 'alarm', 'work_order', 'diagnosis']);
/** Codes, dates, times, numbers and e-mail addresses, and the marks of those that were taken out. */
const ENTITY =
  /\b[a-z]{1,4}-?\d{1,6}\b|\d|@|\[(?:phone|id|email|address|card):|[零一二三四五六七八九十百千两]{1,8}(?:号|度|转|个|次|天|点)|\b(?:zero|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand)\b/iu;
/** A mention alone is a name that was called; this much beside it says something. */
const MIN_SAID = 2;
/** In characters; longer is neither consent nor small talk. */
const LONGEST_TALK = 40;

/** Whether something is remembered, and as what; `mentions` are those of its text. */
export function decideCapture(capture: Capture, mentions: readonly Mention[]): CaptureDecision {
  const { text, language } = capture;
  const plain = plainTalk(text, language);
  if (plain === '') return { isCaptured: false, reason: 'empty' };
  if (!STRUCTURED.has(capture.kind)) {
    const reason = whyNot(capture, plain, mentions);
    if (reason !== undefined) return { isCaptured: false, reason };
  }
  return { isCaptured: true, class: classOf(capture, plain, mentions) };
}

/** Whether the words themselves ask for something to be kept. */
export function asksToRemember(text: string, language: Language): boolean {
  return REMEMBER[language].test(plainTalk(text, language));
}

function whyNot(capture: Capture, plain: string, mentions: readonly Mention[]): NotCaptured | undefined {
  const { text, language } = capture;
  if (contentLength(plain, language) === 0) return 'empty';
  // Nobody consents or greets at length, and the time these take grows steeply with it.
  if (plain.length <= LONGEST_TALK) {
    if (CONTROL[language].test(plain)) return 'control';
    if (CONSENTS[language].test(plain)) return 'consent';
    if (SMALL_TALK[language].test(plain)) return 'small_talk';
  }
  if (capture.isWish || REMEMBER[language].test(plain)) return undefined;
  if (QUESTIONS[language].test(plain) || /[?？]\s*$/u.test(text)) return 'question';
  if (SAFETY_WORDS[language].test(plain)) return undefined;
  const said = contentLength(withoutMentions(text, mentions, language), language);
  if (mentions.length > 0 || capture.about.length > 0) return said >= MIN_SAID ? undefined : 'nothing_said';
  const isFact = ENTITY.test(sameLengthForm(text)) || keySignals(text, language).length > 0;
  return isFact ? undefined : 'nothing_said';
}

function withoutMentions(text: string, mentions: readonly Mention[], language: Language): string {
  let rest = '';
  let at = 0;
  for (const { start, end } of mentions) {
    rest += `${text.slice(at, start)} `;
    at = end;
  }
  return plainTalk(rest + text.slice(at), language);
}

function plainTalk(text: string, language: Language): string {
  const form = normalise(text, language)
    .replace(/[^\p{L}\p{N}'@%.:-]+|[.:](?!\d)/gu, ' ')
    .trim();
  return language === 'zh' ? form.replace(/\s+/gu, '') : form.replace(/\s+/gu, ' ');
}

function classOf(capture: Capture, plain: string, mentions: readonly Mention[]): MemoryClass {
  const { kind, language, project } = capture;
  const says = (words: Readonly<Record<Language, RegExp>>): boolean => words[language].test(plain);
  const names = (wanted: 'machine' | 'person'): boolean =>
    mentions.some((each) => each.kind === wanted) || capture.about.some((each) => each.kind === wanted);
  if (kind !== 'tool_result' && says(SAFETY_WORDS)) return 'safety';
  if (project !== undefined || kind === 'work_order') return project === undefined ? 'incident' : 'project';
  if (kind === 'alarm' || kind === 'diagnosis') return 'incident';
  if (kind === 'tool_result')
    return says(INCIDENT_WORDS) ? 'incident' : says(ACTED_WORDS) ? 'episode' : 'summary';
  if (kind === 'command') return 'episode';
  if (says(LOGISTICS_WORDS)) return 'logistics';
  if (says(PERSON_WORDS) && names('person') && !says(PASSING_WORDS)) return 'person';
  const isLasting = (capture.isWish || REMEMBER[language].test(plain)) && !says(PASSING_WORDS);
  if (says(INCIDENT_WORDS) && !isLasting) return 'incident';
  if (says(PASSING_WORDS)) return 'transient';
  if (names('machine')) return isLasting || !isTold(plain, language) ? 'machine' : 'episode';
  return names('person') && isLasting ? 'person' : 'episode';
}

/** Says what happened once, rather than how something is. */
function isTold(plain: string, language: Language): boolean {
  return language === 'en'
    ? /\b(?:was|were|had|did|has been|have been|yesterday|ago|last (?:night|week|shift|month|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|\w{3,}ed)\b/u.test(
        plain,
      )
    : /[了过](?!滤|热|载|程|压)|昨[天晚日]|上(?:个?(?:周|月|班|星期))|刚才|前天/u.test(plain);
}
