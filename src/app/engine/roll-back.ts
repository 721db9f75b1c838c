import { PLAIN_EVIDENCE } from '../../domain/gate/evidence.ts';
import type { Language } from '../../domain/language/language.ts';
import type { Action } from '../../domain/session/action.ts';
import { cancel } from '../../domain/session/ledger-cancel.ts';
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

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Resolves when it has been told what was undone and what was not. Never rejects. */
  async carryOut(session: LiveSession, turnId: string): Promise<void> {
    const { tools, logger, tell, language } = this.#parts;
    const done = session.actions.filter(
      (action) =>
        (action.turnId === turnId || session.takenUp.get(action.id) === turnId) &&
        isLeftBehind(action, tools),
    );
    if (done.length === 0) return;
    try {
      for (const line of await this.takeBack(session, turnId, done, language))
        tell(session.station, line, language);
    } catch (error) {
      logger.error({ session: session.id, turn: turnId, error: String(error) }, 'a turn was not rolled back');
    }
  }

  /**
   * Undoes finished steps, the newest first, as far as the gate lets it without a person; resolves with what is to be said
   * of each. Rejects with EdgeError STATE_DB_FAILED or STATE_DB_BUSY: what cannot be put on record is not undone.
   */
  async takeBack(
    session: LiveSession,
    turnId: string,
    done: readonly Action[],
    language: Language,
  ): Promise<readonly string[]> {
    const { runner, executor, phrases } = this.#parts;
    for (const action of done.toReversed()) {
      const cancellation = cancel(session.ledger, action.id, { turnId, caller: action.caller });
      session.take(cancellation);
      for (const undoing of cancellation.undo)
        if (runner.decide(undoing, this.#scope(action, turnId))?.kind !== 'act')
          session.move(undoing.id, 'cancelled');
    }
    session.note('turn.rolled_back', {
      turn_id: turnId,
      actions: done.map(({ id, tool }) => ({ id, tool })),
    });
    // What undoes something is on record before it does.
    await session.commit();
    await executor.advance(session, () => undefined, 1);
    await session.commit();
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
