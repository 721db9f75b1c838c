import type { Risk } from '../tool/tool-contract.ts';
import type { Action } from './action.ts';
import { applied, heldBy, type Ledger } from './ledger.ts';

/** What a tool's contract says of repeating its calls. */
export interface ToolTraits {
  readonly risk: Risk;
  readonly idempotent: boolean;
}

export interface Resumption {
  readonly ledger: Ledger;
  readonly changed: readonly Action[];
  /** Ran when the daemon ended, and may simply be done again, under the same idempotency key. */
  readonly again: readonly Action[];
  /** Ran when the daemon ended, and may have happened: somebody has to look, and it is never repeated. */
  readonly unknown: readonly Action[];
  /** Waited for a consent that is dead now, or is what a roll-back had still to undo: a person is asked. */
  readonly offered: readonly Action[];
  /** Had not begun. */
  readonly waiting: readonly Action[];
  /** Waits for an action whose outcome is unknown. */
  readonly held: readonly Action[];
}

/**
 * What a ledger comes to after a restart, for "continue": the actions of the ids given were open then, and the others are left
 * alone. A running action may be repeated only when its tool moves nothing and is
 * idempotent; a tool that is not known any more counts as one that does neither. What a roll-back had planned is no longer its
 * own: it stays in its order, and is done when a person wants it.
 */
export function resumable(
  ledger: Ledger,
  interrupted: ReadonlySet<string>,
  traits: (tool: string) => ToolTraits | undefined,
): Resumption {
  const again: Action[] = [];
  const unknown: Action[] = [];
  const offered: Action[] = [];
  const ended: Action[] = [];
  for (const action of ledger.actions.filter(({ id }) => interrupted.has(id))) {
    const { cancelling, ofRollBack, ...rest } = action;
    if (action.status === 'confirming' || (action.status === 'pending' && ofRollBack === true))
      offered.push({ ...rest, status: 'pending' });
    if (action.status !== 'running') continue;
    if (!mayBeRepeated(traits(action.tool))) unknown.push({ ...rest, status: 'unknown' });
    else if (cancelling === true) ended.push({ ...rest, status: 'cancelled' });
    else (ofRollBack === true ? offered : again).push({ ...rest, status: 'pending' });
  }
  const first = [...again, ...unknown, ...offered, ...ended];
  const { ledger: between } = applied(ledger, first);
  const held = new Map(
    [...unknown, ...ended].flatMap(({ id }) => heldBy(between, id)).map((action) => [action.id, action]),
  );
  const changed = [...first.filter(({ id }) => !held.has(id)), ...held.values()];
  const after = applied(ledger, changed).ledger;
  const touched = new Set(changed.map(({ id }) => id));
  const notHeld = (action: Action): boolean => !held.has(action.id);
  return {
    ledger: after,
    changed,
    again: again.filter(notHeld),
    unknown,
    offered: offered.filter(notHeld),
    waiting: after.actions.filter(
      ({ id, status }) => status === 'pending' && interrupted.has(id) && !touched.has(id),
    ),
    held: [...held.values()],
  };
}

function mayBeRepeated(traits: ToolTraits | undefined): boolean {
  return traits?.idempotent === true && (traits.risk === 'none' || traits.risk === 'reversible');
}
