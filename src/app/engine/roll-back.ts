import { PLAIN_EVIDENCE } from '../../domain/gate/evidence.ts';
import type { Language } from '../../domain/language/language.ts';
import { type Action, isOver } from '../../domain/session/action.ts';
import { cancel } from '../../domain/session/ledger-cancel.ts';
import { messageOf } from '../../runtime/edge-error.ts';
import type { ToolRunner } from '../ports/tool-runner.ts';
import { type ActionExecutor, isLeftBehind } from './action-executor.ts';
import type { EngineParts } from './engine-parts.ts';
import type { LiveSession } from './live-session.ts';
import type { PlanRunner } from './plan-runner.ts';
import { aboutSteps, stepName } from './step-words.ts';
import { TurnScope } from './turn-scope.ts';

interface Parts extends Pick<EngineParts, 'phrases' | 'clocks' | 'tell' | 'logger'> {
  readonly tools: Pick<ToolRunner, 'contract'>;
  readonly executor: ActionExecutor;
  readonly runner: Pick<PlanRunner, 'decide'>;
  /** In which a station is told what no command of this moment asked for. */
  readonly language: Language;
}

/**
 * Takes back what a hung turn has done, the newest first. Only what the gate lets happen without a person is undone by
 * itself; a write to a machine never is. What stays done is named aloud.
 */
export class RollBack {
  readonly #parts: Parts;
  /** What of a session is being undone: what else is to be undone there comes after it. */
  readonly #undoing = new WeakMap<LiveSession, Promise<void>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Resolves when it has been told what was undone and what was not. Never rejects. */
  async carryOut(session: LiveSession, turnId: string): Promise<void> {
    const { tools, logger, tell, language } = this.#parts;
    const done = session.actions.filter(
      (action) =>
        (action.turnId === turnId || session.takenUp.get(action.id) === turnId) &&
        action.ofRollBack === undefined &&
        isLeftBehind(action, tools),
    );
    if (done.length === 0) return;
    try {
      for (const line of await this.takeBack(session, turnId, done, language))
        void tell(session.station, line, language);
    } catch (error) {
      logger.error({ session: session.id, turn: turnId, error: String(error) }, 'a turn was not rolled back');
    }
  }

  /**
   * Undoes finished steps, the newest first, as far as the gate lets it without a person; resolves with what is to be said
   * of each; a step that another roll-back is undoing is left to it. Rejects with EdgeError STATE_DB_FAILED or
   * STATE_DB_BUSY before anything was undone: what cannot be put on record is not undone.
   */
  async takeBack(
    session: LiveSession,
    turnId: string,
    finished: readonly Action[],
    language: Language,
  ): Promise<readonly string[]> {
    const { runner, phrases } = this.#parts;
    const done = finished.filter(({ id }) => !isRolledBack(session, id));
    if (done.length === 0) return [];
    const planned: string[] = [];
    for (const action of done.toReversed()) {
      const { caller } = action;
      const cancellation = cancel(session.ledger, action.id, { turnId, caller, ofRollBack: true });
      session.take(cancellation);
      for (const undoing of cancellation.undo) {
        if (runner.decide(undoing, this.#scope(action, turnId))?.kind === 'act') planned.push(undoing.id);
        else session.move(undoing.id, 'cancelled');
      }
    }
    session.note('turn.rolled_back', {
      turn_id: turnId,
      actions: done.map(({ id, tool }) => ({ id, tool })),
    });
    // What undoes something is on record before it does.
    try {
      await session.commit();
    } catch (error) {
      for (const id of planned) session.move(id, 'cancelled');
      throw error;
    }
    await this.#inOrder(session, planned);
    // What was undone is told also when the disk does not take it: steps that are gone are never called done.
    await session.commit().catch((error: unknown) => {
      this.#parts.logger.error(
        { session: session.id, turn: turnId, error: messageOf(error) },
        'what was rolled back is not on record',
      );
    });
    const undone = done.filter(({ id }) => session.action(id)?.status === 'compensated');
    return [
      ...undone.map((action) =>
        phrases.say(language, 'step_undone', { step: stepName(action, this.#parts, language) }),
      ),
      ...aboutSteps(
        'steps_done_already',
        done.filter((action) => !undone.includes(action)),
        this.#parts,
        language,
      ),
    ];
  }

  /** Names what a restart has left of a roll-back: it is asked about with "continue", and nothing of it runs before. */
  offer(session: LiveSession): void {
    const { language, tell } = this.#parts;
    const left = session.actions.flatMap(({ id, ofRollBack, undoes = '' }) =>
      ofRollBack === true && session.suspended.has(id) ? (session.action(undoes) ?? []) : [],
    );
    for (const line of aboutSteps('undo_left', left, this.#parts, language))
      void tell(session.station, line, language);
  }

  #inOrder(session: LiveSession, ids: readonly string[]): Promise<void> {
    const before = this.#undoing.get(session) ?? Promise.resolve();
    const undoing = before.then(() => this.#parts.executor.inOrder(session, ids));
    this.#undoing.set(session, undoing);
    return undoing;
  }

  #scope({ caller }: Action, turnId: string): TurnScope {
    const nowMs = this.#parts.clocks.monotonicMs();
    return new TurnScope({
      id: turnId,
      text: '',
      language: this.#parts.language,
      caller,
      evidence: PLAIN_EVIDENCE,
      startedAtMs: nowMs,
      beganAtMs: nowMs,
    });
  }
}

function isRolledBack(session: LiveSession, id: string): boolean {
  return session.actions.some(
    (action) => action.undoes === id && action.ofRollBack === true && !isOver(action),
  );
}
