import { z } from 'zod';

/** A value in something to be said, rendered in the listener's language. */
const plainValueSchema = z.union([
  z.string().max(2000),
  z.number(),
  z.strictObject({ kind: z.literal('machine'), id: z.string() }),
  z.strictObject({ kind: z.literal('point'), machine: z.string(), point: z.string() }),
  /** A value of a point, said with its unit and decimals, or its enum text. */
  z.strictObject({
    kind: z.literal('value'),
    machine: z.string(),
    point: z.string(),
    value: z.union([z.number(), z.string(), z.boolean()]),
  }),
  /** ISO 8601; said as a person of the site says a time of today, yesterday or a date. */
  z.strictObject({ kind: z.literal('time'), at: z.string() }),
  z.strictObject({ kind: z.literal('duration'), seconds: z.number() }),
  z.strictObject({ kind: z.literal('text'), en: z.string().max(2000), zh: z.string().max(2000) }),
]);

/** Things said one after the other within a sentence, each by the key of its own phrase. */
const listSchema = z.strictObject({
  kind: z.literal('list'),
  items: z
    .array(z.strictObject({ phrase: z.string(), values: z.record(z.string(), plainValueSchema).default({}) }))
    .max(40),
});

const sayValueSchema = z.union([plainValueSchema, listSchema]);
export type SayValue = z.infer<typeof sayValueSchema>;
export type SayList = z.infer<typeof listSchema>;

/** One sentence by the key of its phrase, in the tool's own phrases. */
const sentenceSchema = z.strictObject({
  phrase: z.string(),
  values: z.record(z.string(), sayValueSchema).default({}),
});

export type Sentence = z.infer<typeof sentenceSchema>;

/** What a tool wants said: sentences one after the other, at most ten. */
export const saySchema = z.array(sentenceSchema).max(10);
export type Say = z.infer<typeof saySchema>;
