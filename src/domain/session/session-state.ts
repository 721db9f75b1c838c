import { z } from 'zod';
import { RISKS } from '../tool/tool-contract.ts';
import { lifespanSchema } from './lifespan.ts';

/** The live states of a session. How a turn ended is its outcome, which is no state. */
export const SESSION_STATES = [
  'IDLE',
  'LISTENING',
  'PARSING',
  'ROUTING',
  'EXECUTING',
  'CONFIRMING',
  'ERROR_HANDLING',
] as const;
export type SessionStateName = (typeof SESSION_STATES)[number];

/** How a turn ended. */
export const OUTCOMES = ['COMPLETED', 'CANCELLED', 'FAILED', 'ABANDONED'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** All times are milliseconds of the monotonic clock of the boot in which the state was made. */
const atMs = z.number();

const turnSchema = z
  .strictObject({
    id: z.string().min(1),
    /** Turns that this one goes on with (it answers what they asked, or confirms what they wanted): they end as it ends. */
    joined: z.array(z.string().min(1)).readonly(),
    lifespan: lifespanSchema,
    /** When it began, moved on by the time for which its lifespan stood still. */
    startedAtMs: atMs,
    /** Since when no person has been waited for. */
    watchedFromMs: atMs,
    failures: z.int().min(0),
  })
  .readonly();
export type Turn = z.infer<typeof turnSchema>;

const confirmationSchema = z
  .strictObject({
    id: z.string().min(1),
    risk: z.enum(RISKS),
    /** It may be answered later, as that of a work order; what moves a machine never may, whatever stands here. */
    parkable: z.boolean(),
  })
  .readonly();
export type Confirmation = z.infer<typeof confirmationSchema>;

const parkedSchema = z
  .strictObject({
    confirmation: confirmationSchema,
    turnIds: z.array(z.string().min(1)).min(1).readonly(),
    untilMs: atMs,
  })
  .readonly();
export type ParkedConfirmation = z.infer<typeof parkedSchema>;

/** Speech that is being heard. */
const hearingSchema = z
  .strictObject({
    sinceMs: atMs,
    /** A word of the grammar was in it. */
    keyword: z.boolean(),
    /** It was cut for its length. */
    cut: z.boolean(),
  })
  .readonly();
export type Hearing = z.infer<typeof hearingSchema>;

const plannerSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('rules') }).readonly(),
  z
    .strictObject({
      kind: z.literal('model'),
      /** 0 for the first try. */
      retries: z.int().min(0),
      limitMs: z.number().positive(),
    })
    .readonly(),
  z.strictObject({ kind: z.literal('fallback') }).readonly(),
]);

const common = {
  /** Since when it is in this state. */
  sinceMs: atMs,
  /** Confirmations that may still be taken up, the oldest first. */
  parked: z.array(parkedSchema).readonly(),
};

/** A session's state as it is stored. */
export const sessionStateSchema = z.discriminatedUnion('name', [
  z.strictObject({ name: z.literal('IDLE'), ...common }).readonly(),
  z
    .strictObject({
      name: z.literal('LISTENING'),
      ...common,
      hearing: hearingSchema.optional(),
      /** The turn whose question waits for an answer. */
      asked: turnSchema.optional(),
    })
    .readonly(),
  z
    .strictObject({
      name: z.literal('PARSING'),
      ...common,
      turn: turnSchema,
      strategy: z.enum(['template', 'keyword']),
      asked: turnSchema.optional(),
    })
    .readonly(),
  z
    .strictObject({ name: z.literal('ROUTING'), ...common, turn: turnSchema, planner: plannerSchema })
    .readonly(),
  z
    .strictObject({
      name: z.literal('EXECUTING'),
      ...common,
      turn: turnSchema,
      /** The confirmation that let it begin: said twice, it is no second one. */
      confirmed: z.string().optional(),
    })
    .readonly(),
  z
    .strictObject({
      name: z.literal('CONFIRMING'),
      ...common,
      turn: turnSchema,
      confirmation: confirmationSchema,
      /** When its question had been heard to its end; until then its limit runs from the beginning of the state. */
      heardAtMs: atMs.optional(),
      hearing: hearingSchema.optional(),
    })
    .readonly(),
  z.strictObject({ name: z.literal('ERROR_HANDLING'), ...common, turn: turnSchema }).readonly(),
]);
export type SessionState = z.infer<typeof sessionStateSchema>;
export type StateOf<N extends SessionStateName> = Extract<SessionState, { readonly name: N }>;

export const IDLE_SESSION: StateOf<'IDLE'> = { name: 'IDLE', sinceMs: 0, parked: [] };

/** The turn that is worked on, or that waits for its confirmation. */
export function turnOf(state: SessionState): Turn | undefined {
  return 'turn' in state ? state.turn : undefined;
}

/** The ids of all turns without an outcome, the one worked on first. */
export function openTurnIds(state: SessionState): readonly string[] {
  const ids: string[] = [];
  if ('turn' in state) ids.push(state.turn.id, ...state.turn.joined);
  if ('asked' in state && state.asked !== undefined) ids.push(state.asked.id, ...state.asked.joined);
  for (const { turnIds } of state.parked) ids.push(...turnIds);
  return ids;
}
