import { type Action, isOver } from './action.ts';
import { actionOf, applied, dependentsOf, type Ledger, taskActions } from './ledger.ts';
import { type AppendContext, MOST_ACTIONS, newActionId } from './ledger-append.ts';

/** What a person is told of each action that a cancel touches. */
export type CancelNote =
  /** It will not be done. */
  | 'cancelled'
  /** It runs, and is being stopped. */
  | 'stopping'
  /** It was done, and is being undone. */
  | 'undoing'
  /** It was done, and nothing undoes it. */
  | 'cannot_undo'
  /** There was nothing left to cancel: it had ended otherwise. */
  | 'already_over'
  /** Nobody knows what it did. */
  | 'outcome_unknown'
  /** It would have come after what was cancelled, and waits. */
  | 'held'
  /** It came after what was cancelled, and is done all the same. */
  | 'already_done';

export interface CancelContext extends AppendContext {
  /** Whatever undoes a step is planned by the roll-back of the turn. */
  readonly ofRollBack?: true;
}

export interface Cancellation {
  readonly ledger: Ledger;
  /** What has to be stored before anything is done. */
  readonly changed: readonly Action[];
  /** Running actions whose calls are to be aborted. */
  readonly abort: readonly Action[];
  /** New actions that undo done ones: they pass the gates like any other. */
  readonly undo: readonly Action[];
  /** What is to be said, the cancelled action first. */
  readonly notes: readonly { readonly note: CancelNote; readonly action: Action }[];
}

/**
 * Cancels an action, by what has become of it: one that has not begun is cancelled; one that runs is stopped, and is over when
 * its call says so; one that is done is undone by its compensation, or named aloud when it has none. What depends on it is held
 * if it has not run, stopped if it runs, and named aloud if it is done. Throws when the ledger has no such action.
 */
export function cancel(ledger: Ledger, actionId: string, context: CancelContext): Cancellation {
  const target = actionOf(ledger, actionId);
  if (target === undefined) throw new Error(`there is no action ${actionId}`);
  const found = new Findings(ledger, context);
  found.cancelled(target);
  if (found.touched) for (const action of dependentsOf(ledger, actionId)) found.dependent(action);
  return found.cancellation();
}

/** Everything that has not come to an end, as "cancel everything" and a cancelled turn want it. */
export function cancelOpen(ledger: Ledger, context: AppendContext): Cancellation {
  const found = new Findings(ledger, context);
  for (const action of taskActions(ledger).filter((each) => !isOver(each))) found.cancelled(action);
  return found.cancellation();
}

class Findings {
  readonly #ledger: Ledger;
  readonly #context: CancelContext;
  readonly #changed: Action[] = [];
  readonly #abort: Action[] = [];
  readonly #undo: Action[] = [];
  readonly #notes: { readonly note: CancelNote; readonly action: Action }[] = [];
  /** Something became of the action that was to be cancelled. */
  touched = false;

  constructor(ledger: Ledger, context: CancelContext) {
    this.#ledger = ledger;
    this.#context = context;
  }

  cancelled(action: Action): void {
    switch (action.status) {
      case 'pending':
      case 'confirming':
      case 'held':
        this.touched = true;
        this.#change({ ...action, status: 'cancelled' }, 'cancelled');
        return;
      case 'running':
        this.touched = true;
        this.#stop(action);
        return;
      case 'done':
        this.touched = true;
        this.#undoDone(action);
        return;
      case 'unknown':
        this.#say('outcome_unknown', action);
        return;
      case 'failed':
      case 'cancelled':
      case 'compensated':
        this.#say('already_over', action);
        return;
    }
  }

  dependent(action: Action): void {
    // What undoes the cancelled action does not rest on it as the steps of a plan do.
    if (action.undoes !== undefined) return;
    switch (action.status) {
      case 'pending':
      case 'confirming':
        this.#change({ ...action, status: 'held' }, 'held');
        return;
      case 'running':
        this.#stop(action);
        return;
      case 'done':
        this.#say('already_done', action);
        return;
      case 'unknown':
        this.#say('outcome_unknown', action);
        return;
      case 'failed':
      case 'cancelled':
      case 'held':
      case 'compensated':
        return;
    }
  }

  cancellation(): Cancellation {
    const changed = [...this.#changed, ...this.#undo];
    return {
      ledger: applied(this.#ledger, changed).ledger,
      changed,
      abort: this.#abort,
      undo: this.#undo,
      notes: this.#notes,
    };
  }

  #stop(action: Action): void {
    this.#abort.push(action);
    this.#change({ ...action, cancelling: true }, 'stopping');
  }

  #undoDone(action: Action): void {
    const { turnId, caller, newId = newActionId, ofRollBack } = this.#context;
    const isBeingUndone = this.#ledger.actions.some(
      (each) => each.undoes === action.id && (!isOver(each) || each.status === 'held'),
    );
    if (isBeingUndone) {
      this.#say('undoing', action);
      return;
    }
    const steps = taskActions(this.#ledger);
    if (action.compensation === undefined || steps.length + this.#undo.length >= MOST_ACTIONS) {
      this.#say('cannot_undo', action);
      return;
    }
    const id = newId();
    this.#undo.push({
      id,
      sessionId: this.#ledger.sessionId,
      turnId,
      task: this.#ledger.task,
      step: (steps.at(-1)?.step ?? 0) + this.#undo.length + 1,
      tool: action.compensation.tool,
      args: action.compensation.args,
      bindings: {},
      dependsOn: [action.id],
      status: 'pending',
      caller,
      idempotencyKey: id,
      undoes: action.id,
      ...(ofRollBack === undefined ? {} : { ofRollBack }),
    });
    this.#say('undoing', action);
  }

  #change(action: Action, note: CancelNote): void {
    this.#changed.push(action);
    this.#say(note, action);
  }

  #say(note: CancelNote, action: Action): void {
    this.#notes.push({ note, action });
  }
}
