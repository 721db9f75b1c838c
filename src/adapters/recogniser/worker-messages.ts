import { z } from 'zod';

/** What the recogniser's child answers on file descriptor 3: one JSON object a line. */
export const WorkerMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  /** Samples decoded since the message before. */
  z.object({ type: z.literal('heard'), samples: z.number().int().min(0) }),
  z.object({ type: z.literal('partial'), text: z.string() }),
  z.object({
    type: z.literal('final'),
    words: z
      .array(
        z.object({
          text: z.string().min(1),
          startMs: z.number().min(0),
          endMs: z.number().min(0),
          confidence: z.number().min(0).max(1),
        }),
      )
      .min(1),
    audioLost: z.boolean(),
    cut: z.boolean(),
    snrDb: z.number().optional(),
    endpointAtMs: z.number(),
  }),
  /** `refused`: phrases that hold a word the model does not know; `failed`: libvosk made nothing of the grammar. */
  z.object({ type: z.literal('grammar'), id: z.number(), refused: z.array(z.string()), failed: z.boolean() }),
  z.object({ type: z.literal('known'), id: z.number(), words: z.array(z.string()) }),
  z.object({
    type: z.literal('failed'),
    code: z.enum(['LIBVOSK_BROKEN', 'VOICE_MODEL_BROKEN', 'RECOGNISER_FAILED']),
    message: z.string(),
  }),
]);
export type WorkerMessage = z.infer<typeof WorkerMessage>;
