import { answer, askedAnew, consentOf } from '../../domain/gate/confirmation.ts';
import { CONFIRM_WINDOW_MS, type GivenConsent } from '../../domain/gate/gate.ts';
import { DEATH_LINES, NOT_CONSENT_LINES } from '../../domain/gate/gate-lines.ts';
import type { MatchOutcome, Meaning } from '../../domain/intent/meaning.ts';
import { WRITING_INTENTS } from '../../domain/planning/writing-intents.ts';
import { completeMeaning } from './complete-meaning.ts';
import type { ConfirmDesk } from './confirm-desk.ts';
import type { EngineParts } from './engine-parts.ts';
import type { Gatekeeper } from './gatekeeper.ts';
import type { LiveSession } from './live-session.ts';
import type { OpenConfirmation } from './open-confirmation.ts';
import type { PlanRunner } from './plan-runner.ts';
import { putQuestion } from './question-telling.ts';
import type { TurnRouter } from './turn-router.ts';
import type { TurnScope } from './turn-scope.ts';
import type { TurnWords } from './turn-words.ts';

interface Parts extends Pick<EngineParts, 'plant' | 'phrases' | 'tools' | 'clocks'> {
  readonly desk: ConfirmDesk;
  readonly gatekeeper: Gatekeeper;
  readonly runner: PlanRunner;
  readonly router: TurnRouter;
  readonly says: TurnWords;
}

