import { describe, expect, it } from 'vitest';
import { NO_SHIFTS } from '../../../../../src/domain/history/shift-calendar.ts';
import { type Episode, episodeSchema } from '../../../../../src/domain/memory/episode.ts';
import type { FindMentions } from '../../../../../src/domain/memory/mention.ts';
import { type RecallQuestion, readQuestion } from '../../../../../src/domain/memory/recall/question.ts';
import { type Candidate, type Ranking, rank } from '../../../../../src/domain/memory/recall/rank.ts';
import { shippedTerms } from '../../../../support/shipped-glossary.ts';

const TERMS = shippedTerms();
const NOW_MS = Date.parse('2026-04-16T10:00:00Z');
const DAY_MS = 86_400_000;

/** "pump seven" and "pump two", in both languages. */
const find: FindMentions = (text) =>
  [...text.matchAll(/pump (seven|two)|(七|二)号泵/gu)].map(({ 0: found, index }) => ({
    kind: 'machine',
    text: found,
    start: index,
    end: index + found.length,
    candidates: [/seven|七/u.test(found) ? 'pump-7' : 'pump-2'],
    exact: true,
  }));

function asked(text: string): RecallQuestion {
  const language = /\p{Script=Han}/u.test(text) ? 'zh' : 'en';
  const setting = { nowMs: NOW_MS, timeZone: 'UTC', shifts: NO_SHIFTS };
  return readQuestion(text, language, { find, terms: TERMS, setting });
}

function told(id: string, daysAgo: number, text: string, changes: Partial<Episode> = {}): Candidate {
  const atMs = NOW_MS - daysAgo * DAY_MS;
  const language = /\p{Script=Han}/u.test(text) ? 'zh' : 'en';
  const episode = episodeSchema.parse({
    id,
    atMs,
    recordedAtMs: atMs,
    confirmedAtMs: atMs,
    kind: 'note',
    source: 'operator',
    origin: { kind: 'turn', id },
    scope: 'site',
    userId: 'station-1',
    language,
    text,
    summary: text,
    entities: find(text, language).map(({ kind, text: as, candidates: [anchor] }) => ({
      kind,
      text: as,
      id: anchor,
      exact: true,
    })),
    deeds: [],
    class: 'episode',
    isKey: false,
    ...changes,
  });
  return { episode, score: 1 };
}

function ranked(question: string, candidates: readonly Candidate[]): Ranking {
  return rank(asked(question), candidates, { episodes: 400, holding: new Map() }, TERMS);
}

function order(question: string, candidates: readonly Candidate[]): readonly string[] {
  return ranked(question, candidates).ranked.map(({ episode }) => episode.id);
}

describe('what answers a question', () => {
  it('is of the machine that was asked about, not of its neighbour', () => {
    const candidates = [
      told('two', 1, 'the seal of pump two was replaced'),
      told('seven', 20, 'the seal of pump seven was replaced'),
    ];
    expect(order('who changed the seal of pump seven', candidates)[0]).toBe('seven');
  });

  it('is found in the other language', () => {
    const candidates = [told('bearing', 3, '七号泵的轴承换掉了'), told('filter', 2, '七号泵的滤网清洗过了')];
    expect(order('when was the bearing of pump seven changed', candidates)[0]).toBe('bearing');
  });

  it('is the newest where it is asked how it is now, and the one before where it is asked what it was', () => {
    const candidates = [
      told('old', 30, 'pressure of pump seven is set to 4.2 bar'),
      told('new', 2, 'pressure of pump seven is set to 4.5 bar'),
    ];
    expect(order('what is the pressure of pump seven set to now', candidates)[0]).toBe('new');
    expect(order('what was the pressure of pump seven set to before', candidates)[0]).toBe('old');
  });

  it('is of the day that was asked about', () => {
    const candidates = [
      told('then', 1, 'pump seven is dripping, I tightened the gland'),
      told('before', 9, 'pump seven is leaking badly, leaking at the seal'),
    ];
    expect(order('how was the leak of pump seven handled yesterday', candidates)[0]).toBe('then');
  });

  it('is what somebody said rather than a reading of the moment', () => {
    const candidates = [
      told('reading', 1, 'temperature of pump seven was 61 degrees', { kind: 'tool_result' }),
      told('limit', 9, 'temperature of pump seven must stay below 70 degrees'),
    ];
    expect(order('what temperature must pump seven stay below', candidates)[0]).toBe('limit');
  });
});

describe('nothing is answered', () => {
  it.each([
    [
      'of a code that never came',
      'what does E-907 mean on pump seven',
      'E-203 overtemperature, pump seven',
      'unknown_code',
    ],
    ['of another number', 'when was program 14 loaded', 'we run program 12 again', 'not_of_this_one'],
    [
      'of a day on which nothing happened',
      'why did pump seven stop yesterday',
      'pump seven stopped',
      'not_then',
    ],
    [
      'of something else of the same machine',
      'which gearbox does pump seven have',
      'pump seven is loud',
      'nothing_like_it',
    ],
  ])('%s', (_, question, text, why) => {
    expect(ranked(question, [told('only', 9, text)]).abstains).toBe(why);
  });

  it('where nothing was found', () => {
    expect(ranked('who cleaned pump seven', []).abstains).toBe('nothing_like_it');
  });

  it('unless the words are there', () => {
    expect(
      ranked('why did pump seven stop', [told('only', 9, 'pump seven stopped, the fuse was gone')]).abstains,
    ).toBeUndefined();
  });
});

describe('a question', () => {
  it.each([
    ['who changed the filter', 'who', 'any'],
    ['备件现在放在哪里', 'where', 'newest'],
    ['how often did pump seven trip', 'count', 'any'],
    ['what was the limit before the change', 'what', 'earlier'],
    ['第一次漏油是什么时候', 'when', 'oldest'],
    ['how was it repaired last time', 'way', 'newest'],
    ['why did the belt slip', 'cause', 'any'],
  ])('"%s" asks for: %s, %s', (text, wanted, which) => {
    expect(asked(text)).toMatchObject({ wanted, which });
  });

  it('leaves names and times out of its words', () => {
    const { words, mentions, period } = asked('who changed the seal of pump seven yesterday');
    expect(words.map(({ term }) => term)).toEqual(['chang', 'seal']);
    expect(mentions.map(({ candidates }) => candidates)).toEqual([['pump-7']]);
    expect(period).toEqual({ fromMs: Date.parse('2026-04-15'), toMs: Date.parse('2026-04-16') });
  });
});
