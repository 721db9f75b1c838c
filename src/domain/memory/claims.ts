import { asksToRemember } from './capture-rules.ts';
import type { Draft, Reader } from './claims/draft.ts';
import { plainSentence } from './claims/plain-sentence.ts';
import { readLimit } from './claims/read-limit.ts';
import { readAlias, readMeaning, readState } from './claims/read-name.ts';
import { readNote } from './claims/read-note.ts';
import { readPlace, readResponsible, readSupplier } from './claims/read-place.ts';
import { validityOf } from './claims/validity.ts';
import { entitiesOf } from './compress/entities-of.ts';
import type { Episode } from './episode.ts';
import type { Claim } from './fact.ts';
import type { Mention } from './mention.ts';
import { MARK } from './redact.ts';
import { dayPhrases } from './words/day-phrases.ts';
import { sameLengthForm } from './words/same-length-form.ts';
import { QUESTIONS } from './words/talk.ts';

/** What claims depend on besides the episode. */
export interface ClaimSetting {
  /** IANA name of the zone the site lives by. */
  readonly timeZone: string;
  /** Somebody asked for it to be remembered. */
  readonly isWish: boolean;
}

const READERS: readonly Reader[] = [
  readAlias,
  readMeaning,
  readLimit,
  readState,
  readResponsible,
  readSupplier,
  readPlace,
];
const MAX_CLAIMS = 20;
const SENTENCE_END = /[。！？；;!?\n]+|\.(?=\s|$)/gu;
/** Classes in which a statement without a pattern is worth a note. */
const LASTING: ReadonlySet<Episode['class']> = new Set(['machine', 'safety']);

/**
 * The facts that an episode states, in its order; `mentions` are those of its text. Only certain names become subjects. The text is read,
 * never followed: an instruction in it is a sentence like any other.
 */
export function claimsOf(
  episode: Episode,
  mentions: readonly Mention[],
  { timeZone, isWish }: ClaimSetting,
): readonly Claim[] {
  const { text, language, atMs } = episode;
  const said = { atMs, timeZone };
  const days = dayPhrases(text, language, said);
  const marks = [...text.matchAll(MARK)].map(({ 0: mark, index }) => ({
    start: index,
    end: index + mark.length,
  }));
  const entities = entitiesOf(text, mentions, language, said);
  const isNoted = isWish || LASTING.has(episode.class) || asksToRemember(text, language);
  return sentencesOf(text)
    .flatMap((place): Claim[] => {
      const sentence = text.slice(place.from, place.to).trim();
      const { hidden, ...validity } = validityOf({ text, ...place }, days, atMs, language);
      const plain = plainSentence(text, language, place, entities, [...hidden, ...marks]);
      if (plain.plain === '' || isQuestion(sentence, plain.plain, text[place.to], language)) return [];
      let draft: Draft | undefined;
      for (const read of READERS) draft ??= read(plain);
      if (draft === undefined && isNoted) {
        const signs = plain.plain.match(/<[mco]\d+>/gu) ?? [];
        draft = readNote(plain, language, signs[0]);
      }
      return draft === undefined ? [] : [claimOf(episode, draft, validity, sentence)];
    })
    .slice(0, MAX_CLAIMS);
}

function claimOf(
  episode: Episode,
  draft: Draft,
  validity: Pick<Claim, 'validFromMs' | 'validToMs'>,
  sentence: string,
): Claim {
  const { scope, language, source, origin, userId } = episode;
  const memoryClass = classOf(episode, draft, validity);
  // A safety remark that names yesterday is not over: that was when somebody said it.
  const holds = memoryClass === 'safety' ? { validFromMs: episode.atMs } : validity;
  return {
    ...draft,
    ...holds,
    predicate: draft.predicate.slice(0, 200),
    class: memoryClass,
    scope,
    text: sentence.slice(0, 1000),
    language,
    source,
    origin,
    userId,
    episodeId: episode.id,
  };
}

/** What a sentence gives an end is a fact of that time; a safety remark stays one. */
function classOf(episode: Episode, draft: Draft, { validToMs }: Pick<Claim, 'validToMs'>): Claim['class'] {
  if (draft.predicate.startsWith('note.') && episode.class === 'safety') return 'safety';
  return validToMs === undefined ? draft.class : 'transient';
}

function isQuestion(
  sentence: string,
  plain: string,
  end: string | undefined,
  language: Episode['language'],
): boolean {
  return (
    end === '?' ||
    end === '？' ||
    QUESTIONS[language].test(language === 'en' ? sentence.toLowerCase() : plain)
  );
}

function sentencesOf(text: string): readonly { readonly from: number; readonly to: number }[] {
  const places: { readonly from: number; readonly to: number }[] = [];
  let from = 0;
  for (const { 0: sign, index } of sameLengthForm(text).matchAll(SENTENCE_END)) {
    places.push({ from, to: index });
    from = index + sign.length;
  }
  places.push({ from, to: text.length });
  return places.filter((place) => text.slice(place.from, place.to).trim() !== '');
}
