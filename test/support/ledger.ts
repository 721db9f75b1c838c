import type { JsonObject } from '../../src/domain/json.ts';
import type { Plan, PlanStep } from '../../src/domain/planning/plan.ts';
import type { Action, ActionStatus } from '../../src/domain/session/action.ts';
import { actionOf, applied, type Ledger } from '../../src/domain/session/ledger.ts';
import { type AppendContext, appendPlan } from '../../src/domain/session/ledger-append.ts';
import { transition } from '../../src/domain/session/ledger-transition.ts';
import type { Caller } from '../../src/domain/tool/tool-call.ts';

export const CALLER: Caller = {
  origin: 'voice',
  station: 'line-a',
  sessionId: 's1',
  turnId: 'tr_000000000001',
  role: 'operator',
  person: undefined,
};

/** Ids a1, a2, a3, … after those that the ledger has. */
export function contextFor(ledger: Ledger): AppendContext {
  let next = ledger.actions.length;
  return { turnId: CALLER.turnId, caller: CALLER, newId: () => `a${++next}` };
}

export function planStep(tool: string, args: JsonObject = {}, more: Partial<PlanStep> = {}): PlanStep {
  return { tool, args, needs: [], fromSteps: {}, fromLedger: {}, ...more };
}

export function planOf(...steps: readonly PlanStep[]): Plan {
  return { source: 'template', continues: false, steps };
}

export function append(ledger: Ledger, ...steps: readonly PlanStep[]): Ledger {
  const change = appendPlan(ledger, planOf(...steps), contextFor(ledger));
  if (!change.ok) throw new Error(change.reason);
  return change.ledger;
}

/** Leads an action through the statuses given. */
export function lead(ledger: Ledger, id: string, ...statuses: readonly ActionStatus[]): Ledger {
  let current = ledger;
  for (const status of statuses) {
    const change = transition(current, id, status);
    if (!change.ok) throw new Error(change.reason);
    current = change.ledger;
  }
  return current;
}

/** An action that was carried out. */
export function carryOut(
  ledger: Ledger,
  id: string,
  result: JsonObject = {},
  compensation?: Action['compensation'],
): Ledger {
  const change = transition(lead(ledger, id, 'running'), id, 'done', {
    result,
    ...(compensation === undefined ? {} : { compensation }),
  });
  if (!change.ok) throw new Error(change.reason);
  return change.ledger;
}

/** Puts a status on an action without asking whether it may have it. */
export function force(ledger: Ledger, id: string, status: ActionStatus): Ledger {
  const action = actionOf(ledger, id);
  if (action === undefined) throw new Error(`there is no action ${id}`);
  return applied(ledger, [{ ...action, status }]).ledger;
}

export function statuses(ledger: Ledger): Readonly<Record<string, ActionStatus>> {
  return Object.fromEntries(ledger.actions.map(({ id, status }) => [id, status]));
}

export function idsOf(ledger: Ledger): ReadonlySet<string> {
  return new Set(ledger.actions.map(({ id }) => id));
}
