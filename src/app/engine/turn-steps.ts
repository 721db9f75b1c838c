import type { GateDecision } from '../../domain/gate/gate.ts';
import type { Meaning } from '../../domain/intent/meaning.ts';
import type { Plan } from '../../domain/planning/plan.ts';
import type { Action } from '../../domain/session/action.ts';
import type { ExecutionCheck } from '../../domain/session/session-event.ts';
import type { LiveSession } from './live-session.ts';
import type { TurnScope } from './turn-scope.ts';

/** What carries a turn on from where it was routed to. */
export interface TurnSteps {
  /** A meaning that was understood before, once more. */
  again(session: LiveSession, scope: TurnScope, meaning: Meaning): Promise<void>;
  carryOut(session: LiveSession, scope: TurnScope, plan: Plan): Promise<void>;
  /** Carries out what may run, then asks for the next consent or ends the turn. */
  run(session: LiveSession, scope: TurnScope): Promise<void>;
  decide(action: Action, scope: TurnScope): GateDecision | undefined;
  check(actions: readonly Action[]): ExecutionCheck;
}
