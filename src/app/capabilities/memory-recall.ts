import { z } from 'zod';
import type { Period } from '../../domain/history/period.ts';
import { languageOf } from '../../domain/language/language.ts';
import type { Episode } from '../../domain/memory/episode.ts';
import { findByName } from '../../domain/plc/find-by-name.ts';
import type { PlantModel } from '../../domain/plc/plant-model.ts';
import type { Capability } from '../../tooling/capability.ts';
import type { Recalled } from '../memory/recaller.ts';
import { deskOf, episodeJson, factJson, type MemoryParts } from './memory-items.ts';

const MAX_ITEMS = 50;
const words = z.string().trim().min(1).max(1000);
const machine = z.string().min(1).max(100);

const recallSchema = z.union([
  z.strictObject({
    question: words,
    limit: z.int().min(1).max(MAX_ITEMS).default(3),
    order: z.enum(['best', 'newest']).default('best'),
  }),
  z.strictObject({ meant: z.literal(true) }),
]);

/**
 * What is remembered of a question: `{ items, abstains }`, none when nothing may be answered; from then on "that" means the
 * items of the answer. With `meant: true`, what "that" can mean now.
 */
export function memoryRecall(parts: MemoryParts): Capability<z.infer<typeof recallSchema>> {
  return {
    name: 'memory.recall',
    args: recallSchema,
    run: async (args, { call: { caller } }) => {
      const desk = deskOf(parts);
      if ('meant' in args) {
        const episodes = await desk.lastOf(caller.sessionId);
        return { items: episodes.map((episode) => episodeJson(episode, caller, parts)), abstains: null };
      }
      const { question, limit, order } = args;
      const { items, abstains } = await desk.recall(question, languageOf(question), caller, limit);
      const episodes = (order === 'newest' ? sameHappening(items) : items).map(({ episode }) => episode);
      if (order === 'newest') episodes.sort((a, b) => b.atMs - a.atMs);
      return {
        items: episodes.map((episode) => episodeJson(episode, caller, parts)),
        abstains: abstains ?? null,
      };
    },
  };
}

/** So much of what the best one holds of the question makes another one of its kind. */
const ALIKE = 0.75;

/** Those that hold as much of what was asked as the best does: another happening of the same machine is none of them. */
function sameHappening(items: readonly Recalled[]): readonly Recalled[] {
  const best = Math.max(0, ...items.map(({ wordCoverage }) => wordCoverage));
  const isAbout = items.some((item) => item.isAbout);
  return items.filter((item) => item.wordCoverage >= ALIKE * best && item.isAbout === isAbout);
}

const aboutSchema = z.union([z.strictObject({ machine }), z.strictObject({ words })]);

/** What is known of a machine, or of what some words name: `{ facts, items }`, facts first, then what happened last. */
export function memoryAbout(
  parts: MemoryParts & { readonly plant: PlantModel },
): Capability<z.infer<typeof aboutSchema>> {
  return {
    name: 'memory.about',
    args: aboutSchema,
    run: async (args, { call: { caller } }) => {
      const desk = deskOf(parts);
      const { facts, episodes } =
        'machine' in args
          ? await desk.aboutThings([`machine:${machineId(args.machine, parts.plant)}`])
          : await desk.about(args.words, languageOf(args.words));
      const stated = new Set(facts.map(({ episodeId }) => episodeId));
      const untold = episodes.filter(({ id }) => !stated.has(id));
      const ids = [...facts.map(({ episodeId }) => episodeId), ...untold.map(({ id }) => id)];
      desk.told(caller.sessionId, [...new Set(ids.filter((id) => id !== undefined))]);
      return {
        facts: facts.slice(0, MAX_ITEMS).map((fact) => factJson(fact, caller, parts)),
        items: untold.map((episode) => episodeJson(episode, caller, parts)),
      };
    },
  };
}

const happenedSchema = z.strictObject({
  machine: machine.optional(),
  period: z.string().trim().min(1).max(200).optional(),
  /** Only what went wrong: alarms, diagnoses, work orders and what people told of such. */
  incidents: z.boolean().default(false),
  limit: z.int().min(1).max(MAX_ITEMS).default(MAX_ITEMS),
});

/** What happened in a period or with a machine, the newest first: `{ items, more }`; `more` when there may be others. */
export function memoryHappened(
  parts: MemoryParts & { readonly plant: PlantModel; readonly periodOf: (words: string) => Period },
): Capability<z.infer<typeof happenedSchema>> {
  return {
    name: 'memory.happened',
    args: happenedSchema,
    run: async ({ machine: named, period, incidents, limit }, { call: { caller } }) => {
      const desk = deskOf(parts);
      const range = period === undefined ? undefined : parts.periodOf(period);
      const found = await desk.happened({
        machine: named === undefined ? undefined : machineId(named, parts.plant),
        fromMs: range?.fromMs,
        toMs: range?.toMs,
        limit: MAX_ITEMS,
      });
      const wanted = found.filter((episode) => !incidents || isIncident(episode)).slice(0, limit);
      desk.told(
        caller.sessionId,
        wanted.map(({ id }) => id),
      );
      return {
        items: wanted.map((episode) => episodeJson(episode, caller, parts)),
        more: found.length === MAX_ITEMS,
      };
    },
  };
}

function isIncident({ class: kept, kind }: Episode): boolean {
  return kept === 'incident' || kept === 'safety' || kind === 'alarm' || kind === 'diagnosis';
}

function machineId(named: string, plant: PlantModel): string {
  return findByName(named, plant.machineList(), 'machine');
}
