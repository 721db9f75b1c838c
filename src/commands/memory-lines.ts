import { aligned } from './aligned.ts';
import type {
  AboutReply,
  AddedReply,
  DayReply,
  EpisodeReply,
  ErasedReply,
  FactReply,
  LogReply,
  SearchReply,
  ShownReply,
} from './memory-replies.ts';
import { shownAge, shownTime } from './shown-time.ts';
import { terminalLine } from './terminal-text.ts';

/** What `hermes-edge memory …` shows people; `timeZone` is the site's. */

export function searchLines({ items, abstains, is_cut: isCut }: SearchReply, timeZone: string): string[] {
  const cut = isCut ? ['Not everything was looked through: the time was over.'] : [];
  if (items.length === 0) {
    const why = abstains === undefined ? '' : `: ${WHY_NOT[abstains] ?? abstains}`;
    return [terminalLine(`Nothing is remembered of that${why}.`), ...cut];
  }
  return [
    ...items.flatMap(({ score, coverage, age_s: ageS, episode }) => [
      terminalLine(
        `${score.toFixed(2)}  ${shownTime(episode.at, timeZone)}, ${shownAge(ageS)} ago  ${sourceText(episode)}  holds ${Math.round(coverage * 100)} %`,
      ),
      terminalLine(`      ${episode.text}`),
      terminalLine(`      ${episode.id}`),
    ]),
    ...cut,
  ];
}

const WHY_NOT: Readonly<Record<string, string>> = {
  nothing_like_it: 'nothing is like it',
  not_of_this_one: 'there is something like it, but not of this one',
  unknown_code: 'nobody has told of this code',
};

export function shownLines({ episode, facts, log }: ShownReply, timeZone: string): string[] {
  return [
    ...(episode === undefined ? ['What it was told in is forgotten.'] : episodeLines(episode, timeZone)),
    '',
    facts.length === 0 ? 'No facts were told in it.' : 'Facts',
    ...factLines(facts, timeZone),
    '',
    log.length === 0 ? 'The log has no entry of it (any more).' : 'Log',
    ...logLines(log, timeZone),
  ];
}

function episodeLines(episode: EpisodeReply, timeZone: string): string[] {
  const time = (iso: string): string => shownTime(iso, timeZone);
  const { origin, entities, deeds } = episode;
  return [
    `Episode ${episode.id}: ${episode.kind}, ${episode.class}${episode.is_key ? ', a key fact' : ''}`,
    `  ${episode.text}`,
    `  happened ${time(episode.at)}, recorded ${time(episode.recorded_at)}, confirmed ${time(episode.confirmed_at)} (${timeZone})`,
    `  from ${sourceText(episode)}: ${originText(origin)}; scope ${episode.scope}`,
    ...(episode.work_order === undefined
      ? []
      : [
          `  work order ${episode.work_order}${episode.closed_at === undefined ? '' : `, closed ${time(episode.closed_at)}`}`,
        ]),
    ...entities.map(
      ({ kind, text, id, exact }) =>
        `  names ${kind} "${text}"${id === undefined ? '' : ` = ${id}`}${exact ? '' : ' (only like it)'}`,
    ),
    ...deeds.map(
      ({ type, target, deadline, done }) =>
        `  ${done === false ? 'not done' : 'deed'}: ${[type, target, deadline].filter((part) => part !== undefined).join(' ')}`,
    ),
  ].map(terminalLine);
}

export function aboutLines({ mentions, facts, episodes }: AboutReply, timeZone: string): string[] {
  return [
    ...mentions.map(({ kind, text, candidates, exact }) =>
      terminalLine(`"${text}" is ${kind} ${candidates.join(' or ')}${exact ? '' : ' (only like it)'}`),
    ),
    '',
    facts.length === 0 ? 'No facts are known.' : 'Facts',
    ...factLines(facts, timeZone),
    '',
    episodes.length === 0 ? 'Nothing happened that is remembered.' : 'What happened last',
    ...aligned(episodes.map(({ at, id, text }) => [`  ${shownTime(at, timeZone)}`, text, id])),
  ];
}

