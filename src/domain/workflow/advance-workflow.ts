import type { JsonObject } from '../json.ts';
import type { Say } from '../tool/say.ts';
import { stepArguments } from './step-arguments.ts';
import { STAGES, type Stage, type WorkflowDefinition, type WorkflowStep } from './workflow-definition.ts';
import {
  hasEnded,
  isSettled,
  type StepState,
  type WorkflowFailure,
  type WorkflowState,
} from './workflow-state.ts';

/** A definition with what its tools say of themselves. */
export interface WorkflowPlan {
  readonly definition: WorkflowDefinition;
  /** Steps that may be done twice without harm; of another that was begun nobody knows what it did. */
  readonly repeatable: ReadonlySet<string>;
}

export type StepEnd =
  | {
      readonly status: 'success';
      readonly result: JsonObject;
      readonly say?: Say;
      /** ISO 8601, wall clock. */
      readonly at?: string;
    }
  | {
      readonly status: 'failed' | 'timeout';
      readonly error: { readonly code: string; readonly message: string };
    };

export type WorkflowEvent =
  | { readonly kind: 'begin' }
  /** After a restart: what ran, runs no more. */
  | { readonly kind: 'resume' }
  | { readonly kind: 'step_ended'; readonly step: string; readonly end: StepEnd }
  | { readonly kind: 'fail'; readonly failure: Exclude<WorkflowFailure, 'failed' | 'timeout'> };

export type WorkflowEffect =
  | { readonly kind: 'start'; readonly step: string; readonly args: JsonObject }
  /** A stage is through: what is known goes to disk. */
  | { readonly kind: 'snapshot'; readonly stage: Stage }
  /** Says that it takes too long. */
  | { readonly kind: 'busy' }
  /** A person has to look at it; `unknown` is the step of which nobody knows what it did. */
  | { readonly kind: 'escalate'; readonly reason: string; readonly unknown?: string }
  | { readonly kind: 'ended' };

export interface Advanced {
  readonly state: WorkflowState;
  readonly effects: readonly WorkflowEffect[];
}

const CANCELLED = { code: 'CANCELLED', message: 'the workflow had ended' } as const;
const UNKNOWN = { code: 'OUTCOME_UNKNOWN', message: 'it was begun, and nobody knows what it did' } as const;

/** A single step that took too long is told; these are looked into. */
const NEEDS_A_PERSON: readonly WorkflowFailure[] = ['failed', 'expired', 'changed'];

/**
 * One step of the Multi-Call Protocol. Pure: the caller owns the clock and carries out the effects. What has ended takes no
 * event any more; every other event moves the state or leaves it waiting for a step that has its own time limit.
 */
export function advanceWorkflow(plan: WorkflowPlan, before: WorkflowState, event: WorkflowEvent): Advanced {
  if (hasEnded(before)) return { state: before, effects: [] };
  const effects: WorkflowEffect[] = [];
  let state = before;
  if (event.kind === 'fail') return failed(plan, state, event.failure, effects);
  if (event.kind === 'resume') state = resumed(plan, state, effects);
  if (event.kind === 'step_ended') {
    if (state.steps[event.step]?.status !== 'running') return { state, effects };
    state = withStep(state, event.step, stepEnd(plan, event.step, event.end, effects));
  }
  return settle(plan, state, effects);
}

function stepEnd(plan: WorkflowPlan, step: string, end: StepEnd, effects: WorkflowEffect[]): StepState {
  if (end.status !== 'timeout' || plan.repeatable.has(step)) return end;
  effects.push(unknownOutcome(step));
  return { status: 'timeout', error: UNKNOWN };
}

function resumed(plan: WorkflowPlan, state: WorkflowState, effects: WorkflowEffect[]): WorkflowState {
  let next = state;
  for (const [id, { status }] of Object.entries(state.steps)) {
    if (status !== 'running') continue;
    if (plan.repeatable.has(id)) next = withStep(next, id, { status: 'waiting' });
    else {
      effects.push(unknownOutcome(id));
      next = withStep(next, id, { status: 'failed', error: UNKNOWN });
    }
  }
  return next;
}

