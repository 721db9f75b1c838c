import { z } from 'zod';

/** From the daemon to a worker. The payload of `call` is its arguments, that of `answer` what the capability gave. */
export type ToWorker =
  | { readonly type: 'load'; readonly handler: string }
  | {
      readonly type: 'call';
      readonly call: number;
      /** After so long the handler's signal fires. */
      readonly limitMs: number;
      readonly maxOutputBytes: number;
      readonly idempotencyKey: string;
    }
  | { readonly type: 'answer'; readonly call: number; readonly use: number; readonly ok: true }
  | {
      readonly type: 'answer';
      readonly call: number;
      readonly use: number;
      readonly ok: false;
      readonly code: string;
      readonly message: string;
    }
  | { readonly type: 'cancel'; readonly call: number }
  /** Much memory is in use: what is garbage shall go, before it counts against the limit. */
  | { readonly type: 'collect' };

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const text = z.string().max(4000);

const failureSchema = z.strictObject({
  code: z.enum([
    'INPUT_INVALID',
    'TOOL_UNAVAILABLE',
    'OUTCOME_UNKNOWN',
    'TOOL_FAILED',
    'TOOL_OOM',
    'OUTPUT_INVALID',
  ]),
  message: text,
  hint: text.optional(),
  /** The handler gave the code itself: it knows what became of the call. */
  told: z.boolean(),
  /** The use of a capability whose rejection the handler let through. */
  use: count.optional(),
});

/** From a worker to the daemon. The payload of `use` is its arguments, that of `end` is `{result, say}`, or `{say}` with a failure. */
export const fromWorkerSchema = z.union([
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({ type: z.literal('loaded') }),
  z.strictObject({ type: z.literal('unloadable'), failure: failureSchema }),
  z.strictObject({ type: z.literal('use'), call: count, use: count, name: z.string().max(100) }),
  z.strictObject({
    type: z.literal('end'),
    call: count,
    /** Nothing of the call still runs: no timer, no open handle. */
    clean: z.boolean(),
    failure: failureSchema.optional(),
  }),
]);

export type FromWorker = z.infer<typeof fromWorkerSchema>;
export type WorkerFailure = z.infer<typeof failureSchema>;
