import { z } from 'zod';

const valueSchema = z.union([z.number(), z.boolean(), z.string()]);

const watchedPointSchema = z.object({
  machine: z.string(),
  point: z.string(),
  quality: z.enum(['good', 'stale', 'bad']),
  value: valueSchema.optional(),
  unit: z.string().optional(),
  meaning: z.string().optional(),
  decimals: z.int().optional(),
  reason: z.string().optional(),
  detail: z.string().optional(),
  at: z.iso.datetime(),
  last: z
    .object({
      value: valueSchema,
      unit: z.string().optional(),
      meaning: z.string().optional(),
      decimals: z.int().optional(),
      at: z.iso.datetime(),
    })
    .optional(),
  boot_id: z.string(),
  seq: z.int(),
});

/** A point as the daemon reports it. */
export type WatchedPoint = z.infer<typeof watchedPointSchema>;

export const watchedPointsSchema = z.object({ points: z.array(watchedPointSchema) });
