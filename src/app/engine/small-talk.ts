import { askedOnceMore } from '../../domain/gate/confirmation.ts';
import { CONFIRM_WINDOW_MS } from '../../domain/gate/gate.ts';
import type { Meaning } from '../../domain/intent/meaning.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { Language } from '../../domain/language/language.ts';
import type { PhraseKey } from '../../domain/phrases/phrase-keys.ts';
import { LOOKING_INTENTS } from '../../domain/planning/looking-intents.ts';
import type { Plan } from '../../domain/planning/plan.ts';
import { type Action, isOver } from '../../domain/session/action.ts';
import { resolveReference } from '../../domain/session/action-reference.ts';
import { repeatFor } from '../../domain/session/ledger-append.ts';
import { resumable } from '../../domain/session/ledger-resume.ts';
import { ticketWords } from '../ticket-words.ts';
import type { EngineParts } from './engine-parts.ts';
import type { LiveSession } from './live-session.ts';
import { questionText } from './open-question.ts';
import type { PlanRunner } from './plan-runner.ts';
import { putQuestion } from './question-telling.ts';
import { speakerOf } from './speaker-of.ts';
import { aboutSteps, inOneBreath } from './step-words.ts';
import type { TurnScope } from './turn-scope.ts';

interface Parts
  extends Pick<
    EngineParts,
    | 'phrases'
    | 'plant'
    | 'people'
    | 'tools'
    | 'examples'
    | 'clocks'
    | 'handling'
    | 'openTickets'
    | 'understanding'
  > {
  readonly runner: PlanRunner;
}

/** Takes a meaning that was understood before, once more. */
type Again = (session: LiveSession, scope: TurnScope, meaning: Meaning) => Promise<void>;

/** Decisions after which an action waits for an answer. */
const ASKED: readonly string[] = ['act', 'confirm', 'propose'];

/** Repeated, these look again, so that no old value is said as if it were fresh. */
const LOOKING = [...LOOKING_INTENTS, 'tickets'];

/** What a conversation is held together by: repeat, help, continue, the same for another machine. */
export class SmallTalk {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** True when the meaning was one of these and the turn has its end; the session is in ROUTING. */
  async carryOut(session: LiveSession, scope: TurnScope, meaning: Meaning, again: Again): Promise<boolean> {
    switch (meaning.intent) {
      case 'yes':
      case 'no':
      case 'confirm_execute':
        this.#refuse(session, scope, 'nothing_to_confirm');
        return true;
      case 'help':
        this.#answer(session, scope, this.#help(scope.language));
        return true;
      case 'repeat':
        await this.#repeat(session, scope, again);
        return true;
      case 'continue':
        await this.#continue(session, scope);
        return true;
      case 'redo_for':
        await this.#redo(session, scope, meaning);
        return true;
      default:
        return false;
    }
  }

  /** Says how many tickets are open, and the newest; the session is in ROUTING. */
  tickets(session: LiveSession, scope: TurnScope): void {
    const { language } = scope;
    this.#answer(
      session,
      scope,
      inOneBreath(ticketWords(this.#parts.openTickets(), this.#parts, language), language),
    );
  }

  #help(language: Language): string {
    const { phrases, examples } = this.#parts;
    return phrases.say(language, 'help', { examples: phrases.list(language, examples[language]) });
  }

  async #repeat(session: LiveSession, scope: TurnScope, again: Again): Promise<void> {
    const { phrases } = this.#parts;
    const { question, last } = session;
    if (question !== undefined) {
      scope.lines.push(questionText(question, this.#parts, scope.language));
      session.apply({ type: 'question_asked' });
      return;
    }
    // What one person was told is not read out to another: who asks it himself is told what he may know.
    if (last === undefined || last.speaker !== speakerOf(scope.caller)) {
      this.#answer(session, scope, phrases.say(scope.language, 'nothing_to_repeat'));
      return;
    }
    if (last.meaning !== undefined && LOOKING.includes(last.meaning.intent)) {
      await again(session, scope, last.meaning);
      return;
    }
    this.#answer(session, scope, last.meaning?.intent === 'help' ? this.#help(scope.language) : last.text);
  }

  /** Takes up what was parked, or what a restart has interrupted. */
  async #continue(session: LiveSession, scope: TurnScope): Promise<void> {
    const [parked] = [...session.parked].slice(-1);
    if (parked !== undefined) {
      const [confirmationId, open] = parked;
      session.parked.delete(confirmationId);
      if (session.apply({ type: 'resume_parked', confirmationId })) {
        const { clocks } = this.#parts;
        const confirmation = askedOnceMore(open.confirmation, CONFIRM_WINDOW_MS, {
          bootId: clocks.bootId,
          monotonicMs: clocks.monotonicMs(),
        });
        this.#takeUp(session, scope, open.actionId);
        putQuestion(session, scope, { ...open, confirmation });
        return;
      }
    }
    if (session.suspended.size === 0) {
      this.#refuse(session, scope, 'nothing_to_continue');
      return;
    }
    await this.#resume(session, scope);
  }

