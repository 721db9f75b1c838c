import type { GateDecision } from '../../domain/gate/gate.ts';
import type { Language } from '../../domain/language/language.ts';
import type { Plan } from '../../domain/planning/plan.ts';
import type { Action } from '../../domain/session/action.ts';
import { beginTask } from '../../domain/session/ledger.ts';
import { appendPlan, beginsNewTask } from '../../domain/session/ledger-append.ts';
import type { ExecutionCheck } from '../../domain/session/session-event.ts';
import { FAILURES_BEFORE_GIVING_UP } from '../../domain/session/session-limits.ts';
import type { ToolContract } from '../../domain/tool/tool-contract.ts';
import { type ActionEnd, type ActionExecutor, isLeftBehind } from './action-executor.ts';
import type { ConfirmDesk } from './confirm-desk.ts';
import type { EngineParts } from './engine-parts.ts';
import type { Gatekeeper } from './gatekeeper.ts';
import type { LiveSession } from './live-session.ts';
import { putQuestion } from './question-telling.ts';
import { aboutSteps, failureLine } from './step-words.ts';
import type { TurnScope } from './turn-scope.ts';
import type { TurnWords } from './turn-words.ts';

interface Parts extends Pick<EngineParts, 'tools' | 'phrases' | 'logger' | 'handling'> {
  readonly executor: ActionExecutor;
  readonly desk: ConfirmDesk;
  readonly gatekeeper: Gatekeeper;
  readonly says: TurnWords;
  /** Undoes finished steps as far as that needs no person; resolves with what is to be said of them. */
  readonly takeBack: (
    session: LiveSession,
    turnId: string,
    done: readonly Action[],
    language: Language,
  ) => Promise<readonly string[]>;
  /**
   * A person is called to a station where one task after the other fails; resolves with the ticket's id, undefined when it could
   * not be kept. Never rejects.
   */
  readonly escalate: (session: LiveSession, turnId: string, failures: number) => Promise<string | undefined>;
  /** Where a confirmation for something that was asked for at this station may be given; empty for anywhere. */
  readonly confirmAt: (station: string) => readonly string[];
}

/** What a turn that is carried out has come to. */
type Ending = 'completed' | 'failed' | 'asked';

/**
 * Carries out plans. In: a session in ROUTING or EXECUTING, and a plan. Out: lines in the scope, entries in the ledger; each
 * step has passed the gate, and what needs a consent has been asked about.
 */
