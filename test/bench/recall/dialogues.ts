import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { SqliteMemoryStore } from '../../../src/adapters/sqlite/sqlite-memory-store.ts';
import { Recaller } from '../../../src/app/memory/recaller.ts';
import { NO_SHIFTS } from '../../../src/domain/history/shift-calendar.ts';
import type { Episode } from '../../../src/domain/memory/episode.ts';
import type { FindMentions } from '../../../src/domain/memory/mention.ts';
import { systemClocks, systemScheduler } from '../../../src/runtime/clocks.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { shippedTerms } from '../../support/shipped-glossary.ts';
import { PlainFts5 } from './plain-fts5.ts';

const turnSchema = z.object({
  speaker: z.string(),
  dia_id: z.string(),
  text: z.string(),
  /** What a picture that was sent along shows. */
  blip_caption: z.string().optional(),
});
type Turn = z.infer<typeof turnSchema>;

const dialoguesSchema = z
  .array(
    z.object({
      qa: z.array(
        z.object({
          question: z.string(),
          evidence: z.array(z.string()).default([]),
          category: z.int().optional(),
        }),
      ),
      conversation: z.looseObject({ speaker_a: z.string(), speaker_b: z.string() }),
    }),
  )
  .min(1);

const FIRST = [5, 10, 20] as const;
const START_MS = Date.parse('2026-01-01T08:00:00Z');
const SESSION_MS = 86_400_000;
const TURN_MS = 30_000;
/** So many turns before and after stand around one. */
const AROUND = 2;

/** The dialogues of a file, each a memory of its own; shares of questions with any evidence among the first. Throws ZodError for another layout. */
export async function askDialogues(file: string): Promise<Record<string, number>> {
  const dialogues = dialoguesSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  let questions = 0;
  const own = new Map<number, number>(FIRST.map((first) => [first, 0]));
  const peer = new Map<number, number>(FIRST.map((first) => [first, 0]));
  for (const { qa, conversation } of dialogues) {
    const sessions = sessionsOf(conversation);
    const known = new Set(sessions.flat().map(({ dia_id: id }) => id));
    const asked = qa.filter(({ evidence }) => evidence.some((id) => known.has(id)));
    const memory = await remembered(sessions, [conversation.speaker_a, conversation.speaker_b]);
    for (const { question, evidence } of asked) {
      questions += 1;
      const found = await memory.ask(question);
      const plain = await memory.plain.search(question, 20);
      for (const first of FIRST) {
        if (found.slice(0, first).some((id) => evidence.includes(id)))
          own.set(first, (own.get(first) ?? 0) + 1);
        if (plain.slice(0, first).some((id) => evidence.includes(id)))
          peer.set(first, (peer.get(first) ?? 0) + 1);
      }
    }
    await memory.close();
  }
  return Object.fromEntries([
    ['locomo_questions', questions],
    ...FIRST.map((first) => [`locomo_any_at_${first}`, (own.get(first) ?? 0) / questions] as const),
    ...FIRST.map((first) => [`locomo_fts5_any_at_${first}`, (peer.get(first) ?? 0) / questions] as const),
  ]);
}

function sessionsOf(conversation: Readonly<Record<string, unknown>>): readonly (readonly Turn[])[] {
  return Object.entries(conversation)
    .flatMap(([key, value]) => {
      const [, number] = /^session_(\d+)$/u.exec(key) ?? [];
      return number === undefined
        ? []
        : [{ number: Number(number), turns: z.array(turnSchema).parse(value) }];
    })
    .sort((one, other) => one.number - other.number)
    .map(({ turns }) => turns);
}

async function remembered(sessions: readonly (readonly Turn[])[], speakers: readonly string[]) {
  const directory = mkdtempSync(join(tmpdir(), 'dialogues-'));
  const clocks = systemClocks();
  const runtime = { clocks, scheduler: systemScheduler, logger: silentLogger() };
  const store = new SqliteMemoryStore({ file: join(directory, 'memory.db') }, runtime);
  await store.start();
  const plain = new PlainFts5();
  await plain.open();
  const terms = shippedTerms();
  for (const [number, turns] of sessions.entries()) {
    const episodes = turns.map((turn, at) => {
      const near = turns.slice(Math.max(0, at - AROUND), at + AROUND + 1).filter((other) => other !== turn);
      return {
        episode: episodeOf(turn, START_MS + number * SESSION_MS + at * TURN_MS),
        terms: [...terms.terms(textOf(turn)), ...terms.terms(turn.speaker)].join(' '),
        around: near.flatMap((other) => terms.terms(textOf(other))).join(' '),
      };
    });
    await store.commit({ episodes, log: [] });
    for (const turn of turns) await plain.add(turn.dia_id, `${turn.speaker} ${textOf(turn)}`);
  }
  const find: FindMentions = (text) => mentionsOf(text, speakers);
  const recaller = new Recaller({
    store,
    factsAbout: () => [],
    find,
    terms,
    clocks,
    setting: { timeZone: 'UTC', shifts: NO_SHIFTS },
  });
  return {
    plain,
    ask: async (question: string): Promise<readonly string[]> => {
      const { nearest } = await recaller.recall({
        text: question,
        language: 'en',
        askedAtMs: START_MS + sessions.length * SESSION_MS,
        scopes: ['site'],
        budgetMs: 10_000,
        limit: 20,
      });
      return nearest.map(({ episode }) => episode.id);
    },
    close: async () => {
      await store.stop();
      await plain.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function textOf({ text, blip_caption: caption }: Turn): string {
  return caption === undefined ? text : `${text} [${caption}]`;
}

function episodeOf(turn: Turn, atMs: number): Episode {
  const text = textOf(turn);
  return {
    id: turn.dia_id,
    atMs,
    recordedAtMs: atMs,
    confirmedAtMs: atMs,
    kind: 'note',
    source: 'operator',
    origin: { kind: 'import', id: turn.dia_id },
    scope: 'site',
    userId: turn.speaker,
    language: 'en',
    text,
    summary: text.slice(0, 400),
    entities: [],
    deeds: [],
    class: 'episode',
    isKey: false,
  };
}

function mentionsOf(text: string, speakers: readonly string[]): ReturnType<FindMentions> {
  return speakers.flatMap((speaker) =>
    [...text.matchAll(new RegExp(`\\b${speaker}\\b`, 'gu'))].slice(0, 1).map(({ index, 0: found }) => ({
      kind: 'person' as const,
      text: found,
      start: index,
      end: index + found.length,
      candidates: [speaker],
      exact: true,
    })),
  );
}
