import type { Meaning } from '../../domain/intent/meaning.ts';
import { slotConfidence } from '../../domain/intent/slot-confidence.ts';
import { isPhraseKey } from '../../domain/phrases/phrase-keys.ts';
import type { Question, Routed } from '../../domain/planning/routed.ts';
import { WRITING_INTENTS } from '../../domain/planning/writing-intents.ts';
import type { WriteMode } from '../../domain/plc/writing/write-order.ts';
import type { RoutingDecision } from '../../domain/session/routing-decision.ts';
import { spokenBefore } from '../../domain/session/spoken-before.ts';
import { type Completed, completeMeaning } from './complete-meaning.ts';
import { doubtQuestion } from './doubt-question.ts';
import type { EngineParts } from './engine-parts.ts';
import type { LiveSession } from './live-session.ts';
import { type OpenQuestion, quantityName, questionText } from './open-question.ts';
import { NOTHING_TO_CHECK, type PlanRunner } from './plan-runner.ts';
import { routedQuestion, sayAgainLine } from './routed-question.ts';
import type { SmallTalk } from './small-talk.ts';
import type { StepCommands } from './step-commands.ts';
import type { TurnScope } from './turn-scope.ts';
import type { TurnWords } from './turn-words.ts';

interface Parts
  extends Pick<
    EngineParts,
    'plant' | 'phrases' | 'people' | 'understanding' | 'router' | 'planner' | 'handling'
  > {
  readonly runner: PlanRunner;
  readonly steps: StepCommands;
  readonly talk: SmallTalk;
  readonly says: TurnWords;
  readonly writes: WriteMode;
}

