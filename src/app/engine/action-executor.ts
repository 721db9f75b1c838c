import { randomUUID } from 'node:crypto';
import type { JsonObject, JsonValue } from '../../domain/json.ts';
import type { Action } from '../../domain/session/action.ts';
import type { ToolCall, ToolOutcome } from '../../domain/tool/tool-call.ts';
import type { ToolContract } from '../../domain/tool/tool-contract.ts';
import { messageOf } from '../../runtime/edge-error.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { ToolRunner } from '../ports/tool-runner.ts';
import type { LiveSession } from './live-session.ts';

interface Parts {
  readonly tools: ToolRunner;
  readonly logger: Logger;
}

/** How one action ended. */
export interface ActionEnd {
  readonly action: Action;
  readonly outcome: ToolOutcome;
  /** Its dependents that will not run now. */
  readonly held: readonly Action[];
}

export interface Advance {
  readonly ended: readonly ActionEnd[];
  /** Begun, and running on after the turn. */
  readonly detached: readonly Action[];
}

/**
 * Runs what may run of a session's ledger. In: a session. Out: how its actions ended, in the order of their ends. Each is on
 * disk as begun before it acts, unless it only looks.
 */
export class ActionExecutor {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Runs all that is pending, as far as dependencies allow, at the same time where they do. Resolves when nothing but
   * detached actions run; `onDetachedEnd` hears of their ends. Never rejects.
   */
  async advance(session: LiveSession, onDetachedEnd: (end: ActionEnd) => void): Promise<Advance> {
    const ended: ActionEnd[] = [];
    const detached: Action[] = [];
    const attached = new Set<Promise<void>>();
    for (;;) {
      for (const action of runnable(session.actions)) {
        if (session.running.has(action.id) || session.suspended.has(action.id)) continue;
        const contract = this.#parts.tools.contract(action.tool);
        const isDetached = contract?.sla.detached === true;
        const run = this.#run(session, action, contract, isDetached);
        if (isDetached) {
          detached.push(action);
          void run.then(onDetachedEnd);
          continue;
        }
        const settled: Promise<void> = run.then((end) => {
          ended.push(end);
          attached.delete(settled);
        });
        attached.add(settled);
      }
      if (attached.size === 0) return { ended, detached };
      await Promise.race(attached);
    }
  }

  async #run(
    session: LiveSession,
    action: Action,
    contract: ToolContract | undefined,
    isDetached: boolean,
  ): Promise<ActionEnd> {
    const abort = new AbortController();
    session.running.set(action.id, { abort, isDetached });
    session.put([{ ...action, status: 'running' }]);
    const detail = { action: action.id, tool: action.tool, turn_id: action.turnId };
    session.note('action.begun', { ...detail, arguments: boundedArguments(action.args) });
    let outcome: ToolOutcome;
    try {
      if (contract === undefined || hasEffect(contract)) await session.commit();
      outcome = await this.#call(session, action, abort.signal);
    } catch (error) {
      // What is not on record is not done.
      outcome = failed(action.tool, 'TOOL_UNAVAILABLE', messageOf(error));
    }
    session.running.delete(action.id);
    session.consents.delete(action.id);
    const present = session.action(action.id) ?? action;
    const settled = settledAction(present, outcome, contract, this.#parts.tools);
    session.put([settled]);
    const held = settled.status === 'done' ? [] : holdDependents(session, settled);
    session.note('action.ended', {
      ...detail,
      status: settled.status,
      duration_ms: Math.round(outcome.durationMs),
      ...(outcome.status === 'ok' ? {} : { code: outcome.error.code, message: outcome.error.message }),
      ...(outcome.degradedBy === undefined ? {} : { degraded_by: outcome.degradedBy }),
    });
    if (session.state.name === 'EXECUTING' || session.state.name === 'CONFIRMING')
      session.apply({ type: 'call_finished' });
    if (contract === undefined || hasEffect(contract) || isDetached)
      await session.commit().catch((error: unknown) => {
        this.#parts.logger.error(
          { ...detail, error: messageOf(error) },
          'the end of an action is not on record',
        );
      });
    return { action: settled, outcome, held };
  }

  #call(session: LiveSession, action: Action, signal: AbortSignal): Promise<ToolOutcome> {
    const bound = boundArguments(action, session.actions);
    if ('missing' in bound)
      return Promise.resolve(failed(action.tool, 'INPUT_INVALID', `nothing came of ${bound.missing}`));
    const call: ToolCall = {
      callId: randomUUID(),
      tool: action.tool,
      args: bound.args,
      caller: action.caller,
      path: [],
      idempotencyKey: action.idempotencyKey,
      consent: session.consents.get(action.id),
    };
    return this.#parts.tools.call(call, signal);
  }
}

/** Pending, and all that it depends on is done. */
function runnable(actions: readonly Action[]): readonly Action[] {
  const done = new Set(actions.filter(({ status }) => status === 'done').map(({ id }) => id));
  return actions.filter(
    ({ status, dependsOn }) => status === 'pending' && dependsOn.every((id) => done.has(id)),
  );
}

/** A call that may leave something behind is on record before it begins. */
export function hasEffect({ security, sla }: ToolContract): boolean {
  return security.risk !== 'none' || !sla.idempotent;
}

function boundArguments(
  action: Action,
  actions: readonly Action[],
): { readonly args: JsonObject } | { readonly missing: string } {
  const args: Record<string, JsonValue> = { ...action.args };
  for (const [name, binding] of Object.entries(action.bindings)) {
    const result = actions.find(({ id }) => id === binding.action)?.result;
    const value = binding.field === '' ? result : result?.[binding.field];
    if (value === undefined) return { missing: name };
    args[name] = value;
  }
  return { args };
}

function settledAction(
  action: Action,
  outcome: ToolOutcome,
  contract: ToolContract | undefined,
  tools: Pick<ToolRunner, 'contract'>,
): Action {
  if (outcome.status === 'ok') {
    const undoing = contract?.compensation;
    const takes = undoing === undefined ? undefined : tools.contract(undoing)?.schema.parameters.properties;
    return {
      ...action,
      status: 'done',
      result: outcome.result,
      ...(undoing === undefined || takes === undefined
        ? {}
        : { compensation: { tool: undoing, args: picked(outcome.result, Object.keys(takes)) } }),
    };
  }
  const { error } = outcome;
  if (error.code === 'CANCELLED') return { ...action, status: 'cancelled', error };
  return { ...action, status: error.code === 'OUTCOME_UNKNOWN' ? 'unknown' : 'failed', error };
}

function picked(result: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = result[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** What waits for an action that will not be done is held, with all that waits for that. */
export function holdDependents(session: LiveSession, root: Action): readonly Action[] {
  const gone = new Set([root.id]);
  const held: Action[] = [];
  for (const action of session.actions) {
    const waits = action.status === 'pending' || action.status === 'confirming';
    if (!waits || !action.dependsOn.some((id) => gone.has(id))) continue;
    gone.add(action.id);
    held.push({ ...action, status: 'held' });
  }
  session.put(held);
  for (const { id } of held) session.consents.delete(id);
  return held;
}

function failed(tool: string, code: 'TOOL_UNAVAILABLE' | 'INPUT_INVALID', message: string): ToolOutcome {
  return { status: 'failed', tool, error: { tool, code, message }, durationMs: 0 };
}

const MAX_NOTED_CHARACTERS = 2000;

/** What is kept for ever stays small. */
function boundedArguments(args: JsonObject): unknown {
  const size = JSON.stringify(args).length;
  return size <= MAX_NOTED_CHARACTERS ? args : { omitted_characters: size };
}