export class PlanRunner {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async carryOut(session: LiveSession, scope: TurnScope, plan: Plan): Promise<void> {
    const appended = this.append(session, scope, plan);
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
      this.refuse(session, scope, action, decision);
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
      this.#parts.says.say(scope, 'tool_unavailable');
      return;
    }
    await this.run(session, scope);
  }

  /** Carries out what may run, then asks for the next consent or ends the turn. */
  async run(session: LiveSession, scope: TurnScope): Promise<void> {
    const isFailed = (await this.advance(session, scope)) || scope.hasNoValue;
    if (session.state.name !== 'EXECUTING') {
      // A cancel or a time limit has moved the session on already: what came too late is not told.
      scope.lines.length = 0;
      scope.readings.length = 0;
      const done = this.#leftBehind(session, scope);
      if (session.state.name !== 'ERROR_HANDLING') {
        scope.lines.push(...aboutSteps('steps_done_already', done, this.#parts, scope.language));
        return;
      }
      session.apply({ type: 'gave_up' });
      this.#parts.says.say(scope, 'tool_timeout');
      await this.#countFailure(session, scope);
      scope.lines.push(...(await this.#takenBack(session, scope, done)));
      return;
    }
    const waiting = session.unconsented;
    const next = waiting.find(({ id }) => scope.actions.includes(id)) ?? waiting[0];
    await this.#end(
      session,
      scope,
      next !== undefined ? await this.#confirm(session, scope, next) : isFailed ? 'failed' : 'completed',
    );
  }

  /** Runs what is pending of the ledger, and tells how it ended. True when something of the turn has failed. */
  async advance(session: LiveSession, scope: TurnScope): Promise<boolean> {
    const { ended, detached } = await this.#parts.executor.advance(
      session,
      (end) => this.#endedLater(session, end, scope),
      this.#parts.handling.choose(scope).parallelSteps,
    );
    for (const end of ended) scope.lines.push(...(await this.#linesOf(session, end, scope)));
    if (detached.length > 0) this.#parts.says.say(scope, 'working');
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

  /** An action that ran on after its turn: its end is told, and what waited for it runs. */
  #endedLater(session: LiveSession, end: ActionEnd, scope: TurnScope): void {
    this.#goOn(session, end, scope).catch((error: unknown) => {
      this.#parts.logger.error(
        { session: session.id, error: String(error) },
        'what ran on could not be kept',
      );
    });
  }

  async #goOn(session: LiveSession, end: ActionEnd, scope: TurnScope): Promise<void> {
    const { executor, handling, says } = this.#parts;
    const tell = async (each: ActionEnd): Promise<void> => {
      for (const line of await this.#linesOf(session, each, scope)) says.tell(session, scope, line);
    };
    await tell(end);
    const { ended } = await executor.advance(
      session,
      (later) => this.#endedLater(session, later, scope),
      handling.choose(scope).parallelSteps,
    );
    for (const each of ended) await tell(each);
    await session.commit();
  }

  /** What is said of an end; what was done although it was to be cancelled is taken back, or named. */
  async #linesOf(session: LiveSession, end: ActionEnd, scope: TurnScope): Promise<readonly string[]> {
    return end.isDoneAnyway
      ? this.#takenBack(session, scope, [end.action])
      : this.#parts.says.ofEnd(end, scope);
  }

  async #takenBack(
    session: LiveSession,
    scope: TurnScope,
    done: readonly Action[],
  ): Promise<readonly string[]> {
    if (done.length === 0) return [];
    try {
      return await this.#parts.takeBack(session, scope.id, done, scope.language);
    } catch (error) {
      this.#parts.logger.error(
        { session: session.id, error: String(error) },
        'steps could not be taken back',
      );
      return aboutSteps('steps_done_already', done, this.#parts, scope.language);
    }
  }

  /** Steps of the turn that are done and have left something behind. */
  #leftBehind(session: LiveSession, scope: TurnScope): readonly Action[] {
    return session.actions.filter(
      (action) => scope.actions.includes(action.id) && isLeftBehind(action, this.#parts.tools),
    );
  }

  /** The one that makes too many of them calls a person, and says so. */
  async #countFailure(session: LiveSession, scope: TurnScope): Promise<void> {
    session.failedTurns += 1;
    const failures = session.failedTurns;
    if (failures < FAILURES_BEFORE_GIVING_UP) return;
    session.failedTurns = 0;
    const number = await this.#parts.escalate(session, scope.id, failures);
    if (number === undefined) return;
    scope.lines.push(this.#parts.phrases.say(scope.language, 'task_escalated', { number }));
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
    if (session.state.name !== 'EXECUTING') {
      // Nobody was asked, and nobody shall be by the way.
      if (session.action(action.id)?.status === 'confirming') session.move(action.id, 'cancelled');
      return 'failed';
    }
    putQuestion(session, scope, opened.open);
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
    return 'asked';
  }

  /** Tells the machine how a turn ended that was carried out. */
  async #end(session: LiveSession, scope: TurnScope, ending: Ending): Promise<void> {
    if (ending === 'asked' || session.state.name !== 'EXECUTING') return;
    if (ending === 'completed') {
      session.failedTurns = 0;
      session.apply({ type: 'completed' });
      return;
    }
    session.apply({ type: 'failed' });
    session.apply({ type: 'gave_up' });
    await this.#countFailure(session, scope);
  }

  decide(action: Action, scope: TurnScope): GateDecision | undefined {
    const contract = this.#parts.tools.contract(action.tool);
    if (contract === undefined) return undefined;
    const { caller, evidence } = scope;
    const decision = this.#parts.gatekeeper.decide({
      actionId: action.id,
      contract,
      args: action.args,
      caller,
      evidence,
    });
    return this.#parts.handling.weighed(action, contract, decision, scope);
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

  /** Says and notes why an action is not done. */
  refuse(session: LiveSession, scope: TurnScope, action: Action, decision: GateDecision | undefined): void {
    scope.failed = true;
    const { origin, station, role, person } = action.caller;
    session.note('gate.refused', {
      turn_id: scope.id,
      tool: action.tool,
      arguments: action.args,
      by: { origin, station, role, person: person?.id },
      decision,
    });
    this.#parts.says.refuse(scope, decision);
  }

  /** The ledger with the steps of a plan in it; a new task where the plan does not go on with the one before. */
  append(session: LiveSession, scope: TurnScope, plan: Plan): ReturnType<typeof appendPlan> {
    const ledger = beginsNewTask(session.ledger, plan) ? beginTask(session.ledger) : session.ledger;
    return appendPlan(ledger, plan, { turnId: scope.id, caller: scope.caller });
  }
}

/** What a call is expected to take before it is measured: half of what it may. */
function estimateOf(contract: ToolContract | undefined): number {
  return contract === undefined || contract.sla.detached ? 0 : contract.sla.max_execution_time_ms / 2;
}

/** Of a turn that only works on the ledger. */
export const NOTHING_TO_CHECK: ExecutionCheck = {
  schemaValid: true,
  tools: [],
  estimateMs: 0,
  pendingConfirmations: 0,
};
