import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../domain/json.ts';
import type { Action } from '../../domain/session/action.ts';
import { boundArgs, nextRunnable } from '../../domain/session/ledger.ts';
import { statusAfter } from '../../domain/session/ledger-transition.ts';
import type { ToolCall, ToolOutcome } from '../../domain/tool/tool-call.ts';
import type { ToolContract } from '../../domain/tool/tool-contract.ts';
import { messageOf } from '../../runtime/edge-error.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { ToolRunner } from '../ports/tool-runner.ts';
import type { ConversationLog } from './conversation-log.ts';
import type { LiveSession } from './live-session.ts';

interface Parts {
  readonly tools: Pick<ToolRunner, 'call' | 'contract'>;
  readonly logger: Logger;
  readonly log: Pick<ConversationLog, 'evidence'>;
}

/** How one action ended. */
export interface ActionEnd {
  readonly action: Action;
  readonly outcome: ToolOutcome;
  /** Its dependents that will not run now. */
  readonly held: readonly Action[];
  /** It was to be cancelled, and was done before its call could be ended. */
  readonly isDoneAnyway: boolean;
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
   * Runs all that is pending, but for what a roll-back has planned, as far as dependencies allow, at most `atOnce` (from 1 on)
   * at the same time. Resolves when nothing but detached actions run, which count for none of them; `onDetachedEnd` hears of
   * their ends. Never rejects.
   */
  async advance(
    session: LiveSession,
    onDetachedEnd: (end: ActionEnd) => void,
    atOnce: number,
  ): Promise<Advance> {
    const ended: ActionEnd[] = [];
    const detached: Action[] = [];
    const attached = new Set<Promise<void>>();
    for (;;) {
      for (const action of nextRunnable(session.ledger)) {
        if (attached.size >= atOnce) break;
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

  /**
   * Runs what a roll-back has planned, one after the other in the order given, whatever else is pending; one that is pending no
   * more is passed over. Never rejects.
   */
  async inOrder(session: LiveSession, ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const action = session.action(id);
      if (action?.status !== 'pending') continue;
      const contract = this.#parts.tools.contract(action.tool);
      await this.#run(session, action, contract, contract?.sla.detached === true);
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
    session.move(action.id, 'running');
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
    // Before it is settled: what a later turn has taken up is forgotten then.
    const isOfOpenTurn = session.isOpen(action);
    const wasToBeCancelled = session.action(action.id)?.cancelling === true;
    const held = settle(session, action.id, outcome, compensationOf(outcome, contract, this.#parts.tools));
    const settled = session.action(action.id) ?? action;
    this.#parts.log.evidence(session, settled);
    session.note('action.ended', {
      ...detail,
      status: settled.status,
      duration_ms: Math.round(outcome.durationMs),
      ...(outcome.status === 'ok' ? {} : { code: outcome.error.code, message: outcome.error.message }),
      ...(outcome.degradedBy === undefined ? {} : { degraded_by: outcome.degradedBy }),
    });
    if (isOfOpenTurn && (session.state.name === 'EXECUTING' || session.state.name === 'CONFIRMING'))
      session.apply({ type: 'call_finished' });
    if (contract === undefined || hasEffect(contract) || isDetached)
      await session.commit().catch((error: unknown) => {
        this.#parts.logger.error(
          { ...detail, error: messageOf(error) },
          'the end of an action is not on record',
        );
      });
    const isDoneAnyway = wasToBeCancelled && settled.status === 'done';
    return { action: settled, outcome, held, isDoneAnyway };
  }

  #call(session: LiveSession, action: Action, signal: AbortSignal): Promise<ToolOutcome> {
    const bound = boundArgs(session.ledger, action);
    if (!bound.ok) return Promise.resolve(failed(action.tool, 'INPUT_INVALID', bound.reason));
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

/** A call that may leave something behind is on record before it begins. */
export function hasEffect({ security, sla }: ToolContract): boolean {
  return security.risk !== 'none' || !sla.idempotent;
}

/** Whether a finished action has left something behind. */
export function isLeftBehind({ tool, status }: Action, tools: Pick<ToolRunner, 'contract'>): boolean {
  const contract = tools.contract(tool);
  return status === 'done' && contract !== undefined && hasEffect(contract);
}

/** What undoes a finished call: its tool takes from the result what it has parameters for. */
function compensationOf(
  outcome: ToolOutcome,
  contract: ToolContract | undefined,
  tools: Pick<ToolRunner, 'contract'>,
): Action['compensation'] {
  const tool = contract?.compensation;
  const takes = tool === undefined ? undefined : tools.contract(tool)?.schema.parameters.properties;
  return tool === undefined || takes === undefined || outcome.status !== 'ok'
    ? undefined
    : { tool, args: picked(outcome.result, Object.keys(takes)) };
}

/** The entries that are held since their action came to nothing. */
function settle(
  session: LiveSession,
  id: string,
  outcome: ToolOutcome,
  compensation: Action['compensation'],
): readonly Action[] {
  if (outcome.status === 'ok')
    return session
      .move(id, 'done', { result: outcome.result, ...(compensation === undefined ? {} : { compensation }) })
      .filter(({ status }) => status === 'held');
  const { error } = outcome;
  return session.move(id, statusAfter(outcome), { error });
}

function picked(result: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = result[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
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
