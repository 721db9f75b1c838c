import { z } from 'zod';

/** Who may call a tool: anybody at a station, an operator, or a person who is named and trusted with it. */
export const ACCESS_LEVELS = ['PUBLIC', 'INTERNAL', 'CRITICAL'] as const;
export type AccessLevel = (typeof ACCESS_LEVELS)[number];

/** How a call has to be asked for: not at all, by a plain yes, by the execute phrase, by that and a changing check word. */
export const RISKS = ['none', 'reversible', 'physical', 'dangerous'] as const;
export type Risk = (typeof RISKS)[number];

/** What a handler may reach through its capability object. */
export const CAPABILITIES = [
  'plant.describe',
  'points.read',
  'points.write',
  'history.over',
  'plclog.records',
  'memory.remember',
  'memory.recall',
  'memory.about',
  'memory.happened',
  'memory.forget',
  'memory.review',
  'procedures.find',
  'files.save',
  'files.remove',
  'files.read',
  'people.find',
  'mail.send',
  'work_orders.create',
  'work_orders.close',
  'http.request',
  'tools.call',
  'node.status',
  'caller.describe',
] as const;
export type CapabilityName = (typeof CAPABILITIES)[number];

/** What a tool reaches into; a person may be kept to some of it. */
export const DATA_SCOPES = [
  'plant',
  'history',
  'memory',
  'people',
  'messages',
  'files',
  'orders',
  'node',
] as const;
export type DataScope = (typeof DATA_SCOPES)[number];

/** A text in both languages: everything that a person may hear or read. */
export const bothLanguages = z.strictObject({ en: z.string().min(1), zh: z.string().min(1) });

const scalar = z.union([z.string(), z.number(), z.boolean()]);

/** One argument or one field of a result. */
const propertySchema = z.strictObject({
  /** A `scalar` is a text, a number, true or false: whichever the point takes that it is for. */
  type: z.enum(['string', 'number', 'integer', 'boolean', 'scalar', 'array', 'object']),
  description: bothLanguages,
  /** What kind of thing a string names: its spelling is looked up, the nearest is offered. */
  format: z.enum(['machine', 'point', 'period', 'person', 'action', 'date-time', 'file', 'email']).optional(),
  /** Of a number: the unit that a handler gets it in. */
  unit: z.string().min(1).optional(),
  enum: z.array(scalar).min(1).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  min_length: z.int().min(0).optional(),
  max_length: z.int().min(1).optional(),
  default: scalar.optional(),
  /** Of an array. */
  items: z
    .strictObject({
      type: z.enum(['string', 'number', 'integer', 'boolean', 'object']),
      format: z.enum(['machine', 'point', 'person', 'action', 'file', 'email']).optional(),
    })
    .optional(),
  max_items: z.int().min(1).max(10_000).optional(),
});
export type ToolProperty = z.infer<typeof propertySchema>;

/** Named values, and which of them have to be there. */
export const objectSchema = z.strictObject({
  properties: z.record(z.string().regex(/^[a-z][a-z0-9_]*$/u), propertySchema),
  required: z.array(z.string()).default([]),
  nullable: z.array(z.string()).default([]),
});

export const toolContractSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/u, 'lower-case words with hyphens')
    .max(64),
  version: z.int().min(1),
  use_when: bothLanguages,
  /** What one call of it is called aloud, as "the export". */
  deed: bothLanguages,
  /** Asked before a call that has to be confirmed; `{names}` are its arguments. A write is read back instead. */
  question: bothLanguages.optional(),
  preconditions: z.array(z.string().min(1)).default([]),
  schema: z.strictObject({ parameters: objectSchema, response: objectSchema }),
  sla: z.strictObject({
    /** The handler's own limit; the call is killed one second later. */
    max_execution_time_ms: z.int().min(1).max(600_000),
    /** Repeats of a call that may be repeated: only an idempotent tool has any. */
    retry_policy: z.strictObject({
      attempts: z.int().min(0).max(3),
      delay_ms: z.int().min(0).max(10_000).default(0),
    }),
    idempotent: z.boolean(),
    /** Runs on after the turn has been answered; its end is told when it comes. */
    detached: z.boolean().default(false),
  }),
  security: z.strictObject({
    access_level: z.enum(ACCESS_LEVELS),
    risk: z.enum(RISKS),
    data_scope: z.array(z.enum(DATA_SCOPES)),
  }),
  observability: z.strictObject({
    /** Arguments whose values are never written into a log or a ticket. */
    redact: z.array(z.string()).default([]),
  }),
  capabilities: z.array(z.enum(CAPABILITIES)).default([]),
  sandbox: z
    .strictObject({
      memory_mb: z.int().min(16).max(1024).default(64),
      cpu_ms: z.int().min(10).max(600_000).default(200),
      connections: z.int().min(0).max(16).default(2),
      max_output_bytes: z.int().min(64).max(4_000_000).default(65_536),
    })
    .prefault({}),
  depends_on: z.array(z.string()).default([]),
  fallback_tool: z.string().optional(),
  /** The tool that undoes a finished call; it gets `{ call: RESULT OF THE CALL }`'s fields that it declares. */
  compensation: z.string().optional(),
  breaker: z
    .strictObject({
      timeouts: z.int().min(1).default(3),
      failures: z.int().min(1).default(5),
      cooldown_ms: z.int().min(1000).default(600_000),
    })
    .prefault({}),
  /** What the handler may have said, by key; `{names}` are the values that it gives. */
  phrases: z.record(z.string().regex(/^[a-z][a-z0-9_]*$/u), bothLanguages).default({}),
});

/** The four contracts of one tool, as its `tool.yaml` declares them. */
export type ToolContract = z.infer<typeof toolContractSchema>;
