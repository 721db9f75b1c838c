import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../../src/domain/language/language.ts';
import {
  CATEGORIES,
  CORPUS_DIRECTORY,
  CORPUS_FILES,
  EPISODE_KINDS,
  QUESTION_SETS,
  type RecallEpisode,
  readCorpus,
} from '../../bench/recall/corpus.ts';

const { site, people, episodes, questions } = readCorpus();
const episodeOf = new Map(episodes.map((episode) => [episode.id, episode]));
const STRUCTURED: readonly RecallEpisode['kind'][] = ['alarm', 'work_order', 'diagnosis', 'tool_result'];

function twiceIn(ids: readonly string[]): readonly string[] {
  return ids.filter((id, at) => ids.indexOf(id) !== at);
}

function hasHan(text: string): boolean {
  return /\p{Script=Han}/u.test(text);
}

describe('the recall corpus', () => {
  it('is the one that was frozen', () => {
    const sums = CORPUS_FILES.map((file) => {
      const sum = createHash('sha256')
        .update(readFileSync(join(CORPUS_DIRECTORY, file)))
        .digest('hex');
      return `${sum}  ${file}\n`;
    });
    expect(sums.join('')).toBe(readFileSync(join(CORPUS_DIRECTORY, 'sha256sums'), 'utf8'));
  });

  it('has enough episodes and questions, and each id and question once', () => {
    expect(episodes.length).toBeGreaterThanOrEqual(340);
    expect(questions.length).toBeGreaterThanOrEqual(180);
    expect(twiceIn(episodes.map(({ id }) => id))).toEqual([]);
    expect(twiceIn(questions.map(({ id }) => id))).toEqual([]);
    expect(twiceIn(questions.map(({ text }) => text))).toEqual([]);
  });

  it('tells sixty days in order of time', () => {
    const times = episodes.map(({ at }) => Date.parse(at));
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(episodes.at(0)?.at.slice(0, 10)).toBe('2026-03-02');
    expect(episodes.at(-1)?.at.slice(0, 10)).toBe('2026-04-30');
    expect(new Set(episodes.map(({ at }) => at.slice(0, 10))).size).toBe(60);
  });

  it('names only machines, lines and people of its site', () => {
    const machines = new Set(site.machines.map(({ id }) => id));
    const lines = new Set(site.lines.map(({ id }) => id));
    const persons = new Set(people.map(({ id }) => id));
    expect(site.machines.filter(({ line }) => !lines.has(line))).toEqual([]);
    expect(site.aliases.filter(({ machine }) => !machines.has(machine))).toEqual([]);
    expect(episodes.filter(({ machine }) => machine !== undefined && !machines.has(machine))).toEqual([]);
    expect(episodes.filter(({ speaker }) => speaker !== undefined && !persons.has(speaker))).toEqual([]);
  });

  it('has a speaker for what people say and a machine for what structured sources say', () => {
    const wrong = episodes.filter(({ kind, source, speaker, machine }) => {
      const isStructured = STRUCTURED.includes(kind);
      return (
        (machine !== undefined) !== isStructured ||
        (speaker === undefined) !== isStructured ||
        (source === 'operator') === isStructured
      );
    });
    expect(wrong).toEqual([]);
    expect(new Set(episodes.map(({ kind }) => kind))).toEqual(new Set(EPISODE_KINDS));
  });

  it('has ten people, two of whom share a family name and a title', () => {
    expect(people).toHaveLength(10);
    const engineers = people.filter(({ names, title }) => names.zh.startsWith('张') && title.zh === '工程师');
    expect(engineers.map(({ id }) => id)).toEqual(['zhang-wei@maintenance', 'zhang-min@quality']);
  });

  it('marks Chinese as Chinese, and has enough of both languages', () => {
    expect(
      [...episodes, ...questions].filter(({ language, text }) => hasHan(text) !== (language === 'zh')),
    ).toEqual([]);
    const share = episodes.filter(({ language }) => language === 'zh').length / episodes.length;
    expect(share).toBeGreaterThan(0.4);
    expect(share).toBeLessThan(0.5);
    expect(questions.filter(({ language }) => language === 'zh').length).toBeGreaterThanOrEqual(80);
  });

  it('has evidence that exists and was told before the question, and none where there is no answer', () => {
    for (const { id, asked_at, category, evidence } of questions) {
      expect(evidence.length > 0, id).toBe(category !== 'unanswerable');
      expect(twiceIn(evidence), id).toEqual([]);
      for (const told of evidence) {
        const at = episodeOf.get(told)?.at;
        expect(at, `${id} ${told}`).toBeDefined();
        expect(Date.parse(at ?? '')).toBeLessThanOrEqual(Date.parse(asked_at));
      }
    }
  });

  it('asks from the tenth day on, in order of time', () => {
    const times = questions.map(({ asked_at }) => Date.parse(asked_at));
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(times.at(0)).toBeGreaterThanOrEqual(Date.parse('2026-03-11T00:00:00+08:00'));
    expect(times.at(-1)).toBeLessThan(Date.parse('2026-05-01T00:00:00+08:00'));
  });

  it('asks across the languages only for what the other language tells', () => {
    const same = questions.filter(
      ({ category, language, evidence }) =>
        category === 'cross_language' && evidence.some((told) => episodeOf.get(told)?.language === language),
    );
    expect(same).toEqual([]);
  });

  it('has enough questions of each category in each language', () => {
    const counts = CATEGORIES.map((category) => {
      const inIt = questions.filter((question) => question.category === category);
      return [category, ...LANGUAGES.map((of) => inIt.filter(({ language }) => language === of).length)];
    });
    expect(counts).toEqual([
      ['what', 6, 6],
      ['when', 6, 6],
      ['who', 6, 6],
      ['where', 4, 6],
      ['how_often', 5, 5],
      ['changed_fact', 10, 10],
      ['earlier_value', 6, 6],
      ['shift', 6, 6],
      ['date', 7, 7],
      ['code', 7, 7],
      ['alias', 6, 6],
      ['same_name', 7, 7],
      ['negation', 6, 6],
      ['cause', 6, 6],
      ['how_to_last_time', 6, 6],
      ['cross_language', 10, 10],
      ['unanswerable', 21, 21],
    ]);
  });

  it('is halved evenly in each category and language', () => {
    const [tune, final] = QUESTION_SETS;
    const sizeOf = (set: string, of: (question: (typeof questions)[number]) => boolean): number =>
      questions.filter((question) => question.set === set && of(question)).length;
    const uneven = CATEGORIES.flatMap((category) =>
      LANGUAGES.filter((language) => {
        const of = (question: (typeof questions)[number]): boolean =>
          question.category === category && question.language === language;
        return Math.abs(sizeOf(tune, of) - sizeOf(final, of)) > 1;
      }).map((language) => `${category} ${language}`),
    );
    expect(uneven).toEqual([]);
    expect(Math.abs(sizeOf(tune, () => true) - sizeOf(final, () => true))).toBeLessThanOrEqual(1);
  });
});
