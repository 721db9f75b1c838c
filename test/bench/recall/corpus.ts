import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { LANGUAGES } from '../../../src/domain/language/language.ts';
import { parsePeople } from '../../../src/domain/people/people-file.ts';
import type { Person } from '../../../src/domain/people/person.ts';

/** Where the frozen corpus lies. */
export const CORPUS_DIRECTORY = join(import.meta.dirname, 'corpus');
/** The files of it whose SHA-256 the file `sha256sums` gives. */
export const CORPUS_FILES = ['site.json', 'people.csv', 'episodes.jsonl', 'questions.jsonl'] as const;

export const EPISODE_KINDS = ['note', 'command', 'alarm', 'work_order', 'diagnosis', 'tool_result'] as const;
export const CATEGORIES = [
  'what',
  'when',
  'who',
  'where',
  'how_often',
  'changed_fact',
  'earlier_value',
  'shift',
  'date',
  'code',
  'alias',
  'same_name',
  'negation',
  'cause',
  'how_to_last_time',
  'cross_language',
  'unanswerable',
] as const;
export const QUESTION_SETS = ['tune', 'final'] as const;

const text = z.string().trim().min(1).max(400);
const names = z.strictObject({ en: z.array(text).min(1), zh: z.array(text).min(1) });
const id = z.string().regex(/^[a-z]+(?:-\d+)?$/u);
const timeOfDay = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/u);
const instant = z.iso.datetime({ offset: true });
const episodeId = z.string().regex(/^e\d{3}$/u);
const language = z.enum(LANGUAGES);

const siteSchema = z.strictObject({
  timeZone: z.string().min(1),
  shifts: z.array(z.strictObject({ id, names, starts: timeOfDay, ends: timeOfDay })).min(1),
  lines: z.array(z.strictObject({ id, names })).min(1),
  machines: z.array(z.strictObject({ id, line: id, names })).min(1),
  aliases: z.array(z.strictObject({ machine: id, names })),
});

const episodeSchema = z.strictObject({
  id: episodeId,
  at: instant,
  kind: z.enum(EPISODE_KINDS),
  source: z.enum(['operator', 'plc', 'tool', 'mqtt', 'report']),
  /** Id of a person; there for what a person said. */
  speaker: z.string().optional(),
  /** Where it was said or measured. */
  station: z.string().optional(),
  language,
  text,
  /** There only where a structured source names the machine. */
  machine: id.optional(),
});

const questionSchema = z.strictObject({
  id: z.string().regex(/^q\d{3}$/u),
  asked_at: instant,
  language,
  text,
  category: z.enum(CATEGORIES),
  /** Every episode up to `asked_at` that answers; none where the story holds no answer. */
  evidence: z.array(episodeId),
  set: z.enum(QUESTION_SETS),
});

export type RecallSite = z.infer<typeof siteSchema>;
export type RecallEpisode = z.infer<typeof episodeSchema>;
export type RecallQuestion = z.infer<typeof questionSchema>;

export interface RecallCorpus {
  readonly site: RecallSite;
  readonly people: readonly Person[];
  /** In order of time. */
  readonly episodes: readonly RecallEpisode[];
  /** In order of the time at which they are asked. */
  readonly questions: readonly RecallQuestion[];
}

/** The corpus as it lies in the repository. Throws ZodError, SyntaxError or EdgeError where a file is damaged. */
export function readCorpus(): RecallCorpus {
  return {
    site: siteSchema.parse(JSON.parse(textOf('site.json'))),
    people: parsePeople(textOf('people.csv'), 'people.csv'),
    episodes: linesOf('episodes.jsonl').map((line) => episodeSchema.parse(JSON.parse(line))),
    questions: linesOf('questions.jsonl').map((line) => questionSchema.parse(JSON.parse(line))),
  };
}

function textOf(file: (typeof CORPUS_FILES)[number]): string {
  return readFileSync(join(CORPUS_DIRECTORY, file), 'utf8');
}

function linesOf(file: (typeof CORPUS_FILES)[number]): readonly string[] {
  return textOf(file)
    .split('\n')
    .filter((line) => line !== '');
}
