import { z } from 'zod';

/** What the daemon answers to `hermes-edge memory …`; what it says besides is for `--json`. */

const at = z.iso.datetime();
const originSchema = z.object({ kind: z.string(), id: z.string(), session_id: z.string().optional() });

const episodeSchema = z.object({
  id: z.string(),
  at,
  recorded_at: at,
  confirmed_at: at,
  kind: z.string(),
  class: z.string(),
  is_key: z.boolean(),
  source: z.string(),
  trust: z.int(),
  origin: originSchema,
  scope: z.string(),
  by: z.string(),
  text: z.string(),
  entities: z.array(
    z.object({ kind: z.string(), text: z.string(), id: z.string().optional(), exact: z.boolean() }),
  ),
  deeds: z.array(
    z.object({
      type: z.string(),
      target: z.string().optional(),
      deadline: z.string().optional(),
      done: z.boolean().optional(),
    }),
  ),
  work_order: z.string().optional(),
  closed_at: at.optional(),
});
export type EpisodeReply = z.infer<typeof episodeSchema>;

export const factSchema = z.object({
  id: z.string(),
  subject: z.string(),
  predicate: z.string(),
  value: z.union([z.string(), z.number(), z.boolean()]),
  unit: z.string().optional(),
  text: z.string(),
  valid_from: at,
  valid_to: at.optional(),
  recorded_at: at,
  superseded_at: at.optional(),
  confirmed_at: at,
  told: z.int(),
  source: z.string(),
  trust: z.int(),
  origin: originSchema,
  by: z.string(),
  status: z.string(),
  disputes: z.string().optional(),
  class: z.string(),
  confidence: z.number(),
  episode: z.string().optional(),
});
export type FactReply = z.infer<typeof factSchema>;

const logEntrySchema = z.object({
  at,
  action: z.string(),
  target: z.string(),
  source: z.string(),
  bytes_before: z.number(),
  bytes_after: z.number(),
});
export type LogReply = z.infer<typeof logEntrySchema>;

export const statsSchema = z.object({
  working: z.object({
    sessions: z.int(),
    bytes: z.number(),
    max_bytes: z.number(),
    max_age_s: z.number(),
  }),
  episodes: z.object({
    total: z.int(),
    oldest_at: at.optional(),
    classes: z.array(
      z.object({
        class: z.string(),
        episodes: z.int(),
        decay_per_h: z.number(),
        expires_after_h: z.number().optional(),
        recheck_after_h: z.number().optional(),
      }),
    ),
  }),
  facts: z.object({ now: z.int(), past: z.int(), pending: z.int(), disputed: z.int() }),
  semantic: z.object({ kind: z.string(), episodes: z.int() }),
  bytes: z.number(),
  procedures: z.object({
    commit: z.string().optional(),
    committed_at: at.optional(),
    procedures: z.int(),
    pushed: z.boolean().optional(),
    ahead: z.int(),
    fault: z.string().optional(),
  }),
  archive: z.object({
    days: z.int(),
    oldest_day: z.string().optional(),
    bytes: z.number(),
    max_bytes: z.number(),
    keep_days: z.int(),
  }),
  waiting: z.int(),
  rejected_writes: z.int(),
  last_sweep: z.object({ at, age_s: z.number() }).optional(),
  tombstones: z.array(z.object({ at, reason: z.string(), episodes: z.int(), facts: z.int() })),
});
export type StatsReply = z.infer<typeof statsSchema>;

export const searchSchema = z.object({
  abstains: z.string().optional(),
  is_cut: z.boolean(),
  items: z.array(
    z.object({ score: z.number(), coverage: z.number(), age_s: z.number(), episode: episodeSchema }),
  ),
});
export type SearchReply = z.infer<typeof searchSchema>;

export const shownSchema = z.object({
  episode: episodeSchema.optional(),
  facts: z.array(factSchema),
  log: z.array(logEntrySchema),
});
export type ShownReply = z.infer<typeof shownSchema>;

export const aboutSchema = z.object({
  mentions: z.array(
    z.object({
      kind: z.string(),
      text: z.string(),
      candidates: z.array(z.string()),
      exact: z.boolean(),
    }),
  ),
  facts: z.array(factSchema),
  episodes: z.array(episodeSchema),
});
export type AboutReply = z.infer<typeof aboutSchema>;

export const factsSchema = z.object({ facts: z.array(factSchema), left_out: z.int() });
export const pendingSchema = z.object({ facts: z.array(factSchema) });
export const addedSchema = z.object({
  kind: z.enum(['written', 'refreshed', 'repeated', 'not_worth_it', 'waiting']),
  episode: episodeSchema.optional(),
  facts: z.array(z.object({ what: z.string(), fact: factSchema.optional() })),
});
export type AddedReply = z.infer<typeof addedSchema>;
export const forgottenSchema = z.object({ episodes: z.array(episodeSchema), facts: z.array(factSchema) });
export const personSchema = z.object({ id: z.string(), name: z.string().optional() });
export const erasedSchema = z.object({
  request: z.string(),
  counts: z.record(z.string(), z.number()),
  byHand: z.array(z.string()),
});
export type ErasedReply = z.infer<typeof erasedSchema>;
export const logSchema = z.object({ entries: z.array(logEntrySchema) });
export const daysSchema = z.object({ days: z.array(z.string()) });
export const daySchema = z.object({
  day: z.string(),
  memories: z.array(z.object({ id: z.string(), memory: z.record(z.string(), z.unknown()) })),
  left_out: z.int(),
  damaged_bytes: z.number(),
});
export type DayReply = z.infer<typeof daySchema>;
