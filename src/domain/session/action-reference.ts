import type { JsonObject } from '../json.ts';
import { type Action, isOver } from './action.ts';
import type { Ledger } from './ledger.ts';
import type { AppendContext } from './ledger-append.ts';
import { type Cancellation, cancel } from './ledger-cancel.ts';

/** How a sentence named an action: what its slots hold, and nothing of its words. */
export interface ReferenceSlots {
  /** "The third step", "the last one"; with a tool, the third of that tool. */
  readonly ordinal?: number | 'last';
  /** "The export": the tools that the word can mean. */
  readonly tools?: readonly string[];
  /** Arguments that were named: "the export of B". */
  readonly args?: JsonObject;
  /** "That", "it", 刚才那个. */
  readonly demonstrative?: boolean;
}

/** What the action is wanted for: which ones come into question follows from it. */
export type Purpose = 'cancel' | 'undo' | 'repeat' | 'use_result';

export type Resolution =
  | { readonly kind: 'found'; readonly action: Action }
  /** Several fit, the newest first; it has to be asked which. */
  | { readonly kind: 'ask'; readonly candidates: readonly Action[] }
  | { readonly kind: 'none'; readonly reason: NoActionReason };

export type NoActionReason =
  /** The ledger is empty, or holds nothing of the kind. */
  | 'nothing_yet'
  | 'no_such_step'
  /** There is such an action, and it has no result that could be used. */
  | 'no_result'
  /** All that fits has been cancelled, undone or has failed. */
  | 'all_over';

const MOST_CANDIDATES = 5;

/**
 * The action that a reference means. An ordinal counts the steps of the task under way; a word for a tool means the one that is
 * still to be done before one that is done, and two of a kind are asked about; "that" is the newest that comes into question.
 */
export function resolveReference(ledger: Ledger, slots: ReferenceSlots, purpose: Purpose): Resolution {
  // What undoes another is no step that a person asked for: only its own number means it.
  const asked = ledger.actions.filter(({ undoes }) => undoes === undefined);
  const named = (slots.ordinal !== undefined && slots.tools === undefined ? ledger.actions : asked).filter(
    (action) => isNamed(action, slots),
  );
  if (named.length === 0) return { kind: 'none', reason: 'nothing_yet' };
  if (typeof slots.ordinal === 'number') return byOrdinal(named, slots, purpose, slots.ordinal);

  const fitting = named.filter((action) => fits(action, purpose)).reverse();
  const [newest, ...older] = preferred(fitting, purpose);
  if (newest === undefined)
    return { kind: 'none', reason: purpose === 'use_result' ? 'no_result' : 'all_over' };
  const isDefinite = slots.tools !== undefined && slots.ordinal !== 'last' && slots.demonstrative !== true;
  // What an earlier task did is not what "the export" means once there is a newer one.
  const others = older.filter(({ task }) => task === newest.task);
  return isDefinite && others.length > 0
    ? { kind: 'ask', candidates: [newest, ...others].slice(0, MOST_CANDIDATES) }
    : { kind: 'found', action: newest };
}

/** "Undo that": the newest that is done, or whatever the slots name, is cancelled. */
export function undo(
  ledger: Ledger,
  slots: ReferenceSlots,
  context: AppendContext,
): { readonly kind: 'undone'; readonly cancellation: Cancellation } | Exclude<Resolution, { kind: 'found' }> {
  const resolution = resolveReference(ledger, slots, 'undo');
  return resolution.kind === 'found'
    ? { kind: 'undone', cancellation: cancel(ledger, resolution.action.id, context) }
    : resolution;
}

/** An ordinal means its step whatever became of it: whoever cancels a step that failed hears that it failed. */
function byOrdinal(
  named: readonly Action[],
  slots: ReferenceSlots,
  purpose: Purpose,
  ordinal: number,
): Resolution {
  const task = Math.max(...named.map((action) => action.task));
  const steps = named.filter((action) => action.task === task).sort((a, b) => a.step - b.step);
  const action = slots.tools === undefined ? steps.find(({ step }) => step === ordinal) : steps[ordinal - 1];
  if (action === undefined) return { kind: 'none', reason: 'no_such_step' };
  if (purpose === 'use_result' && !fits(action, purpose)) return { kind: 'none', reason: 'no_result' };
  return { kind: 'found', action };
}

function isNamed(action: Action, { tools, args }: ReferenceSlots): boolean {
  return (
    (tools === undefined || tools.includes(action.tool)) &&
    Object.entries(args ?? {}).every(([name, value]) => action.args[name] === value)
  );
}

function fits({ status, result }: Action, purpose: Purpose): boolean {
  switch (purpose) {
    case 'cancel':
      return status !== 'failed' && status !== 'cancelled' && status !== 'compensated';
    case 'undo':
      return status === 'done';
    case 'repeat':
      return true;
    case 'use_result':
      // A result that is still to come can be waited for.
      return status === 'done' ? result !== undefined : !isOver({ status });
  }
}

/** Of what could be cancelled, what has not come to an end goes before what is done. */
function preferred(fitting: readonly Action[], purpose: Purpose): readonly Action[] {
  if (purpose !== 'cancel') return fitting;
  const open = fitting.filter((action) => !isOver(action) || action.status === 'held');
  return open.length > 0 ? open : fitting;
}
