import type { MatchOutcome, Meaning } from '../../domain/intent/meaning.ts';
import { LOOKING_INTENTS } from '../../domain/planning/looking-intents.ts';
import type { WriteMode } from '../../domain/plc/writing/write-order.ts';
import { baseMsOf, newLifespan } from '../../domain/session/lifespan.ts';
import type { ConsentTaker } from './consent-taker.ts';
import type { EngineParts } from './engine-parts.ts';
import type { LiveSession } from './live-session.ts';
import { NOTHING_TO_CHECK, type PlanRunner } from './plan-runner.ts';
import type { StepCommands } from './step-commands.ts';
import type { TurnRouter } from './turn-router.ts';
import type { TurnScope } from './turn-scope.ts';
import type { TurnWords } from './turn-words.ts';
import { understandTurn } from './understand-turn.ts';

interface Parts extends Pick<EngineParts, 'plant' | 'keywords' | 'asksForMemory' | 'planner'> {
  readonly runner: PlanRunner;
  readonly router: TurnRouter;
  readonly consents: ConsentTaker;
  readonly steps: StepCommands;
  readonly says: TurnWords;
  readonly writes: WriteMode;
}

/**
 * One turn of a session, from a match to what is said. In: a session at rest or one that waits for an answer. Out: lines in
 * the scope; the session's machine has been told everything on the way.
 */
export class TurnHandler {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** A turn that begins something, or answers a question. */
  async begin(session: LiveSession, scope: TurnScope, match: MatchOutcome): Promise<void> {
    const opened = session.apply({
      type: 'transcript',
      turnId: scope.id,
      lifespan: newLifespan(baseMsOf(scope.caller.origin)),
    });
    if (!opened) {
      scope.outcome = 'FAILED';
      this.#parts.says.say(scope, 'busy');
      return;
    }
    const understood = understandTurn(session, scope, match, this.#parts);
    if (understood === undefined) {
      await this.#notUnderstood(session, scope);
      return;
    }
    const { completed, answers } = understood;
    session.apply({ type: 'understood', answers });
    if (answers) scope.heard = [];
    else if (dropsCommand(session, scope)) this.#parts.says.say(scope, 'command_dropped');
    if (scope.meaning?.intent !== 'repeat') session.question = undefined;
    await this.#parts.router.follow(session, scope, completed);
  }

  /** No sentence and no likeness: a model may propose, where there is one and no question stands that this may have answered. */
  async #notUnderstood(session: LiveSession, scope: TurnScope): Promise<void> {
    if (this.#parts.planner === undefined || session.question !== undefined) {
      session.apply({ type: 'not_understood' });
      this.#parts.says.say(scope, 'say_again');
      return;
    }
    session.apply({ type: 'understood', answers: false });
    await this.#parts.router.plan(session, scope);
  }

  /** Whether a sentence works on the ledger while a turn is carried out or a consent is waited for. */
  takesAtOnce(session: LiveSession, match: MatchOutcome): boolean {
    const { name } = session.state;
    const isUnderWay = name === 'EXECUTING' || name === 'CONFIRMING' || name === 'ERROR_HANDLING';
    return isUnderWay && match.kind === 'match' && this.#parts.steps.takes(match.meaning);
  }

  async atOnce(session: LiveSession, scope: TurnScope, meaning: Meaning): Promise<void> {
    scope.meaning = meaning;
    const wasAsking = session.state.name === 'CONFIRMING';
    if (!wasAsking && !session.apply({ type: 'interrupt', turnId: scope.id })) return;
    await this.#parts.steps.carryOut(session, scope, meaning);
    if (!wasAsking) return;
    if (session.state.name === 'CONFIRMING') session.apply({ type: 'interrupt', turnId: scope.id });
    else await this.#askWhatIsLeft(session, scope);
  }

  /** The step that was asked about will not be done; what undoes another may have to be asked about now. */
  async #askWhatIsLeft(session: LiveSession, scope: TurnScope): Promise<void> {
    if (session.state.name !== 'IDLE') return;
    session.apply({
      type: 'requested',
      turnId: scope.id,
      lifespan: newLifespan(baseMsOf(scope.caller.origin)),
    });
    session.apply({ type: 'planned', check: NOTHING_TO_CHECK });
    await this.#parts.runner.run(session, scope);
  }

  /**
   * "Stop", "cancel", an emergency: nothing is pending any more. What runs on behind its turn ends with "cancel" alone. False
   * when there was nothing to call off.
   */
  stop(session: LiveSession, intent: string): boolean {
    const wasOpen = session.confirmation !== undefined || session.question !== undefined;
    this.#parts.consents.end(session, 'rejected');
    const { unconsented } = session;
    for (const { id } of unconsented) session.move(id, 'cancelled');
    session.question = undefined;
    const isWaitedFor = this.#dropInterrupted(session) || unconsented.length > 0 || wasOpen;
    const { name } = session.state;
    if (name !== 'IDLE') {
      session.apply({ type: 'cancel' });
      return isWaitedFor || name !== 'LISTENING';
    }
    if (intent !== 'cancel') return isWaitedFor;
    const [last] = [...session.running.values()].filter(({ isDetached }) => isDetached).slice(-1);
    last?.abort.abort(new Error('cancelled'));
    return isWaitedFor || last !== undefined;
  }

  /** What a restart left for "continue" and has not begun is not wanted any more. What had begun stays: it is looked at. */
  #dropInterrupted(session: LiveSession): boolean {
    const waiting = [...session.suspended].filter((id) => {
      const status = session.action(id)?.status;
      return status === 'pending' || status === 'confirming';
    });
    for (const id of waiting) {
      session.suspended.delete(id);
      session.move(id, 'cancelled');
    }
    return waiting.length > 0;
  }
}

/** What would have changed something is not left for anybody to think that it still will; a read that is dropped needs no word. */
function dropsCommand({ question }: LiveSession, { meaning }: TurnScope): boolean {
  if (question === undefined) return false;
  const { intent } = question.meaning;
  return !LOOKING_INTENTS.includes(intent) && intent !== meaning?.intent;
}
