import type { Meaning } from '../../domain/intent/meaning.ts';
import type { Language } from '../../domain/language/language.ts';
import type { PhraseKey } from '../../domain/phrases/phrase-keys.ts';
import type { Action } from '../../domain/session/action.ts';
import { type ReferenceSlots, resolveReference } from '../../domain/session/action-reference.ts';
import { type Cancellation, type CancelNote, cancel } from '../../domain/session/ledger-cancel.ts';
import type { ActionEnd, ActionExecutor } from './action-executor.ts';
import type { EngineParts } from './engine-parts.ts';
import type { LiveSession } from './live-session.ts';
import type { PlanRunner } from './plan-runner.ts';
import { aboutSteps, stepName } from './step-words.ts';
import type { TurnScope } from './turn-scope.ts';

interface Parts extends Pick<EngineParts, 'phrases' | 'tools' | 'handling'> {
  readonly executor: ActionExecutor;
  readonly runner: PlanRunner;
}

/** How each thing that a cancel has come to is said, of one step or of several. */
const NOTES: Readonly<Record<CancelNote, PhraseKey | undefined>> = {
  cancelled: 'step_cancelled',
  stopping: 'step_stopped',
  undoing: undefined,
  cannot_undo: 'step_not_undoable',
  already_over: 'step_over',
  outcome_unknown: 'interrupted_unknown',
  held: 'steps_held',
  already_done: 'steps_done_already',
};

/** What a person wants of steps that are in the ledger already: cancel and undo. They resolve on the ledger, never on text. */
export class StepCommands {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  takes({ intent }: Meaning): boolean {
    return intent === 'cancel_step' || intent === 'undo';
  }

  /** Says what has become of the steps in the scope; runs what undoes them. Never rejects for what a tool did. */
  async carryOut(session: LiveSession, scope: TurnScope, meaning: Meaning): Promise<void> {
    const purpose = meaning.intent === 'undo' ? 'undo' : 'cancel';
    const found = resolveReference(session.ledger, referenceOf(meaning), purpose);
    const { phrases } = this.#parts;
    const { language } = scope;
    if (found.kind === 'ask') {
      const names = found.candidates.map((action) => stepName(action, this.#parts, language));
      scope.lines.push(phrases.say(language, 'ask_which', { choices: phrases.choices(language, names) }));
      scope.failed = true;
      return;
    }
    if (found.kind === 'none') {
      const ordinal = meaning.slots['ordinal']?.value;
      const key = purpose === 'undo' ? 'nothing_to_undo' : 'nothing_to_cancel';
      scope.lines.push(
        found.reason === 'no_such_step' && ordinal !== undefined
          ? phrases.say(language, 'no_such_step', { number: String(ordinal) })
          : phrases.say(language, key),
      );
      scope.failed = true;
      return;
    }
    await this.#cancel(session, scope, found.action);
  }

  async #cancel(session: LiveSession, scope: TurnScope, target: Action): Promise<void> {
    const { caller } = scope;
    const cancellation = cancel(session.ledger, target.id, { turnId: scope.id, caller });
    session.take(cancellation);
    session.note('action.cancelled', {
      action: target.id,
      turn_id: scope.id,
      notes: cancellation.notes.map(({ note, action }) => ({ note, action: action.id })),
    });
    this.#endConfirmation(session);
    // What is to be undone is on record before it is; what runs is told to end before that.
    for (const { id } of cancellation.abort) session.running.get(id)?.abort.abort(new Error('cancelled'));
    // Decided before anything else can run it: another turn may be carrying out what is pending.
    this.#decide(session, scope, cancellation);
    await session.commit();
    scope.actions.push(target.id, ...cancellation.undo.map(({ id }) => id));
    const undone = await this.#undo(session, scope, cancellation);
    scope.lines.push(...this.#words(session, cancellation, undone, scope.language));
  }

  /** A confirmation that is open for something that will not be done is over. */
  #endConfirmation(session: LiveSession): void {
    const open = session.confirmation;
    if (open === undefined || session.action(open.actionId)?.status === 'confirming') return;
    session.confirmation = undefined;
    session.note('confirmation.ended', {
      action: open.actionId,
      confirmation: open.confirmation.id,
      why: 'cancelled',
    });
    if (session.state.name === 'CONFIRMING') session.apply({ type: 'cancel' });
  }

  /** What undoes a step passes the same gate as any other action: a write that takes one back has to be confirmed. */
  #decide(session: LiveSession, scope: TurnScope, { undo }: Cancellation): void {
    for (const action of undo) {
      const decision = this.#parts.runner.decide(action, scope);
      if (decision?.kind === 'act') continue;
      session.move(action.id, decision?.kind === 'confirm' ? 'confirming' : 'cancelled');
    }
  }

  async #undo(session: LiveSession, scope: TurnScope, { undo }: Cancellation): Promise<readonly ActionEnd[]> {
    if (undo.length === 0) return [];
    const { parallelSteps } = this.#parts.handling.choose(scope);
    const { ended } = await this.#parts.executor.advance(session, () => undefined, parallelSteps);
    return ended.filter(({ action }) => undo.some(({ id }) => id === action.id));
  }

  #words(
    session: LiveSession,
    cancellation: Cancellation,
    undone: readonly ActionEnd[],
    language: Language,
  ): readonly string[] {
    const { phrases } = this.#parts;
    const lines: string[] = [];
    const several = new Map<PhraseKey, Action[]>();
    for (const { note, action } of cancellation.notes) {
      if (note === 'undoing') {
        const end = undone.find((each) => each.action.undoes === action.id);
        const undoing = session.actions.findLast(({ undoes }) => undoes === action.id);
        if (end === undefined && undoing?.status !== 'cancelled') {
          // One that has to be confirmed first is asked about in its own words, after the question that stands.
          const asked = session.action(session.confirmation?.actionId ?? '');
          if (asked !== undefined) lines.push(...aboutSteps('waits_for', [asked], this.#parts, language));
          continue;
        }
        const key = end?.outcome.status === 'ok' ? 'step_undone' : 'step_undo_failed';
        lines.push(phrases.say(language, key, { step: stepName(action, this.#parts, language) }));
        continue;
      }
      const key = NOTES[note];
      if (key === undefined) continue;
      if (note === 'held' || note === 'already_done' || note === 'outcome_unknown')
        several.set(key, [...(several.get(key) ?? []), action]);
      else lines.push(phrases.say(language, key, { step: stepName(action, this.#parts, language) }));
    }
    for (const [key, actions] of several) lines.push(...aboutSteps(key, actions, this.#parts, language));
    return lines;
  }
}

function referenceOf({ slots }: Meaning): ReferenceSlots {
  const ordinal = slots['ordinal']?.value;
  const tool = slots['tool']?.value;
  return {
    ...(typeof ordinal === 'number' ? { ordinal } : ordinal === 'last' ? { ordinal: 'last' as const } : {}),
    ...(typeof tool === 'string' ? { tools: [tool] } : {}),
    demonstrative: ordinal === undefined && tool === undefined,
  };
}
