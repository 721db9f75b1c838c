import { randomBytes } from 'node:crypto';
import type { JsonObject } from '../json.ts';
import type { Plan, PlanStep } from '../planning/plan.ts';
import type { Caller } from '../tool/tool-call.ts';
import { type Action, type Binding, isOver } from './action.ts';
import { actionOf, type Ledger, type LedgerChange, type LedgerRefusal, LOST, taskActions } from './ledger.ts';

/** Actions of one task; a conversation that needs more begins a new one. */
export const MOST_ACTIONS = 100;

export interface AppendContext {
  readonly turnId: string;
  readonly caller: Caller;
  readonly newId?: () => string;
}

/** 96 random bits: unique over all sessions and restarts. */
export function newActionId(): string {
  return `ac_${randomBytes(12).toString('hex')}`;
}

/** A new task begins with a plan that rests on nothing in the ledger, when all that was to be done has come to an end. */
export function beginsNewTask(ledger: Ledger, plan: Plan): boolean {
  const takesFromLedger = plan.steps.some(({ fromLedger }) => Object.keys(fromLedger).length > 0);
  const actions = taskActions(ledger);
  return !plan.continues && !takesFromLedger && actions.length > 0 && actions.every(isOver);
}

/**
 * Adds the steps of a plan to the task under way, each `pending`. Its idempotency key is its own id: the same thing asked for
 * twice on purpose is two actions, and a repeat of one action is none. Refused when a step needs one that does not come
 * before it, or an action of the ledger that will never be done.
 */
export function appendPlan(
  ledger: Ledger,
  plan: Plan,
  { turnId, caller, newId = newActionId }: AppendContext,
): (LedgerChange & { readonly added: readonly Action[] }) | LedgerRefusal {
  const before = taskActions(ledger);
  if (before.length + plan.steps.length > MOST_ACTIONS)
    return { ok: false, reason: `a task has at most ${MOST_ACTIONS} steps` };
  const lastStep = before.at(-1)?.step ?? 0;
  const added: Action[] = [];
  for (const [place, step] of plan.steps.entries()) {
    const reason = stepFault(ledger, step, place);
    if (reason !== undefined) return { ok: false, reason: `step ${place + 1}, ${step.tool}: ${reason}` };
    const id = newId();
    const bindings: Record<string, Binding> = { ...step.fromLedger };
    for (const [name, from] of Object.entries(step.fromSteps)) {
      bindings[name] = { action: added[from.step]?.id ?? '', field: from.field };
    }
    const needed = step.needs.map((needs) => added[needs]?.id ?? '');
    added.push({
      id,
      sessionId: ledger.sessionId,
      turnId,
      task: ledger.task,
      step: lastStep + place + 1,
      tool: step.tool,
      args: step.args,
      bindings,
      dependsOn: [...new Set([...needed, ...Object.values(bindings).map(({ action }) => action)])],
      status: 'pending',
      caller,
      idempotencyKey: id,
    });
  }
  return { ok: true, ledger: { ...ledger, actions: [...ledger.actions, ...added] }, changed: added, added };
}

function stepFault(ledger: Ledger, step: PlanStep, place: number): string | undefined {
  const needed = [...step.needs, ...Object.values(step.fromSteps).map((from) => from.step)];
  const wrong = needed.find((needs) => !Number.isInteger(needs) || needs < 0 || needs >= place);
  if (wrong !== undefined) return `it needs step ${wrong + 1}, which does not come before it`;
  for (const [name, { action: id }] of Object.entries(step.fromLedger)) {
    const action = actionOf(ledger, id);
    if (action === undefined) return `${name} comes from action ${id}, which is not in the ledger`;
    if (LOST.has(action.status))
      return `${name} comes from step ${action.step}, ${action.tool}, which is ${action.status}`;
  }
  return undefined;
}

/** "Do the same for B": the step of a new plan, with other arguments and the rest as it was. */
export function repeatFor(action: Action, changes: JsonObject): PlanStep {
  const kept = Object.entries(action.bindings).filter(([name]) => !Object.hasOwn(changes, name));
  return {
    tool: action.tool,
    args: { ...action.args, ...changes },
    needs: [],
    fromSteps: {},
    fromLedger: Object.fromEntries(kept),
  };
}
