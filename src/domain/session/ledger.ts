/**
 * The ledger of one session: every action that was planned in it, and what became of it. Its files `ledger-…` take a plan, or what
 * became of an action, and give a new ledger with what changed in it, or a reason why not. Pure: whoever carries out the
 * actions stores it.
 */
import type { JsonObject, JsonValue } from '../json.ts';
import { type Action, type ActionStatus, isOver } from './action.ts';

export interface Ledger {
  readonly sessionId: string;
  /** The task under way; steps are counted in it. */
  readonly task: number;
  /** In the order in which they were planned. */
  readonly actions: readonly Action[];
}

/** A ledger after something was done to it. */
export interface LedgerChange {
  readonly ok: true;
  readonly ledger: Ledger;
  /** The new and the changed entries: what has to be stored. */
  readonly changed: readonly Action[];
}
export interface LedgerRefusal {
  readonly ok: false;
  readonly reason: string;
}

/** Tasks whose actions can still be meant by "undo that". */
export const TASKS_AT_HAND = 10;

/** What an action that another one waits for must not become: with it, the other never gets its turn. */
export const LOST: ReadonlySet<ActionStatus> = new Set([
  'failed',
  'cancelled',
  'held',
  'compensated',
  'unknown',
]);

export function emptyLedger(sessionId: string): Ledger {
  return { sessionId, task: 1, actions: [] };
}

export function actionOf(ledger: Ledger, id: string): Action | undefined {
  return ledger.actions.find((action) => action.id === id);
}

/** The actions of the task under way, by step. */
export function taskActions({ actions, task }: Ledger): readonly Action[] {
  return actions.filter((action) => action.task === task).sort((a, b) => a.step - b.step);
}

/** The next task. Of tasks long past only what has not come to an end is kept at hand, with what it rests on. */
export function beginTask(ledger: Ledger): Ledger {
  const task = ledger.task + 1;
  const open = ledger.actions.filter((action) => !isOver(action));
  const needed = new Set(open.flatMap(({ id, dependsOn }) => [id, ...dependsOn]));
  return {
    ...ledger,
    task,
    actions: ledger.actions.filter((action) => action.task > task - TASKS_AT_HAND || needed.has(action.id)),
  };
}

/**
 * The actions that may begin: pending, and all that they depend on is done. The one planned first comes first. What a roll-back
 * has planned is none of them.
 */
export function nextRunnable(ledger: Ledger): readonly Action[] {
  const done = new Set(ledger.actions.filter(({ status }) => status === 'done').map(({ id }) => id));
  return ledger.actions.filter(
    ({ status, dependsOn, ofRollBack }) =>
      status === 'pending' && ofRollBack === undefined && dependsOn.every((id) => done.has(id)),
  );
}

/** Everything that rests on an action, directly or through others, in the order of the ledger. */
export function dependentsOf(ledger: Ledger, id: string): readonly Action[] {
  const found = new Set([id]);
  return ledger.actions.filter((action) => {
    if (!action.dependsOn.some((each) => found.has(each))) return false;
    found.add(action.id);
    return true;
  });
}

/** An action's arguments with the values that its bindings name; fails with what is missing. */
export function boundArgs(
  ledger: Ledger,
  action: Action,
): { readonly ok: true; readonly args: JsonObject } | LedgerRefusal {
  const bound: Record<string, JsonValue> = {};
  for (const [name, { action: id, field }] of Object.entries(action.bindings)) {
    const from = actionOf(ledger, id);
    const result = from?.result;
    if (result === undefined) return { ok: false, reason: `${name} waits for the result of ${id}` };
    if (field === '') {
      bound[name] = result;
      continue;
    }
    const value = Object.hasOwn(result, field) ? result[field] : undefined;
    if (value === undefined) {
      const fields = Object.keys(result).join(', ');
      return { ok: false, reason: `${name}: the result of ${from?.tool} has no ${field}; it has ${fields}` };
    }
    bound[name] = value;
  }
  return { ok: true, args: { ...action.args, ...bound } };
}

/** What waits for an action that is lost is held. */
export function heldBy(ledger: Ledger, id: string): readonly Action[] {
  return dependentsOf(ledger, id)
    .filter(({ status }) => status === 'pending' || status === 'confirming')
    .map((action) => ({ ...action, status: 'held' }));
}

/** The ledger with entries replaced or, where they are new, added. */
export function applied(ledger: Ledger, changed: readonly Action[]): LedgerChange {
  const byId = new Map(changed.map((action) => [action.id, action]));
  const actions = ledger.actions.map((action) => {
    const replaced = byId.get(action.id);
    byId.delete(action.id);
    return replaced ?? action;
  });
  return { ok: true, ledger: { ...ledger, actions: [...actions, ...byId.values()] }, changed };
}
