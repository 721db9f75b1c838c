import { z } from 'zod';
import { ROLES } from '../tool/tool-call.ts';
import { type Condition, conditionSchema, type Scalar, scalarSchema } from './condition.ts';

/** What a session does itself, on its own ledger or about itself. */
export const SESSION_OPERATIONS = ['cancel_step', 'undo', 'redo', 'continue', 'help', 'tickets'] as const;
export type SessionOperation = (typeof SESSION_OPERATIONS)[number];

/** Where the value of an argument comes from. */
export type ArgumentSource =
  | Scalar
  /** What was said; asked for when it was not, unless there is a default. */
  | { readonly slot: string; readonly default?: Scalar }
  /** Words for a time, made into an ISO 8601 interval. */
  | { readonly period: string; readonly default?: string }
  /** A name, looked up in the directory, made into the list of one id. */
  | { readonly people: string }
  /** Of the newest action of these tools: its id, one of its arguments, or a field of its result (all of it without one). */
  | {
      readonly ledger: {
        readonly kind: 'id' | 'args' | 'result';
        readonly of: readonly string[];
        readonly field?: string;
        /** Only an action whose arguments are those that these slots hold, argument to slot. */
        readonly same?: Readonly<Record<string, string>>;
      };
    }
  /** A field of the result of an earlier step of the same plan, counted from 0; all of it without a field. */
  | { readonly step: number; readonly field?: string }
  /** What the named machine's command (the slot `action`) writes, as its device map says. */
  | { readonly command: 'point' | 'value' }
  /** Whoever asks: never from what was said. */
  | { readonly caller: 'person' | 'station' }
  /** The first of them that gives a value. */
  | { readonly first: readonly ArgumentSource[] }
  | { readonly list: readonly ArgumentSource[] }
  /** Left out of the arguments when it gives none. */
  | { readonly optional: ArgumentSource };

const name = z.string().min(1).max(64);
const tools = z.array(name).min(1).max(20);

const sourceSchema: z.ZodType<ArgumentSource> = z.lazy(() =>
  z.union([
    scalarSchema,
    z.strictObject({ slot: name, default: scalarSchema.exactOptional() }),
    z.strictObject({ period: name, default: z.string().min(1).max(64).exactOptional() }),
    z.strictObject({ people: name }),
    z.strictObject({
      ledger: z.strictObject({
        kind: z.enum(['id', 'args', 'result']),
        of: tools,
        field: name.exactOptional(),
        same: z.record(name, name).exactOptional(),
      }),
    }),
    z.strictObject({ step: z.int().min(0).max(9), field: name.exactOptional() }),
    z.strictObject({ command: z.enum(['point', 'value']) }),
    z.strictObject({ caller: z.enum(['person', 'station']) }),
    z.strictObject({ first: z.array(sourceSchema).min(1).max(8) }),
    z.strictObject({ list: z.array(sourceSchema).min(1).max(8) }),
    z.strictObject({ optional: sourceSchema }),
  ]),
);

const stepSchema = z.strictObject({
  tool: name,
  args: z.record(name, sourceSchema).default({}),
  /** Earlier steps, counted from 0, that have to be done before. */
  needs: z.array(z.int().min(0).max(9)).default([]),
});
export type RuleStep = z.infer<typeof stepSchema>;

/** A rule that has more steps has to say that it is complex. */
export const MAX_PLAIN_STEPS = 5;

const outcomeSchema = z.union([
  z.array(stepSchema).min(1).max(10),
  z.strictObject({ say: name }),
  z.strictObject({ session: z.enum(SESSION_OPERATIONS) }),
  z.strictObject({ ask: name }),
  /** Goes on with another rule, whose `when` is then not asked. */
  z.strictObject({ rule: name }),
]);
export type RuleOutcome = z.infer<typeof outcomeSchema>;

const slotTest = z.union([
  z.enum(['present', 'absent']),
  z.strictObject({ equals: z.union([scalarSchema, z.array(scalarSchema).min(1).max(50)]) }),
]);
export type SlotTest = z.infer<typeof slotTest>;

const ruleSchema = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z][a-z0-9_-]*$/u, 'lower-case letters, digits, _ and -')
    .max(64),
  /** For whoever reads the file. */
  note: z.string().max(500).optional(),
  /** Said by whoever means a rule to have more than MAX_PLAIN_STEPS steps. */
  complex: z.boolean().optional(),
  when: z.strictObject({
    intent: z.union([name, z.array(name).min(1).max(10)]),
    slots: z.record(name, slotTest).default({}),
    role: z.strictObject({ at_least: z.enum(ROLES) }).optional(),
  }),
  if: conditionSchema.optional(),
  /** When `if` holds, or there is none. */
  // biome-ignore lint/suspicious/noThenProperty: the word of the file format; a rule is data and never awaited
  then: outcomeSchema,
  /** When `if` does not hold. */
  else: outcomeSchema.optional(),
  /** When it cannot be told whether `if` holds, or `then` lacks something of the ledger. */
  fallback: outcomeSchema.optional(),
});
export interface Rule extends z.infer<typeof ruleSchema> {
  readonly if?: Condition | undefined;
}

const texts = z.array(z.string().min(1).max(300)).max(200);

/** `config/rules.json`: what is done for what was understood. */
export const ruleFileSchema = z.strictObject({
  version: z.literal(1),
  rules: z.array(ruleSchema).min(1).max(2000),
  /** Ways of saying an intent beside those of the sentence files, for the keyword match only. */
  examples: z.record(name, z.strictObject({ en: texts.default([]), zh: texts.default([]) })).default({}),
});
export type RuleFile = z.infer<typeof ruleFileSchema>;