/** Takes what is said while a consent is waited for. In: a session in CONFIRMING. Only consent leads on, silence never does. */
export class ConsentTaker {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** False when it was no answer but another command, which has ended the question and is still to be carried out. */
  async answer(session: LiveSession, scope: TurnScope, match: MatchOutcome): Promise<boolean> {
    const open = session.confirmation;
    if (open === undefined) return false;
    const { clocks } = this.#parts;
    const { caller, text, language, evidence, beganAtMs } = scope;
    if (match.kind === 'match') scope.meaning = match.meaning;
    const result = answer(
      open.confirmation,
      { match, text, language, beganAtMs, giver: caller, evidence },
      { bootId: clocks.bootId, monotonicMs: clocks.monotonicMs() },
    );
    switch (result.kind) {
      case 'consented':
        await this.#consented(session, scope, result.consent);
        return true;
      case 'rejected':
        this.end(session, 'rejected');
        session.apply({ type: 'cancel' });
        scope.outcome = 'CANCELLED';
        this.#parts.says.say(scope, 'cancelled');
        return true;
      case 'not_consent': {
        // Whoever wants to hear it once more has not given a wrong answer.
        if (scope.meaning?.intent !== 'repeat')
          session.confirmation = { ...open, confirmation: result.confirmation };
        if (match.kind === 'match' && COMMANDS.includes(match.meaning.intent)) {
          this.end(session, 'rejected');
          session.apply({ type: 'cancel' });
          this.#parts.says.say(scope, 'command_dropped');
          return false;
        }
        if (match.kind === 'match' && (await this.#beside(session, scope, match.meaning))) return true;
        scope.outcome = 'OPEN';
        // Who typed it sees that nothing came of it; a hall is not asked without end.
        if (!result.askAgain && scope.caller.origin === 'voice') return true;
        const why = this.#parts.phrases.say(language, NOT_CONSENT_LINES[result.why]);
        scope.lines.push(why);
        await this.#askAgain(session, scope, open.confirmation.id);
        return true;
      }
      case 'parked':
      case 'expired':
        this.end(session, 'expired');
        session.apply({ type: 'cancel' });
        scope.outcome = 'CANCELLED';
        this.#parts.says.say(scope, 'not_confirmed');
        return true;
      case 'dead':
        this.end(session, result.reason);
        session.apply({ type: 'ground_changed' });
        scope.outcome = 'CANCELLED';
        this.#parts.says.say(scope, DEATH_LINES[result.reason]);
        return true;
    }
  }

  /** Puts the question once more; nothing is said of one that has ended meanwhile, since that was said. */
  async #askAgain(session: LiveSession, scope: TurnScope, id: string): Promise<void> {
    const open = standing(session, id);
    if (open !== undefined && open.confirmation.askedAtMs === undefined)
      await this.#askAnew(session, scope, open);
    else if (open !== undefined) putQuestion(session, scope, open);
    else this.#keepSilent(scope);
  }

  /** With what the machine shows by now: it was not heard to its end. One that cannot be put any more is over. */
  async #askAnew(
    session: LiveSession,
    scope: TurnScope,
    { actionId, confirmation }: OpenConfirmation,
  ): Promise<void> {
    const action = session.action(actionId);
    const contract = action === undefined ? undefined : this.#parts.tools.contract(action.tool);
    if (action === undefined || contract === undefined) {
      this.#giveUp(session, scope, this.#parts.phrases.say(scope.language, 'tool_unavailable'));
      return;
    }
    const { id, by, machines, stations, parkedUntilMs } = confirmation;
    const opened = await this.#parts.desk.open({
      action,
      contract,
      wanted: { by, windowMs: CONFIRM_WINDOW_MS, isParkable: parkedUntilMs !== undefined },
      machines,
      stations,
      language: scope.language,
    });
    const still = standing(session, id);
    if (still === undefined) {
      this.#keepSilent(scope);
      return;
    }
    if (!opened.ok) {
      this.#giveUp(session, scope, opened.line(scope.language));
      return;
    }
    const anew = askedAnew(still.confirmation, opened.open.confirmation);
    session.note('confirmation.opened', { action: actionId, confirmation: id, by, ground: anew.ground });
    putQuestion(session, scope, { ...opened.open, confirmation: anew });
  }

  #keepSilent(scope: TurnScope): void {
    scope.outcome = 'CANCELLED';
    scope.lines.length = 0;
  }

  #giveUp(session: LiveSession, scope: TurnScope, line: string): void {
    this.end(session, 'cannot_be_asked');
    session.apply({ type: 'refused' });
    scope.outcome = 'FAILED';
    scope.lines.length = 0;
    scope.lines.push(line);
  }

  /** An open confirmation is over without consent: its action will not be done, nor what waits for it. */
  end(session: LiveSession, why: string): void {
    const open = session.confirmation;
    if (open === undefined) return;
    session.confirmation = undefined;
    session.note('confirmation.ended', { action: open.actionId, confirmation: open.confirmation.id, why });
    for (const { id } of session.unconsented) session.move(id, 'cancelled');
  }

  async #consented(session: LiveSession, scope: TurnScope, consent: GivenConsent): Promise<void> {
    const open = session.confirmation;
    const action = open === undefined ? undefined : session.action(open.actionId);
    const contract = action === undefined ? undefined : this.#parts.tools.contract(action.tool);
    if (open === undefined || action === undefined || contract === undefined) {
      this.end(session, 'gone');
      session.apply({ type: 'refused' });
      this.#parts.says.say(scope, 'tool_unavailable');
      return;
    }
    const decision = this.#parts.gatekeeper.decide({
      actionId: action.id,
      contract,
      args: action.args,
      caller: action.caller,
      evidence: scope.evidence,
      consent,
    });
    if (decision.kind !== 'act') {
      this.end(session, decision.kind === 'refuse' ? decision.reason : decision.kind);
      session.apply({ type: 'refused' });
      scope.outcome = 'FAILED';
      this.#parts.runner.refuse(session, scope, action, decision);
      return;
    }
    session.confirmation = undefined;
    // What was asked for together is carried on with, up to the next question.
    const isOfQuestion = new Set([
      ...session.actions.filter(({ turnId }) => turnId === action.turnId),
      ...session.unconsented,
    ]);
    scope.actions.push(...[...isOfQuestion].map(({ id }) => id));
    this.#parts.gatekeeper.remember(open.confirmation.id, consent);
    session.consents.set(action.id, consentOf(open.confirmation, consent));
    session.move(action.id, 'pending');
    session.note('confirmation.ended', {
      action: action.id,
      confirmation: open.confirmation.id,
      why: 'consented',
      by: consent.giver.person?.id ?? consent.giver.station,
      ground: open.confirmation.ground,
    });
    const confirmed = session.apply({
      type: 'confirmed',
      confirmationId: open.confirmation.id,
      check: this.#parts.runner.check([action]),
      turnId: scope.id,
    });
    if (!confirmed) {
      session.move(action.id, 'cancelled');
      session.apply({ type: 'refused' });
      scope.outcome = 'FAILED';
      this.#parts.says.say(scope, 'tool_unavailable');
      return;
    }
    await this.#parts.runner.run(session, scope);
  }

  /** Something that only looks, while a consent is waited for. True when it was carried out. */
  async #beside(session: LiveSession, scope: TurnScope, meaning: Meaning): Promise<boolean> {
    if (meaning.intent === 'repeat' && session.confirmation !== undefined) {
      scope.outcome = 'OPEN';
      scope.meaning = meaning;
      putQuestion(session, scope, session.confirmation);
      return true;
    }
    const completed = completeMeaning({ kind: 'match', meaning }, this.#parts.plant);
    if (completed.kind !== 'meaning') return false;
    const routed = await this.#parts.router.routed(session, scope, completed.meaning);
    if (routed.kind !== 'plan') return false;
    const appended = this.#parts.runner.append(session, scope, routed.plan);
    if (!appended.ok) return false;
    const decisions = appended.added.map((action) => this.#parts.runner.decide(action, scope));
    if (!decisions.every((decision) => decision?.kind === 'act')) return false;
    if (!session.apply({ type: 'interrupt', turnId: scope.id })) return false;
    scope.meaning = meaning;
    session.take(appended);
    scope.actions.push(...appended.added.map(({ id }) => id));
    await this.#parts.runner.advance(session, scope);
    return true;
  }
}

/** Said while a consent is waited for, these are another wish: the one that was asked about is wanted no more. */
const COMMANDS: readonly string[] = [
  ...WRITING_INTENTS,
  'export_result',
  'send_result',
  'resend_document',
  'redo_for',
  'work_order_create',
  'work_order_close',
];

/** The question of this id, if it is still open. */
function standing({ confirmation: open }: LiveSession, id: string): OpenConfirmation | undefined {
  return open?.confirmation.id === id ? open : undefined;
}