/** Takes a turn from what was understood to a plan, a question or a refusal. In: a session in ROUTING. */
export class TurnRouter {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async follow(
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

  /** A meaning that was understood before, once more. */
  async again(session: LiveSession, scope: TurnScope, meaning: Meaning): Promise<void> {
    const completed = completeMeaning({ kind: 'match', meaning }, this.#parts.plant);
    if (completed.kind !== 'none') await this.follow(session, scope, completed);
    else session.apply({ type: 'refused' });
  }

  /** Nothing that is written down takes it: a model may propose, where there is one. */
  async plan(session: LiveSession, scope: TurnScope): Promise<void> {
    const { planner, handling } = this.#parts;
    const plan =
      planner === undefined ||
      !handling.choose(scope).mayAskModel ||
      !session.apply({ type: 'planning_started', limitMs: PLANNING_LIMIT_MS })
        ? undefined
        : await planner(
            scope.text,
            scope.language,
            spokenBefore(session.messages, session.record, scope.text, scope.language),
          );
    if (this.#isOver(session, scope)) return;
    if (plan === undefined) {
      this.#parts.says.say(scope, 'say_again');
      session.apply({ type: 'refused' });
      return;
    }
    scope.decision = { by: 'model', kind: 'plan', tools: plan.steps.map(({ tool }) => tool) };
    scope.evidence = { ...scope.evidence, source: 'model' };
    scope.degradedBy = 'route';
    await this.#parts.runner.carryOut(session, scope, plan);
  }

  /** What the rules make of a meaning. */
  async routed(session: LiveSession, scope: TurnScope, meaning: Meaning): Promise<Routed> {
    const { caller, language, evidence } = scope;
    const routing = new AbortController();
    session.routing = routing;
    try {
      return await this.#parts.router.route(meaning, {
        caller,
        language,
        actions: session.actions,
        understoodBy: evidence.source === 'keyword' ? 'keyword' : 'template',
        slotConfidence: slotConfidence(meaning, scope.heard, language),
        fallback: routing.signal,
      });
    } finally {
      session.routing = undefined;
    }
  }

  async #route(session: LiveSession, scope: TurnScope, meaning: Meaning): Promise<void> {
    if (this.#parts.steps.takes(meaning)) {
      session.apply({ type: 'planned', check: NOTHING_TO_CHECK });
      await this.#parts.steps.carryOut(session, scope, meaning);
      await this.#parts.runner.run(session, scope);
      return;
    }
    if (await this.#parts.talk.carryOut(session, scope, meaning, this.again.bind(this))) return;
    const impossible = this.#impossibleWrite(meaning, scope);
    if (impossible !== undefined) {
      scope.lines.push(impossible);
      session.apply({ type: 'refused' });
      return;
    }
    const routed = await this.routed(session, scope, meaning);
    if (this.#isOver(session, scope)) return;
    scope.decision = decisionOf(routed);
    switch (routed.kind) {
      case 'plan':
        if (routed.fuzzyName) scope.evidence = { ...scope.evidence, fuzzyName: true };
        await this.#parts.runner.carryOut(session, scope, routed.plan);
        return;
      case 'ask':
        this.#askRouted(session, scope, meaning, routed.question);
        return;
      case 'say':
        this.#parts.says.say(scope, isPhraseKey(routed.phrase) ? routed.phrase : 'say_again');
        session.apply({ type: 'refused' });
        return;
      case 'lacks':
        this.#parts.says.say(scope, 'nothing_to_use');
        session.apply({ type: 'refused' });
        return;
      case 'unavailable':
        this.#parts.says.say(scope, 'tool_unavailable');
        session.apply({ type: 'refused' });
        return;
      case 'denied':
        this.#parts.says.say(scope, 'gate_denied');
        session.note('gate.refused', { turn_id: scope.id, tool: routed.tool, rule: routed.rule });
        session.apply({ type: 'refused' });
        return;
      case 'not_set_up':
        this.#parts.says.notSetUp(scope, routed);
        session.note('gate.refused', {
          turn_id: scope.id,
          tool: routed.tool,
          rule: routed.rule,
          lacks: routed.part,
        });
        session.apply({ type: 'refused' });
        return;
      case 'doubtful':
        this.#parts.says.say(scope, 'doubtful');
        session.apply({ type: 'refused' });
        return;
      case 'session':
        if (routed.operation === 'tickets') this.#parts.talk.tickets(session, scope);
        else await this.plan(session, scope);
        return;
      case 'undecided':
      case 'none':
        await this.plan(session, scope);
        return;
    }
  }

  /** True when a limit or a cancel has moved the session on: what came too late is not begun. */
  #isOver(session: LiveSession, scope: TurnScope): boolean {
    if (session.state.name === 'ROUTING') return false;
    if (session.outcomeOf(scope.id) !== 'CANCELLED') this.#parts.says.say(scope, 'tool_timeout');
    return true;
  }

  /** A write that is not to be had is refused before anything is asked about it. */
  #impossibleWrite({ intent, slots }: Meaning, { language }: TurnScope): string | undefined {
    if (!WRITING_INTENTS.includes(intent)) return undefined;
    const action = slots['action']?.value;
    const isOfQuantity = slots['quantity'] !== undefined || CHANGES.some((change) => change === action);
    const { phrases, plant, writes } = this.#parts;
    if (!isOfQuantity && (action === 'lock' || action === 'unlock'))
      return phrases.say(language, 'lock_by_person', { command: action });
    if (writes === 'off') return phrases.say(language, 'gate_writes_off');
    const machine = slots['machine']?.value;
    if (isOfQuantity || typeof machine !== 'string' || typeof action !== 'string') return undefined;
    return plant.machine(machine)?.commands.has(action) === true
      ? undefined
      : phrases.say(language, 'no_such_command', { machine: plant.machineName(machine)[language] });
  }

  #ask(session: LiveSession, scope: TurnScope, question: OpenQuestion): void {
    session.question = question;
    scope.lines.push(questionText(question, this.#parts, scope.language));
    session.apply({ type: 'question_asked' });
  }

  #askRouted(session: LiveSession, scope: TurnScope, meaning: Meaning, asked: Question): void {
    const open = routedQuestion(meaning, asked, this.#parts) ?? doubtQuestion(meaning, asked, scope);
    if (open !== undefined) {
      this.#ask(session, scope, open);
      return;
    }
    if (asked.why === 'unknown_name')
      scope.lines.push(this.#parts.phrases.say(scope.language, 'unknown_person', { name: asked.spoken }));
    else this.#parts.says.say(scope, sayAgainLine(asked));
    session.apply({ type: 'refused' });
  }
}

function decisionOf(routed: Routed): RoutingDecision | undefined {
  if (routed.kind === 'none') return undefined;
  const tools = routed.kind === 'plan' ? routed.plan.steps.map(({ tool }) => tool) : [];
  return { by: routed.rule, kind: routed.kind, tools };
}

/** What changes a value, and leaves open which one; every other action is a whole command. */
const CHANGES = ['set', 'increase', 'decrease'];

/** A try of a model; its own limit is shorter. */
const PLANNING_LIMIT_MS = 8000;
