import { answer, consentOf } from '../../domain/gate/confirmation.ts';
import type { GateDecision, GivenConsent } from '../../domain/gate/gate.ts';
import {
  DEATH_LINES,
  doubtLine,
  type GateLine,
  NOT_CONSENT_LINES,
  refusalLine,
} from '../../domain/gate/gate-lines.ts';
import type { MatchOutcome, Meaning } from '../../domain/intent/meaning.ts';
import { isPhraseKey } from '../../domain/phrases/phrase-keys.ts';
import type { Plan } from '../../domain/planning/plan.ts';
import type { Question, Routed } from '../../domain/planning/routed.ts';
import { COMMANDS } from '../../domain/plc/device-map-shape.ts';
import type { WriteMode } from '../../domain/plc/writing/write-order.ts';
import type { Action } from '../../domain/session/action.ts';
import { beginTask } from '../../domain/session/ledger.ts';
import { appendPlan, beginsNewTask } from '../../domain/session/ledger-append.ts';
import { newLifespan } from '../../domain/session/lifespan.ts';
import type { ExecutionCheck } from '../../domain/session/session-event.ts';
import { estimateTokens } from '../../domain/session/token-estimate.ts';
import type { ToolContract } from '../../domain/tool/tool-contract.ts';
import type { ActionEnd, ActionExecutor } from './action-executor.ts';
import { type Completed, completeMeaning } from './complete-meaning.ts';
import type { ConfirmDesk } from './confirm-desk.ts';
import type { EngineParts } from './engine-parts.ts';
import type { Gatekeeper } from './gatekeeper.ts';
import type { LiveSession } from './live-session.ts';
import { answeredMatch, type OpenQuestion, quantityName, questionText } from './open-question.ts';
import type { SmallTalk } from './small-talk.ts';
import type { StepCommands } from './step-commands.ts';
import { aboutSteps, failureLine } from './step-words.ts';
import type { TurnScope } from './turn-scope.ts';
import type { TurnSteps } from './turn-steps.ts';

interface Parts extends EngineParts {
  readonly executor: ActionExecutor;
  readonly desk: ConfirmDesk;
  readonly gatekeeper: Gatekeeper;
  readonly steps: StepCommands;
  readonly talk: SmallTalk;
  readonly writes: WriteMode;
  /** Where a confirmation for something that was asked for at this station may be given; empty for anywhere. */
  readonly confirmAt: (station: string) => readonly string[];
}

/** What a turn that is carried out has come to. */
type Ending = 'completed' | 'failed' | 'asked';

/**
 * One turn of a session, from what was understood to what is said. In: a session at rest or one that waits for a consent,
 * and a match. Out: lines in the scope; the session's machine has been told everything on the way.
 */
export class TurnHandler implements TurnSteps {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** A turn that begins something, or answers a question. */
  async begin(session: LiveSession, scope: TurnScope, match: MatchOutcome): Promise<void> {
    session.apply({ type: 'transcript', turnId: scope.id, lifespan: newLifespan() });
    const understood = this.#understand(session, scope, match);
    if (understood === undefined) {
      await this.#notUnderstood(session, scope);
      return;
    }
    const { completed, answers } = understood;
    session.apply({ type: 'understood', answers });
    if (scope.meaning?.intent !== 'repeat') session.question = undefined;
    await this.#follow(session, scope, completed);
  }

