import { createHash } from 'node:crypto';
import { canonicalJson } from '../canonical-json.ts';
import type { JsonObject } from '../json.ts';
import { type Action, isOver } from './action.ts';
import type { Lifespan } from './lifespan.ts';
import type { SessionRecord } from './session-record.ts';
import { turnOf } from './session-state.ts';

/**
 * What the state hash covers. No times, so that a turn which is sent again or restored has the same hash for as long as
 * nothing happened.
 */
export const STATE_HASH_FIELDS = [
  'session_id',
  'turn_id',
  'state',
  'task',
  /** Step, tool and status of every action that is over. */
  'executed_tools',
  /** Step, tool and status of every action that is not. */
  'pending_actions',
  /** By step, the arguments of those: values, and where a value is still to come from. */
  'pending_parameters',
  /** What it waits for, such as `confirmation c1`; null when nothing. */
  'blocking_cause',
  'parked_confirmations',
  /** The question or choice that is open. */
  'open_question',
  'lifespan',
  'failures',
] as const;

type Field = (typeof STATE_HASH_FIELDS)[number];
interface ActionLine {
  readonly step: number;
  readonly tool: string;
  readonly status: Action['status'];
}

export interface StateSnapshot extends Readonly<Record<Field, unknown>> {
  readonly session_id: string;
  readonly turn_id: string | null;
  readonly state: string;
  readonly task: number;
  readonly executed_tools: readonly ActionLine[];
  readonly pending_actions: readonly ActionLine[];
  readonly pending_parameters: Readonly<
    Record<string, { readonly args: JsonObject; readonly bindings: unknown }>
  >;
  readonly blocking_cause: string | null;
  readonly parked_confirmations: readonly string[];
  readonly open_question: JsonObject | null;
  readonly lifespan: Lifespan;
  readonly failures: number;
}

/** The snapshot of a session and the actions of its task. */
export function snapshotOf(session: SessionRecord, actions: readonly Action[]): StateSnapshot {
  const { state } = session;
  const turn = turnOf(state);
  const ofTask = actions.filter(({ task }) => task === session.task).sort((a, b) => a.step - b.step);
  const pending = ofTask.filter((action) => !isOver(action));
  return {
    session_id: session.id,
    turn_id: turn?.id ?? null,
    state: state.name,
    task: session.task,
    executed_tools: ofTask.filter(isOver).map(lineOf),
    pending_actions: pending.map(lineOf),
    pending_parameters: Object.fromEntries(
      pending.map(({ step, args, bindings }) => [String(step), { args, bindings }]),
    ),
    blocking_cause: blockingCause(session),
    parked_confirmations: state.parked.map(({ confirmation }) => confirmation.id),
    open_question: session.open ?? null,
    lifespan: turn?.lifespan ?? session.lifespan,
    failures: turn?.failures ?? 0,
  };
}

/** SHA-256, hexadecimal, over the canonical JSON of the twelve fields. */
export function stateHash(snapshot: StateSnapshot): string {
  const fields = Object.fromEntries(STATE_HASH_FIELDS.map((field) => [field, snapshot[field]]));
  return createHash('sha256').update(canonicalJson(fields)).digest('hex');
}

function lineOf({ step, tool, status }: Action): ActionLine {
  return { step, tool, status };
}

function blockingCause({ state }: SessionRecord): string | null {
  if (state.name === 'CONFIRMING') return `confirmation ${state.confirmation.id}`;
  if (state.name === 'LISTENING' && state.asked !== undefined) return `answer to turn ${state.asked.id}`;
  if (state.name === 'ERROR_HANDLING') return `${state.turn.failures} failures`;
  return null;
}
