import { z } from 'zod';
import { LANGUAGES } from '../language/language.ts';
import { originSchema } from './episode.ts';
import { MEMORY_CLASSES } from './memory-class.ts';
import { MEMORY_SOURCES } from './memory-source.ts';

/** What a fact is about. One key holds one value at a time. */
export const factKeySchema = z.strictObject({
  /** As of an episode. */
  scope: z.string().min(1).max(100),
  /** A thing of the site: `machine:pump-7`, `line:line-2`, `person:zhang-wei@maintenance`, `code:E-203`, `part:seal kit 40`, `site`. */
  subject: z.string().min(1).max(200),
  /** Such as `location`, `responsible`, `supplier`, `limit.temperature`, `alias.大泵`, `note.hot-clean`. */
  predicate: z.string().min(1).max(200),
});
export type FactKey = z.infer<typeof factKeySchema>;

/** `pending`: one signature only. `verified`: a second one, or a source that needs none. `rejected`: the second one said no. */
export const FACT_STATUSES = ['pending', 'verified', 'rejected'] as const;
export type FactStatus = (typeof FACT_STATUSES)[number];

/**
 * A statement with two times: when it holds in the world (`validFromMs` up to, without, `validToMs`), and when the box knew
 * (`recordedAtMs` up to, without, `supersededAtMs`). Times in milliseconds since 1970. What is known now about a key is what has not been superseded;
 * among verified, undisputed ones of a key the valid intervals never overlap.
 */
export const factSchema = z.strictObject({
  id: z.string().min(1).max(100),
  ...factKeySchema.shape,
  value: z.union([z.string().max(500), z.number(), z.boolean()]),
  /** Of a number. */
  unit: z.string().max(40).optional(),
  /** The sentence to say it with, as it was said, without what must not be kept. */
  text: z.string().min(1).max(1000),
  language: z.enum(LANGUAGES),
  validFromMs: z.int(),
  /** Undefined while it holds. */
  validToMs: z.int().optional(),
  recordedAtMs: z.int(),
  supersededAtMs: z.int().optional(),
  /** The fact that took its place. */
  supersededBy: z.string().max(100).optional(),
  /** Last told again, checked or verified. */
  confirmedAtMs: z.int(),
  /** How often it was told. */
  told: z.int().min(1),
  source: z.enum(MEMORY_SOURCES),
  origin: originSchema,
  userId: z.string().min(1).max(100),
  status: z.enum(FACT_STATUSES),
  /** Another source says otherwise: the id of the fact that it stands against. */
  disputes: z.string().max(100).optional(),
  class: z.enum(MEMORY_CLASSES),
  /** 0 to 1, at `confirmedAtMs`. */
  confidence: z.number().min(0).max(1),
  /** The episode that it was told in. */
  episodeId: z.string().max(100).optional(),
});
export type Fact = z.infer<typeof factSchema>;

/** What somebody says of a key, before it is decided what becomes of it. */
export type Claim = Pick<
  Fact,
  | 'scope'
  | 'subject'
  | 'predicate'
  | 'value'
  | 'unit'
  | 'text'
  | 'language'
  | 'validFromMs'
  | 'validToMs'
  | 'source'
  | 'origin'
  | 'userId'
  | 'class'
  | 'confidence'
  | 'episodeId'
> & {
  /** It says that the value does not hold, or no longer. */
  readonly negated: boolean;
};
