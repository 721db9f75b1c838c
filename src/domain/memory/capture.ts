import { z } from 'zod';
import { LANGUAGES } from '../language/language.ts';
import { EPISODE_KINDS, originSchema } from './episode.ts';
import { MEMORY_SOURCES } from './memory-source.ts';

/** What happened, as it comes from the rest of the daemon: text is as it was said or written, nothing is left out yet. */
export const captureSchema = z.strictObject({
  /** Equal for repeats of one happening: taken twice, it is remembered once. */
  id: z.string().min(1).max(100),
  /** Milliseconds since 1970. */
  atMs: z.int(),
  kind: z.enum(EPISODE_KINDS),
  source: z.enum(MEMORY_SOURCES),
  origin: originSchema,
  scope: z.string().min(1).max(100),
  userId: z.string().min(1).max(100),
  language: z.enum(LANGUAGES),
  text: z.string().min(1).max(4000),
  /** What is known to be meant, where it did not come as text alone: machine ids, person ids, alarm codes. */
  about: z
    .array(
      z.strictObject({
        kind: z.enum(['machine', 'line', 'person', 'point', 'code']),
        id: z.string().min(1).max(200),
      }),
    )
    .max(20)
    .readonly(),
  /** Somebody asked for it to be remembered. */
  isWish: z.boolean(),
  /** When it happened by a clock that nobody had set: `atMs` says nothing then. */
  undated: z.strictObject({ bootId: z.string().min(1).max(100), monotonicMs: z.number() }).exactOptional(),
  /** The work order it belongs to. */
  project: z.string().max(100).exactOptional(),
  /** The work order was closed by it: what belongs to that has its end from now on. */
  closesProject: z.literal(true).exactOptional(),
});
export type Capture = Readonly<z.infer<typeof captureSchema>>;
