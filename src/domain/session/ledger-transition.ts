import type { ToolOutcome } from '../tool/tool-call.ts';
import type { Action, ActionStatus } from './action.ts';
import {
  actionOf,
  applied,
  dependentsOf,
  heldBy,
  type Ledger,
  type LedgerChange,
  type LedgerRefusal,
  LOST,
} from './ledger.ts';

/** What may become of an action, by its status. */
export const TRANSITIONS: Readonly<Record<ActionStatus, readonly ActionStatus[]>> = {
  pending: ['confirming', 'running', 'failed', 'cancelled', 'held'],
  // Back to pending when its window was parked or a restart ended it: it is asked for again.
  confirming: ['pending', 'running', 'failed', 'cancelled', 'held'],
  // Back to pending after a restart, when it may be repeated.
  running: ['done', 'failed', 'cancelled', 'unknown', 'pending'],
  done: ['compensated'],
  failed: ['pending'],
  cancelled: [],
  held: ['pending', 'cancelled'],
  compensated: [],
  // After somebody has looked.
  unknown: ['done', 'failed'],
};

/** Sets a status, when it may follow the present one, and whatever came with it. */
export function transition(
  ledger: Ledger,
  id: string,
  status: ActionStatus,
  more: Partial<Pick<Action, 'result' | 'error' | 'compensation'>> = {},
): LedgerChange | LedgerRefusal {
  const action = actionOf(ledger, id);
  if (action === undefined) return { ok: false, reason: `there is no action ${id}` };
  if (!TRANSITIONS[action.status].includes(status)) {
    const allowed = TRANSITIONS[action.status].join(', ') || 'nothing';
    return {
      ok: false,
      reason: `step ${action.step}, ${action.tool}, is ${action.status}: it becomes ${allowed}; not ${status}`,
    };
  }
  const lost = status === 'pending' ? lostDependency(ledger, action) : undefined;
  if (lost !== undefined)
    return { ok: false, reason: `it waits for step ${lost.step}, ${lost.tool}, which is ${lost.status}` };
  const { cancelling: _, ...rest } = action;
  const { ledger: between } = applied(ledger, [{ ...rest, ...more, status }]);
  const undone = status === 'done' ? undoneBy(ledger, action) : [];
  const { ledger: after } = applied(between, undone);
  const followers = [id, ...undone.map((each) => each.id)].flatMap((each) =>
    LOST.has(actionOf(after, each)?.status ?? 'pending') ? heldBy(after, each) : [],
  );
  const goesOn = status === 'pending' || (status === 'done' && action.status === 'unknown');
  const released = goesOn ? releasedBy(after, id) : [];
  return applied(ledger, [{ ...rest, ...more, status }, ...undone, ...followers, ...released]);
}

/** What an action that undoes another has undone, once it is done itself. */
function undoneBy(ledger: Ledger, { undoes }: Action): readonly Action[] {
  const action = undoes === undefined ? undefined : actionOf(ledger, undoes);
  return action?.status === 'done' ? [{ ...action, status: 'compensated' }] : [];
}

function lostDependency(ledger: Ledger, { dependsOn }: Action): Action | undefined {
  return ledger.actions.find(({ id, status }) => dependsOn.includes(id) && LOST.has(status));
}

/** What was held for an action that gets another try, or that was found done after all, goes back to waiting, unless something else holds it. */
function releasedBy(ledger: Ledger, id: string): readonly Action[] {
  let current = ledger;
  const released: Action[] = [];
  for (const action of dependentsOf(ledger, id)) {
    if (action.status !== 'held' || lostDependency(current, action) !== undefined) continue;
    const waiting: Action = { ...action, status: 'pending' };
    released.push(waiting);
    current = applied(current, [waiting]).ledger;
  }
  return released;
}

/** What becomes of an action by what its call came to. */
export function statusAfter(
  outcome: ToolOutcome,
): Extract<ActionStatus, 'done' | 'cancelled' | 'unknown' | 'failed'> {
  if (outcome.status === 'ok') return 'done';
  const { code } = outcome.error;
  return code === 'CANCELLED' ? 'cancelled' : code === 'OUTCOME_UNKNOWN' ? 'unknown' : 'failed';
}
