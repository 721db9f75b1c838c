import { z } from 'zod';
import { LANGUAGES } from '../language/language.ts';
import { MEMORY_CLASSES } from './memory-class.ts';
import { MEMORY_SOURCES } from './memory-source.ts';

/** What kind of thing happened. */
export const EPISODE_KINDS = ['note', 'command', 'tool_result', 'alarm', 'work_order', 'diagnosis'] as const;
export type EpisodeKind = (typeof EPISODE_KINDS)[number];

export const ENTITY_KINDS = [
  'machine',
  'line',
  'person',
  'point',
  'part',
  'code',
  'number',
  'date',
  'email',
] as const;

/** Something that a text names; `id` is set where it is a thing that the site knows. */
export const entitySchema = z.strictObject({
  kind: z.enum(ENTITY_KINDS),
  /** As it stands in the text. */
  text: z.string().min(1).max(200),
  /** Such as `pump-7`, `zhang-wei@maintenance`, `E-203`. */
  id: z.string().min(1).max(200).optional(),
  /** False for a name that is only like one of the site's: enough to find with, never to act on. */
  exact: z.boolean(),
});
export type Entity = z.infer<typeof entitySchema>;

/** Something that was, or is to be, done. */
export const deedSchema = z.strictObject({
  /** Such as `replace`, `clean`, `inspect`, `order`. */
  type: z.string().min(1).max(40),
  target: z.string().max(200).optional(),
  /** ISO 8601. */
  deadline: z.string().max(40).optional(),
  /** False for what was said not to have been done, or not to be done. */
  done: z.boolean().optional(),
});
export type Deed = z.infer<typeof deedSchema>;

/** Where it can be looked up: the session and its turn, a call, an alarm, a work order, a line of a log. */
export const originSchema = z.strictObject({
  kind: z.enum(['turn', 'action', 'alarm', 'work_order', 'report', 'workflow', 'plc_log', 'import']),
  id: z.string().min(1).max(200),
  sessionId: z.string().max(100).optional(),
});
export type MemoryOrigin = z.infer<typeof originSchema>;

/** One thing that happened or was told: the text as it was, without what must not be kept, and what was made of it. */
export const episodeSchema = z.strictObject({
  id: z.string().min(1).max(100),
  /** When it happened, in milliseconds since 1970. */
  atMs: z.int(),
  recordedAtMs: z.int(),
  /** Last told again or confirmed; its class's end counts from here. */
  confirmedAtMs: z.int(),
  kind: z.enum(EPISODE_KINDS),
  source: z.enum(MEMORY_SOURCES),
  origin: originSchema,
  /** The line of business or the part of the site that may see it; `site` for all of it. */
  scope: z.string().min(1).max(100),
  /** Who it is of: a person's id, or the station for whoever stood there. */
  userId: z.string().min(1).max(100),
  language: z.enum(LANGUAGES),
  /** Without telephone numbers, addresses and secrets. */
  text: z.string().min(1).max(4000),
  summary: z.string().min(1).max(400),
  entities: z.array(entitySchema).max(40),
  deeds: z.array(deedSchema).max(20),
  class: z.enum(MEMORY_CLASSES),
  /** Of a `project`: the work order it is bound to, whose closing begins its end. */
  project: z.string().max(100).optional(),
  /** A fact worth more than the rest of the talk: two of time, quantity, negation and emotion. */
  isKey: z.boolean(),
  /** Set when the work order was closed, in milliseconds since 1970. */
  closedAtMs: z.int().optional(),
});
export type Episode = z.infer<typeof episodeSchema>;
