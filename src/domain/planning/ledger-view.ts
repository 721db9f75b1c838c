import type { Action, ActionStatus } from '../session/action.ts';

/** What a rule may look up in the session's ledger. */
export interface LedgerView {
  /** The newest action of these tools that `fits`; of any tool when the list is empty. */
  newest(tools: readonly string[], fits: (action: Action) => boolean): Action | undefined;
}

const USABLE: ReadonlySet<ActionStatus> = new Set(['pending', 'confirming', 'running', 'done']);

/** Whether an action has a result, or will have one. */
export function isUsable(action: Action): boolean {
  return USABLE.has(action.status);
}
