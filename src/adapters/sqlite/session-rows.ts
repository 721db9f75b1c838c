import { z } from 'zod';
import { jsonObjectSchema } from '../../domain/json.ts';
import { ACTION_STATUSES, type Action } from '../../domain/session/action.ts';
import { lifespanSchema } from '../../domain/session/lifespan.ts';
import {
  MESSAGE_SOURCES,
  type SessionMessage,
  type SessionRecord,
} from '../../domain/session/session-record.ts';
import { sessionStateSchema } from '../../domain/session/session-state.ts';
import { ORIGINS, ROLES, TOOL_ERROR_CODES } from '../../domain/tool/tool-call.ts';

const callerSchema = z
  .object({
    origin: z.enum(ORIGINS),
    station: z.string(),
    sessionId: z.string(),
    turnId: z.string(),
    role: z.enum(ROLES),
    person: z.object({ id: z.string(), name: z.string() }).optional(),
  })
  .transform((caller) => ({ ...caller, person: caller.person }));

const errorSchema = z.object({
  tool: z.string(),
  code: z.enum(TOOL_ERROR_CODES),
  message: z.string(),
  field: z.string().exactOptional(),
  hint: z.string().exactOptional(),
});

const actionSchema: z.ZodType<Action> = z.object({
  id: z.string(),
  sessionId: z.string(),
  turnId: z.string(),
  task: z.int().min(1),
  step: z.int().min(1),
  tool: z.string(),
  args: jsonObjectSchema,
  bindings: z.record(z.string(), z.object({ action: z.string(), field: z.string() })),
  dependsOn: z.array(z.string()),
  status: z.enum(ACTION_STATUSES),
  caller: callerSchema,
  idempotencyKey: z.string(),
  result: jsonObjectSchema.exactOptional(),
  error: errorSchema.exactOptional(),
  compensation: z.object({ tool: z.string(), args: jsonObjectSchema }).exactOptional(),
  cancelling: z.literal(true).exactOptional(),
  undoes: z.string().exactOptional(),
  ofRollBack: z.literal(true).exactOptional(),
});

const messageSchema: z.ZodType<SessionMessage> = z.object({
  seq: z.int().min(1),
  turnId: z.string(),
  role: z.enum(['person', 'assistant', 'tool']),
  source: z.enum(MESSAGE_SOURCES),
  content: z.string(),
  at: z.string(),
  tokens: z.number(),
  isProtected: z.boolean(),
});

const sessionSchema: z.ZodType<SessionRecord> = z
  .object({
    id: z.string(),
    station: z.string(),
    userId: z.string().optional(),
    version: z.int().min(1),
    state: sessionStateSchema,
    task: z.int(),
    lifespan: lifespanSchema,
    createdAt: z.string(),
    lastActiveAt: z.string(),
    bootId: z.string(),
    summary: z.string(),
    open: jsonObjectSchema.optional(),
    memoryRefs: z.array(z.string()),
    meta: jsonObjectSchema,
    archivedAt: z.string().optional(),
  })
  .transform((session) => ({
    ...session,
    userId: session.userId,
    open: session.open,
    archivedAt: session.archivedAt,
  }));

/** What a row says, or what is wrong with it. */
export type ReadRow<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: string };

export const readSession = (body: string): ReadRow<SessionRecord> => readRow(sessionSchema, body);
export const readAction = (body: string): ReadRow<Action> => readRow(actionSchema, body);
export const readMessage = (body: string): ReadRow<SessionMessage> => readRow(messageSchema, body);

/** A row's JSON under its schema. */
export function readRow<T>(schema: z.ZodType<T>, body: string): ReadRow<T> {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return { ok: false, fault: 'no JSON' };
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const [issue] = parsed.error.issues;
  return { ok: false, fault: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}` };
}
