import { z } from 'zod';
import { LANGUAGES } from '../language/language.ts';

const key = z.string().regex(/^[a-z][a-z0-9_]*$/, 'lower-case letters, digits and _ only');

const valuesList = z.strictObject({
  values: z
    .array(
      z.strictObject({
        in: z.string().min(1),
        out: z.union([z.string().min(1), z.number()]),
        /** Understood when it is typed; the recogniser does not listen for it. */
        typed: z.literal(true).optional(),
      }),
    )
    .min(1),
});

const rangeList = z.strictObject({
  range: z
    .strictObject({
      from: z.number().int().min(-999_999),
      to: z.number().int().max(999_999),
      /** Most digits after the point that are understood. */
      decimals: z.number().int().min(0).max(6).default(0),
    })
    .refine((range) => range.from <= range.to, '"from" is above "to"'),
});

/** Any words up to the end of the sentence, as they were typed; only typed sentences may hold it. */
const freeList = z.strictObject({ free: z.literal(true) });

/**
 * A file of sentences in one language, `config/sentences/*.yaml`.
 * Sentences are templates: `(a|b)` one of, `[x]` may be left out, `{list}` or `{list:slot}` a value, `<rule>` an expansion rule.
 */
export const sentenceFileSchema = z.strictObject({
  language: z.enum(LANGUAGES),
  /** May stand anywhere between the words of a sentence and mean nothing. */
  skip_words: z.array(z.string().min(1)).default([]),
  expansion_rules: z.record(key, z.string().min(1)).default({}),
  /** Values a sentence may hold, beside the names of machines and quantities that the device map gives. */
  lists: z.record(key, z.union([valuesList, rangeList, freeList])).default({}),
  intents: z.record(
    key,
    z
      .strictObject({
        sentences: z.array(z.string().min(1)).default([]),
        /** Sentences that are understood when they are typed; the recogniser does not listen for them. */
        typed: z.array(z.string().min(1)).default([]),
      })
      .refine(({ sentences, typed }) => sentences.length + typed.length > 0, 'at least one sentence'),
  ),
});

export type SentenceFile = z.infer<typeof sentenceFileSchema>;
export type NumberRange = z.infer<typeof rangeList>['range'];

/** One thing of the site and everything it is called. Two things may share a name: a sentence with it is a tie. */
export interface SiteName {
  readonly value: string;
  readonly spoken: readonly string[];
}

/** Names that come from the site: list name (`machine`, `quantity`) to its entries. */
export type SiteLists = Readonly<Record<string, readonly SiteName[]>>;