/** Begins what can begin and goes from stage to stage as far as what is known allows. */
function settle(plan: WorkflowPlan, before: WorkflowState, effects: WorkflowEffect[]): Advanced {
  let state = before;
  for (;;) {
    state = begin(plan, state, effects);
    const { stage } = state;
    if (!isStage(stage)) break;
    const steps = plan.definition.stages[stage];
    const verdict = verdictOf(steps, state);
    if (verdict === 'waits') return { state, effects };
    if (verdict !== 'through') return failed(plan, state, verdict, effects);
    state = { ...state, stage: STAGES[STAGES.indexOf(stage) + 1] ?? 'FINISHING' };
    if (steps.length > 0) effects.push({ kind: 'snapshot', stage });
  }
  if (state.stage !== 'FINISHING' || !Object.values(state.steps).every(isSettled)) return { state, effects };
  return { state: { ...state, stage: 'COMPLETED' }, effects: [...effects, { kind: 'ended' }] };
}

/** Starts the steps of the stages reached so far whose arguments are there. */
function begin(plan: WorkflowPlan, before: WorkflowState, effects: WorkflowEffect[]): WorkflowState {
  let state = before;
  const reached = isStage(state.stage) ? STAGES.slice(0, STAGES.indexOf(state.stage) + 1) : STAGES;
  for (const step of reached.flatMap((stage) => plan.definition.stages[stage])) {
    if (state.steps[step.id]?.status !== 'waiting') continue;
    const found = stepArguments(step.args, state);
    if (found.kind === 'ready') {
      state = withStep(state, step.id, { status: 'running' });
      effects.push({ kind: 'start', step: step.id, args: found.args });
    } else if (found.kind === 'missing') {
      state = withStep(state, step.id, {
        status: 'failed',
        error: { code: 'SOURCE_FAILED', message: found.message },
      });
    }
  }
  return state;
}

/** The first needed result lets the stage go on; the workflow fails when no needed one can come any more. */
function verdictOf(
  steps: readonly WorkflowStep[],
  state: WorkflowState,
): 'waits' | 'through' | Extract<WorkflowFailure, 'timeout' | 'failed'> {
  const needed = neededOf(steps, state);
  if (needed.length === 0 || needed.some(({ status }) => status === 'success')) return 'through';
  if (!needed.every(isSettled)) return 'waits';
  return needed.every(({ status }) => status === 'timeout') ? 'timeout' : 'failed';
}

function failed(
  plan: WorkflowPlan,
  before: WorkflowState,
  failure: WorkflowFailure,
  effects: WorkflowEffect[],
): Advanced {
  const state = cutShort(plan, before, effects);
  if (failure === 'limit' && before.stage === 'FINISHING') {
    // The answer is there; only what nobody waits for is late.
    effects.push({ kind: 'ended' });
    return { state: { ...state, stage: 'COMPLETED' }, effects };
  }
  const needed = isStage(before.stage) ? neededOf(plan.definition.stages[before.stage], before) : [];
  const isLate = failure === 'failed' && needed.some(({ status }) => status === 'timeout');
  if (isLate || failure === 'timeout' || failure === 'limit' || failure === 'crowded')
    effects.push({ kind: 'busy' });
  if (NEEDS_A_PERSON.includes(failure) || (failure === 'timeout' && needed.length > 1))
    effects.push({ kind: 'escalate', reason: `${state.name} failed in ${before.stage}: ${failure}` });
  effects.push({ kind: 'ended' });
  return { state: { ...state, stage: 'FAILED', failure }, effects };
}

/** Nothing is left waiting or running. */
function cutShort(plan: WorkflowPlan, before: WorkflowState, effects: WorkflowEffect[]): WorkflowState {
  let state = before;
  for (const [id, { status }] of Object.entries(before.steps)) {
    if (status !== 'waiting' && status !== 'running') continue;
    const isUnknown = status === 'running' && !plan.repeatable.has(id);
    state = withStep(state, id, { status: 'failed', error: isUnknown ? UNKNOWN : CANCELLED });
    if (isUnknown) effects.push(unknownOutcome(id));
  }
  return state;
}

function unknownOutcome(step: string): WorkflowEffect {
  return { kind: 'escalate', reason: `${step}: ${UNKNOWN.message}`, unknown: step };
}

function neededOf(steps: readonly WorkflowStep[], state: WorkflowState): readonly StepState[] {
  return steps.flatMap(({ id, needed }) => (needed ? (state.steps[id] ?? []) : []));
}

function withStep(state: WorkflowState, id: string, step: StepState): WorkflowState {
  return { ...state, steps: { ...state.steps, [id]: step } };
}

function isStage(stage: WorkflowState['stage']): stage is Stage {
  return STAGES.some((each) => each === stage);
}