/** Three lines a fact: what is believed, when it holds and was known, and where it came from. */
export function factLines(facts: readonly FactReply[], timeZone: string): string[] {
  return facts.flatMap((fact) => factText(fact, timeZone).map(terminalLine));
}

function factText(fact: FactReply, timeZone: string): string[] {
  const time = (iso: string): string => shownTime(iso, timeZone);
  const { value, unit, told } = fact;
  const standing = [
    fact.status,
    ...(fact.disputes === undefined ? [] : [`disputes ${fact.disputes}`]),
    ...(fact.superseded_at === undefined ? [] : [`no longer known since ${time(fact.superseded_at)}`]),
  ];
  return [
    `  ${fact.subject} ${fact.predicate} = ${value}${unit === undefined ? '' : ` ${unit}`}  [${standing.join(', ')}]`,
    `      holds from ${time(fact.valid_from)}${fact.valid_to === undefined ? '' : ` to ${time(fact.valid_to)}`}, known since ${time(fact.recorded_at)}, told ${told === 1 ? 'once' : `${told} times`}`,
    `      "${fact.text}" from ${sourceText(fact)}: ${originText(fact.origin)}${fact.episode === undefined ? '' : `, episode ${fact.episode}`}; ${fact.id}`,
  ];
}

export function logLines(entries: readonly LogReply[], timeZone: string): string[] {
  return aligned(
    entries.map(({ at, action, target, source, bytes_before: before, bytes_after: after }) => [
      `  ${shownTime(at, timeZone)}`,
      action,
      target,
      source,
      `${before} -> ${after} bytes`,
    ]),
  );
}

export function addedLines({ kind, episode, facts }: AddedReply): string[] {
  const told = facts.flatMap(({ what, fact }) =>
    fact === undefined
      ? []
      : [terminalLine(`  ${fact.subject} ${fact.predicate} = ${fact.value}: ${what}, ${fact.status}`)],
  );
  return [terminalLine(`${ADDED[kind]}${episode === undefined ? '' : `: ${episode.id}`}`), ...told];
}

const ADDED: Readonly<Record<AddedReply['kind'], string>> = {
  written: 'Remembered',
  refreshed: 'That was known; it counts as confirmed now',
  repeated: 'That was remembered before',
  waiting: 'Kept, and remembered with its right time once the clock is set',
  not_worth_it: 'Not remembered: it says nothing that could be known later',
};

export function erasedLines({ request, counts, byHand }: ErasedReply): string[] {
  return [
    `Erased; request ${request}`,
    ...aligned(Object.entries(counts).map(([store, count]) => [`  ${store}`, String(count)])),
    ...(byHand.length === 0 ? [] : ['Left to you:']),
    ...byHand.map((what) => terminalLine(`  ${what}`)),
  ];
}

export function dayLines({ day, memories, left_out: leftOut, damaged_bytes: damaged }: DayReply): string[] {
  return [
    `${memories.length + leftOut} memories of ${day}`,
    ...aligned(
      memories.map(({ id, memory: { text, class: of, source } }) => [
        `  ${id}`,
        shownWord(of),
        shownWord(source),
        shownWord(text),
      ]),
    ),
    ...(leftOut === 0 ? [] : [`and ${leftOut} more: zcat the file of the day`]),
    ...(damaged === 0 ? [] : [`${damaged} bytes of it cannot be read`]),
  ];
}

function shownWord(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function sourceText({ source, trust, by }: Pick<EpisodeReply, 'source' | 'trust' | 'by'>): string {
  return `${source} (trust ${trust}), ${by}`;
}

function originText({ kind, id, session_id: session }: EpisodeReply['origin']): string {
  return `${kind} ${id}${session === undefined ? '' : `, session ${session}`}`;
}