  /** What was asked for together is this turn's now, and ends with it. */
  #takeUp(session: LiveSession, scope: TurnScope, actionId: string): void {
    const turnId = session.action(actionId)?.turnId;
    for (const action of session.actions)
      if (action.turnId === turnId && !isOver(action)) session.takenUp.set(action.id, scope.id);
  }

  async #resume(session: LiveSession, scope: TurnScope): Promise<void> {
    const { tools, phrases, runner, handling } = this.#parts;
    const resumption = resumable(session.ledger, session.suspended, (tool) => {
      const contract = tools.contract(tool);
      return contract === undefined
        ? undefined
        : { risk: contract.security.risk, idempotent: contract.sla.idempotent };
    });
    const wanted = [...resumption.again, ...resumption.offered, ...resumption.waiting];
    const refused = wanted.find((action) => runner.decide(action, scope)?.kind === 'refuse');
    // It waits for somebody who may: nothing of it is lost by who says "continue".
    if (refused !== undefined) {
      runner.refuse(session, scope, refused, runner.decide(refused, scope));
      session.apply({ type: 'refused' });
      return;
    }
    session.take(resumption);
    session.suspended.clear();
    const open = [...resumption.again, ...resumption.offered, ...resumption.waiting].flatMap(
      ({ id }) => session.action(id) ?? [],
    );
    const offered = new Set(resumption.offered.map(({ id }) => id));
    for (const action of open) {
      const decision = runner.decide(action, scope);
      // What was asked about before the restart, or was to be undone without anybody's word, is asked about, whatever the gate
      // would let be now.
      if (decision?.kind === 'act' && offered.has(action.id)) handling.askAbout(action.id);
      else if (decision?.kind === 'act') continue;
      const isAsked = decision !== undefined && ASKED.includes(decision.kind);
      session.move(action.id, isAsked ? 'confirming' : 'cancelled');
    }
    scope.actions.push(...open.map(({ id }) => id));
    for (const { id } of open) session.takenUp.set(id, scope.id);
    scope.lines.push(...aboutSteps('interrupted_unknown', resumption.unknown, this.#parts, scope.language));
    scope.lines.push(...aboutSteps('steps_held', resumption.held, this.#parts, scope.language));
    if (open.length > 0) scope.lines.push(phrases.say(scope.language, 'resumed'));
    const toUndo = resumption.offered.flatMap(({ undoes = '' }) => session.action(undoes) ?? []);
    scope.lines.push(...aboutSteps('undo_resumed', toUndo, this.#parts, scope.language));
    const left = open.flatMap(({ id }) => session.action(id) ?? []);
    if (!session.apply({ type: 'planned', check: runner.check(left) })) {
      this.#refuse(session, scope, 'tool_unavailable');
      return;
    }
    await session.commit();
    await runner.run(session, scope);
  }

  /** "Do the same for pump three": the newest step that names a machine, with this one. */
  async #redo(session: LiveSession, scope: TurnScope, meaning: Meaning): Promise<void> {
    const machine = meaning.slots['machine']?.value;
    const found = resolveReference(session.ledger, { demonstrative: true }, 'repeat');
    const action = found.kind === 'found' ? found.action : undefined;
    const changes =
      action === undefined || typeof machine !== 'string' ? undefined : otherMachine(action, machine);
    if (action === undefined || changes === undefined) {
      this.#refuse(session, scope, 'nothing_to_use');
      return;
    }
    const plan: Plan = { source: 'template', continues: true, steps: [repeatFor(action, changes)] };
    await this.#parts.runner.carryOut(session, scope, plan);
  }

  #answer(session: LiveSession, scope: TurnScope, line: string): void {
    scope.lines.push(line);
    session.apply({ type: 'planned', check: this.#parts.runner.check([]) });
    session.apply({ type: 'completed' });
  }

  #refuse(session: LiveSession, scope: TurnScope, key: PhraseKey): void {
    scope.failed = true;
    scope.lines.push(this.#parts.phrases.say(scope.language, key));
    session.apply({ type: 'refused' });
  }
}

/** The arguments that name a machine, with another one. */
function otherMachine({ args }: Action, machine: string): JsonObject | undefined {
  if ('machine' in args) return { machine };
  return 'machines' in args ? { machines: [machine] } : undefined;
}