  /** A meaning that was understood before, once more. */
  async again(session: LiveSession, scope: TurnScope, meaning: Meaning): Promise<void> {
    const completed = completeMeaning({ kind: 'match', meaning }, this.#parts.plant);
    if (completed.kind !== 'none') await this.#follow(session, scope, completed);
    else session.apply({ type: 'refused' });
  }

  async #follow(
    session: LiveSession,
    scope: TurnScope,
    completed: Exclude<Completed, { kind: 'none' }>,
  ): Promise<void> {
    if (completed.kind === 'ask') {
      this.#ask(session, scope, completed.question);
      return;
    }
    if (completed.kind === 'refuse') {
      const { machine, quantity, key } = completed;
      const { plant, phrases } = this.#parts;
      scope.lines.push(
        phrases.say(scope.language, key, {
          machine: plant.machineName(machine)[scope.language],
          quantity: quantityName(quantity, plant, scope.language),
        }),
      );
      session.apply({ type: 'refused' });
      return;
    }
    await this.#route(session, scope, completed.meaning);
  }

  /** Takes something said while a consent is waited for. */
  async answerConfirmation(session: LiveSession, scope: TurnScope, match: MatchOutcome): Promise<void> {
    const open = session.confirmation;
    if (open === undefined) return;
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
        return;
      case 'rejected':
        this.endConfirmation(session, 'rejected');
        session.apply({ type: 'cancel' });
        scope.outcome = 'CANCELLED';
        this.#say(scope, 'cancelled');
        return;
      case 'not_consent': {
        session.confirmation = { ...open, confirmation: result.confirmation };
        if (match.kind === 'match' && (await this.#beside(session, scope, match.meaning))) return;
        scope.outcome = 'OPEN';
        if (!result.askAgain) return;
        const why = this.#parts.phrases.say(language, NOT_CONSENT_LINES[result.why]);
        scope.lines.push(why, open.question(language));
        return;
      }
      case 'parked':
      case 'expired':
        this.endConfirmation(session, 'expired');
        session.apply({ type: 'cancel' });
        scope.outcome = 'CANCELLED';
        this.#say(scope, 'not_confirmed');
        return;
      case 'dead':
        this.endConfirmation(session, result.reason);
        session.apply({ type: 'ground_changed' });
        scope.outcome = 'CANCELLED';
        this.#say(scope, DEATH_LINES[result.reason]);
        return;
    }
  }

  /** An open confirmation is over without consent: its action will not be done, nor what waits for it. */
  endConfirmation(session: LiveSession, why: string): void {
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
      this.endConfirmation(session, 'gone');
      session.apply({ type: 'refused' });
      this.#say(scope, 'tool_unavailable');
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
      this.endConfirmation(session, decision.kind === 'refuse' ? decision.reason : decision.kind);
      session.apply({ type: 'refused' });
      scope.outcome = 'FAILED';
      this.#refusal(session, scope, action, decision);
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
      check: this.check([action]),
      turnId: scope.id,
    });
    if (!confirmed) {
      session.move(action.id, 'cancelled');
      session.apply({ type: 'refused' });
      scope.outcome = 'FAILED';
      this.#say(scope, 'tool_unavailable');
      return;
    }
    await this.run(session, scope);
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
    session.apply({ type: 'requested', turnId: scope.id, lifespan: newLifespan() });
    session.apply({ type: 'planned', check: NOTHING_TO_CHECK });
    await this.run(session, scope);
  }

  /** "Stop", "cancel", an emergency: nothing is pending any more. What runs on behind its turn ends with "cancel" alone. */
  stop(session: LiveSession, intent: string): void {
    this.endConfirmation(session, 'rejected');
    for (const { id } of session.unconsented) session.move(id, 'cancelled');
    session.question = undefined;
    const { name } = session.state;
    const isBusy = name !== 'IDLE';
    if (isBusy) session.apply({ type: 'cancel' });
    if (isBusy || intent !== 'cancel') return;
    const [last] = [...session.running.values()].filter(({ isDetached }) => isDetached).slice(-1);
    last?.abort.abort(new Error('cancelled'));
  }

  /** Something that only looks, while a consent is waited for. True when it was carried out. */
  async #beside(session: LiveSession, scope: TurnScope, meaning: Meaning): Promise<boolean> {
    if (meaning.intent === 'repeat' && session.confirmation !== undefined) {
      scope.outcome = 'OPEN';
      scope.meaning = meaning;
      scope.lines.push(session.confirmation.question(scope.language));
      return true;
    }
    const completed = completeMeaning({ kind: 'match', meaning }, this.#parts.plant);
    if (completed.kind !== 'meaning') return false;
    const routed = await this.#routed(session, scope, completed.meaning);
    if (routed.kind !== 'plan') return false;
    const appended = this.#append(session, scope, routed.plan);
    if (!appended.ok) return false;
    const decisions = appended.added.map((action) => this.decide(action, scope));
    if (!decisions.every((decision) => decision?.kind === 'act')) return false;
    if (!session.apply({ type: 'interrupt', turnId: scope.id })) return false;
    scope.meaning = meaning;
    session.take(appended);
    scope.actions.push(...appended.added.map(({ id }) => id));
    await this.#advance(session, scope);
    return true;
  }

  #understand(
    session: LiveSession,
    scope: TurnScope,
    match: MatchOutcome,
  ): { readonly completed: Exclude<Completed, { kind: 'none' }>; readonly answers: boolean } | undefined {
    const { plant, keywords } = this.#parts;
    const { question } = session;
    if (question !== undefined && match.kind === 'match' && match.meaning.intent === 'repeat') {
      scope.meaning = match.meaning;
      return { completed: { kind: 'meaning', meaning: match.meaning }, answers: true };
    }
    const answered = question === undefined ? undefined : answeredMatch(question, match);
    const answer = answered === undefined ? undefined : completeMeaning(answered, plant);
    if (answered !== undefined && answer !== undefined && answer.kind !== 'none') {
      scope.meaning = answered.kind === 'match' ? answered.meaning : undefined;
      return { completed: answer, answers: true };
    }
    const completed = completeMeaning(match, plant);
    if (completed.kind !== 'none' && !(match.kind === 'match' && match.meaning.intent === 'choose')) {
      scope.meaning = match.kind === 'match' ? match.meaning : undefined;
      return { completed, answers: false };
    }
    session.apply({ type: 'not_understood' });
    const likeliest = scope.caller.origin === 'voice' ? undefined : keywords(scope.text, scope.language);
    const meaning = likeliest !== undefined && BY_LIKENESS.includes(likeliest.intent) ? likeliest : undefined;
    const likely = meaning === undefined ? undefined : completeMeaning({ kind: 'match', meaning }, plant);
    if (likely === undefined || likely.kind === 'none') return undefined;
    scope.meaning = meaning;
    scope.evidence = { ...scope.evidence, source: 'keyword' };
    scope.degradedBy = 'nlu';
    return { completed: likely, answers: false };
  }

  /** No sentence and no likeness: a model may propose, where there is one and no question stands that this may have answered. */
  async #notUnderstood(session: LiveSession, scope: TurnScope): Promise<void> {
    if (this.#parts.planner === undefined || session.question !== undefined) {
      session.apply({ type: 'not_understood' });
      this.#say(scope, 'say_again');
      return;
    }
    session.apply({ type: 'understood', answers: false });
    await this.#plan(session, scope);
  }

  /** A write that is not to be had is refused before anything is asked about it. */
  #impossibleWrite({ intent, slots }: Meaning, { language }: TurnScope): string | undefined {
    if (intent !== 'write_request') return undefined;
    const { phrases, plant, writes } = this.#parts;
    if (writes === 'off') return phrases.say(language, 'gate_writes_off');
    const machine = slots['machine']?.value;
    const action = slots['action']?.value;
    const isCommand = COMMANDS.some((command) => command === action) && slots['quantity'] === undefined;
    if (!isCommand || typeof machine !== 'string' || typeof action !== 'string') return undefined;
    return plant.machine(machine)?.commands.has(action) === true
      ? undefined
      : phrases.say(language, 'no_such_command', { machine: plant.machineName(machine)[language] });
  }

  #routed(session: LiveSession, scope: TurnScope, meaning: Meaning): Promise<Routed> {
    const { caller, language, evidence } = scope;
    return this.#parts.router.route(meaning, {
      caller,
      language,
      actions: session.actions,
      understoodBy: evidence.source === 'keyword' ? 'keyword' : 'template',
    });
  }

  async #route(session: LiveSession, scope: TurnScope, meaning: Meaning): Promise<void> {
    if (this.#parts.steps.takes(meaning)) {
      session.apply({ type: 'planned', check: NOTHING_TO_CHECK });
      await this.#parts.steps.carryOut(session, scope, meaning);
      await this.run(session, scope);
      return;
    }
    if (await this.#parts.talk.carryOut(session, scope, meaning, this)) return;
    const impossible = this.#impossibleWrite(meaning, scope);
    if (impossible !== undefined) {
      scope.lines.push(impossible);
      session.apply({ type: 'refused' });
      return;
    }
    const routed = await this.#routed(session, scope, meaning);
    switch (routed.kind) {
      case 'plan':
        if (routed.fuzzyName) scope.evidence = { ...scope.evidence, fuzzyName: true };
        await this.carryOut(session, scope, routed.plan);
        return;
      case 'ask':
        this.#askRouted(session, scope, meaning, routed.question);
        return;
      case 'say':
        this.#say(scope, isPhraseKey(routed.phrase) ? routed.phrase : 'say_again');
        session.apply({ type: 'refused' });
        return;
      case 'lacks':
        this.#say(scope, 'nothing_to_use');
        session.apply({ type: 'refused' });
        return;
      case 'denied':
        this.#say(scope, 'gate_denied');
        session.note('gate.refused', { turn_id: scope.id, tool: routed.tool, rule: routed.rule });
        session.apply({ type: 'refused' });
        return;
      case 'doubtful':
        this.#say(scope, 'doubtful');
        session.apply({ type: 'refused' });
        return;
      case 'session':
      case 'undecided':
      case 'none':
        await this.#plan(session, scope);
        return;
    }
  }

  /** Nothing that is written down takes it: a model may propose, where there is one. */
  async #plan(session: LiveSession, scope: TurnScope): Promise<void> {
    const { planner } = this.#parts;
    const plan =
      planner === undefined || !session.apply({ type: 'planning_started', limitMs: PLANNING_LIMIT_MS })
        ? undefined
        : await planner(scope.text, scope.language);
    if (session.state.name !== 'ROUTING') return;
    if (plan === undefined) {
      this.#say(scope, 'say_again');
      session.apply({ type: 'refused' });
      return;
    }
    scope.evidence = { ...scope.evidence, source: 'model' };
    scope.degradedBy = 'route';
    await this.carryOut(session, scope, plan);
  }

  async carryOut(session: LiveSession, scope: TurnScope, plan: Plan): Promise<void> {
    const appended = this.#append(session, scope, plan);
    const refused = appended.ok
      ? this.#inputRefusal(appended.added, scope)
      : this.#parts.phrases.say(scope.language, 'nothing_to_use');
    if (!appended.ok || refused !== undefined) {
      scope.failed = true;
      if (refused !== undefined) scope.lines.push(refused);
      session.apply({ type: 'refused' });
      return;
    }
    const decided = appended.added.map((action) => ({ action, decision: this.decide(action, scope) }));
    for (const { action, decision } of decided) {
      if (decision?.kind === 'act' || decision?.kind === 'confirm' || decision?.kind === 'propose') continue;
      this.#refusal(session, scope, action, decision);
      session.apply({ type: 'refused' });
      return;
    }
    session.take(appended);
    scope.actions.push(...appended.added.map(({ id }) => id));
    for (const { action, decision } of decided)
      if (decision?.kind !== 'act') session.move(action.id, 'confirming');
    session.note('action.planned', {
      turn_id: scope.id,
      source: plan.source,
      rule: plan.rule,
      actions: appended.added.map(({ id, tool, step }) => ({ id, tool, step })),
    });
    const planned = scope.actions.flatMap((id) => session.action(id) ?? []);
    if (!session.apply({ type: 'planned', check: this.check(planned) })) {
      for (const { id } of planned) session.move(id, 'cancelled');
      session.apply({ type: 'refused' });
      this.#say(scope, 'tool_unavailable');
      return;
    }
    await this.run(session, scope);
  }

  /** Carries out what may run, then asks for the next consent or ends the turn. */
  async run(session: LiveSession, scope: TurnScope): Promise<void> {
    const isFailed = (await this.#advance(session, scope)) || scope.hasNoValue;
    if (session.state.name !== 'EXECUTING') {
      // A cancel or a time limit has moved the session on already: what came too late is not told.
      scope.lines.length = 0;
      scope.readings.length = 0;
      if (session.state.name !== 'ERROR_HANDLING') return;
      session.apply({ type: 'gave_up' });
      this.#say(scope, 'tool_timeout');
      return;
    }
    const [next] = session.unconsented;
    this.end(
      session,
      next !== undefined ? await this.#confirm(session, scope, next) : isFailed ? 'failed' : 'completed',
    );
  }

  async #advance(session: LiveSession, scope: TurnScope): Promise<boolean> {
    const { ended, detached } = await this.#parts.executor.advance(session, (end) =>
      this.#endedLater(session, end, scope),
    );
    for (const end of ended) scope.lines.push(...this.lines(end, scope));
    if (detached.length > 0) this.#say(scope, 'working');
    const waiting = session.actions.filter(
      ({ id, status }) => status === 'pending' && scope.actions.includes(id),
    );
    const before = session.actions.filter(
      ({ id, status }) =>
        (status === 'running' || status === 'pending') &&
        waiting.some(({ dependsOn }) => dependsOn.includes(id)),
    );
    scope.lines.push(...aboutSteps('waits_for', before, this.#parts, scope.language));
    return scope.failed;
  }

  /** What is said of an action that has ended, in the words of its tool. */
  lines({ outcome, held }: ActionEnd, scope: TurnScope): readonly string[] {
    const { tools, phrases, words } = this.#parts;
    const { language } = scope;
    if (outcome.degradedBy !== undefined) scope.degradedBy ??= outcome.degradedBy;
    if (outcome.status === 'ok') {
      scope.takeReadings(outcome.result['readings']);
      const contract = tools.contract(outcome.tool);
      return contract === undefined ? [] : [words(outcome.say, contract, language)];
    }
    if (outcome.error.code === 'CANCELLED') return [];
    scope.failed = true;
    const contract = tools.contract(outcome.tool);
    const own =
      contract === undefined || outcome.say === undefined ? '' : words(outcome.say, contract, language);
    return [
      own === '' ? failureLine(outcome.error.code, phrases, language) : own,
      ...(outcome.ticketId === undefined
        ? []
        : [phrases.say(language, 'ticket_opened', { number: outcome.ticketId })]),
      ...aboutSteps('steps_held', held, this.#parts, language),
    ];
  }

  /** An action that ran on after its turn: its end is told, and what waited for it runs. */
  #endedLater(session: LiveSession, end: ActionEnd, scope: TurnScope): void {
    for (const line of this.lines(end, scope)) this.#tell(session, scope, line);
    void this.#parts.executor
      .advance(session, (later) => this.#endedLater(session, later, scope))
      .then(async ({ ended }) => {
        for (const each of ended)
          for (const line of this.lines(each, scope)) this.#tell(session, scope, line);
        await session.commit();
      })
      .catch((error: unknown) => {
        this.#parts.logger.error(
          { session: session.id, error: String(error) },
          'what ran on could not be kept',
        );
      });
  }

  /** Says something that nobody waits for; it belongs to the conversation like an answer. */
  #tell(session: LiveSession, scope: TurnScope, line: string): void {
    if (line === '') return;
    session.say({
      turnId: scope.id,
      role: 'assistant',
      source: scope.caller.origin === 'voice' ? 'voice' : 'main',
      content: line,
      tokens: estimateTokens(line),
      isProtected: false,
    });
    this.#parts.tell(session.station, line, scope.language);
  }

  async #confirm(session: LiveSession, scope: TurnScope, action: Action): Promise<Ending> {
    const contract = this.#parts.tools.contract(action.tool);
    const decision = contract === undefined ? undefined : this.decide(action, scope);
    if (contract === undefined || (decision?.kind !== 'confirm' && decision?.kind !== 'propose'))
      return 'failed';
    const { gatekeeper, desk, confirmAt } = this.#parts;
    const opened = await desk.open({
      action,
      contract,
      wanted: decision,
      machines: gatekeeper.machinesOf(contract, action.args),
      stations: confirmAt(session.station),
      language: scope.language,
    });
    if (!opened.ok) {
      scope.lines.push(opened.line(scope.language));
      session.move(action.id, 'cancelled');
      return 'failed';
    }
    if (session.state.name !== 'EXECUTING') return 'failed';
    session.confirmation = opened.open;
    session.note('confirmation.opened', {
      action: action.id,
      confirmation: opened.open.confirmation.id,
      by: decision.by,
      ground: opened.open.confirmation.ground,
    });
    session.apply({
      type: 'confirmation_needed',
      confirmation: {
        id: opened.open.confirmation.id,
        risk: gatekeeper.riskOf(contract, action.args),
        parkable: decision.isParkable,
      },
      pendingConfirmations: 1,
    });
    scope.lines.push(opened.open.question(scope.language));
    return 'asked';
  }

  /** Tells the machine how a turn ended that was carried out. */
  end(session: LiveSession, ending: Ending): void {
    if (ending === 'asked' || session.state.name !== 'EXECUTING') return;
    if (ending === 'completed') {
      session.apply({ type: 'completed' });
      return;
    }
    session.apply({ type: 'failed' });
    session.apply({ type: 'gave_up' });
  }

  decide(action: Action, scope: TurnScope): GateDecision | undefined {
    const contract = this.#parts.tools.contract(action.tool);
    if (contract === undefined) return undefined;
    const { caller, evidence } = scope;
    return this.#parts.gatekeeper.decide({
      actionId: action.id,
      contract,
      args: action.args,
      caller,
      evidence,
    });
  }

  /** Arguments that the contract refuses, in the words of a person; bound ones are checked when they are there. */
  #inputRefusal(actions: readonly Action[], scope: TurnScope): string | undefined {
    const { tools, phrases } = this.#parts;
    for (const action of actions) {
      if (Object.keys(action.bindings).length > 0) continue;
      const checked = tools.check({
        callId: action.id,
        tool: action.tool,
        args: action.args,
        caller: action.caller,
        path: [],
        idempotencyKey: action.idempotencyKey,
        consent: undefined,
      });
      if (checked.ok) continue;
      scope.failed = true;
      return failureLine(checked.error.code, phrases, scope.language);
    }
    return undefined;
  }

  check(actions: readonly Action[]): ExecutionCheck {
    const { tools } = this.#parts;
    return {
      schemaValid: actions.every(({ tool }) => tools.contract(tool) !== undefined),
      tools: actions.map(({ tool }) => ({ tool, state: this.#stateOf(tool) })),
      estimateMs: actions.reduce((sum, { tool }) => sum + estimateOf(tools.contract(tool)), 0),
      pendingConfirmations: actions.filter(({ status }) => status === 'confirming').length,
    };
  }

  /** A tool whose tests still run is waited for by its call; one whose breaker is open is stood in for by its fallback. */
  #stateOf(tool: string): string | undefined {
    const { tools } = this.#parts;
    const state = tools.state(tool);
    const isStoodInFor = state === 'OPEN' && tools.contract(tool)?.fallback_tool !== undefined;
    return state === 'TESTING' || state === 'HALF_OPEN' || isStoodInFor ? 'READY' : state;
  }

  #refusal(session: LiveSession, scope: TurnScope, action: Action, decision: GateDecision | undefined): void {
    scope.failed = true;
    session.note('gate.refused', { turn_id: scope.id, tool: action.tool, arguments: action.args, decision });
    if (decision?.kind === 'refuse') scope.lines.push(this.#gateLine(refusalLine(decision), scope));
    else if (decision?.kind === 'ask') scope.lines.push(this.#gateLine(doubtLine(decision.reason), scope));
    else this.#say(scope, 'tool_unavailable');
  }

  #gateLine({ key, machine, person }: GateLine, { language }: TurnScope): string {
    return this.#parts.phrases.say(language, key, {
      ...(machine === undefined ? {} : { machine: this.#parts.plant.machineName(machine)[language] }),
      ...(person === undefined ? {} : { person }),
    });
  }

  #ask(session: LiveSession, scope: TurnScope, question: OpenQuestion): void {
    session.question = question;
    scope.lines.push(questionText(question, this.#parts, scope.language));
    session.apply({ type: 'question_asked' });
  }

  #askRouted(session: LiveSession, scope: TurnScope, meaning: Meaning, asked: Question): void {
    const slot = OPEN_SLOTS.find((each) => each === asked.slot);
    if (asked.why === 'missing' && slot !== undefined) {
      this.#ask(session, scope, {
        kind: 'question',
        meaning: { intent: meaning.intent, slots: { ...meaning.slots } },
        slot,
        choices: [],
        named: false,
      });
      return;
    }
    if (asked.why === 'which' && slot !== undefined) {
      const choices = asked.choices.flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
      const { [slot]: _, ...slots } = meaning.slots;
      this.#ask(session, scope, {
        kind: 'question',
        meaning: { intent: meaning.intent, slots: { ...slots } },
        slot,
        choices,
        named: true,
      });
      return;
    }
    if (asked.why === 'unknown_name')
      scope.lines.push(this.#parts.phrases.say(scope.language, 'unknown_person', { name: asked.spoken }));
    else this.#say(scope, 'ask_period');
    session.apply({ type: 'refused' });
  }

  #append(session: LiveSession, scope: TurnScope, plan: Plan): ReturnType<typeof appendPlan> {
    const ledger = beginsNewTask(session.ledger, plan) ? beginTask(session.ledger) : session.ledger;
    return appendPlan(ledger, plan, { turnId: scope.id, caller: scope.caller });
  }

  #say(scope: TurnScope, key: Parameters<EngineParts['phrases']['say']>[1]): void {
    scope.lines.push(this.#parts.phrases.say(scope.language, key));
  }
}

/** A try of a model; its own limit is shorter. */
const PLANNING_LIMIT_MS = 8000;
/** What the likeness of words may lead to: it only looks, and touches no step of the ledger. */
const BY_LIKENESS = [
  'read_point',
  'machine_status',
  'read_history',
  'read_log',
  'compare',
  'diagnose',
  'system_status',
  'who_am_i',
  'how_to',
  'help',
];
const OPEN_SLOTS = ['machine', 'other_machine', 'person', 'quantity', 'value', 'step'] as const;
const NOTHING_TO_CHECK: ExecutionCheck = {
  schemaValid: true,
  tools: [],
  estimateMs: 0,
  pendingConfirmations: 0,
};

/** What a call is expected to take before it is measured: half of what it may. */
function estimateOf(contract: ToolContract | undefined): number {
  return contract === undefined || contract.sla.detached ? 0 : contract.sla.max_execution_time_ms / 2;
}
