import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  advanceWorkflow,
  type StepEnd,
  type WorkflowEffect,
  type WorkflowEvent,
  type WorkflowPlan,
} from '../../../../src/domain/workflow/advance-workflow.ts';
import { stepsOf, type WorkflowDefinition } from '../../../../src/domain/workflow/workflow-definition.ts';
import { hasEnded, newWorkflow, type WorkflowState } from '../../../../src/domain/workflow/workflow-state.ts';
import { LINE_ANOMALY, workflowOf } from '../../../support/workflows.ts';

const success = (result = {}): StepEnd => ({ status: 'success', result });
const failure: StepEnd = { status: 'failed', error: { code: 'TOOL_FAILED', message: 'broken' } };
const timeout: StepEnd = { status: 'timeout', error: { code: 'TOOL_TIMEOUT', message: 'too slow' } };

/** A workflow under way, and all that it wanted done. */
class Run {
  readonly plan: WorkflowPlan;
  state: WorkflowState;
  readonly effects: WorkflowEffect[] = [];

  constructor(definition: WorkflowDefinition, unrepeatable: readonly string[] = [], state?: WorkflowState) {
    const ids = stepsOf(definition.stages).map(({ id }) => id);
    this.plan = { definition, repeatable: new Set(ids.filter((id) => !unrepeatable.includes(id))) };
    this.state = state ?? newWorkflow(definition, { machine: 'A12' });
  }

  on(event: WorkflowEvent): this {
    const { state, effects } = advanceWorkflow(this.plan, this.state, event);
    this.state = state;
    this.effects.push(...effects);
    return this;
  }

  ends(step: string, end: StepEnd): this {
    return this.on({ kind: 'step_ended', step, end });
  }

  get started(): readonly string[] {
    return this.effects.flatMap((effect) => (effect.kind === 'start' ? [effect.step] : []));
  }

  has(kind: WorkflowEffect['kind']): boolean {
    return this.effects.some((effect) => effect.kind === kind);
  }

  get statuses(): Readonly<Record<string, string>> {
    return Object.fromEntries(Object.entries(this.state.steps).map(([id, { status }]) => [id, status]));
  }
}

describe('the stages of a workflow', () => {
  it('go from pre_check over action to post_update and are COMPLETED, with a snapshot at the end of each', () => {
    const run = new Run(LINE_ANOMALY).on({ kind: 'begin' });
    expect([run.state.stage, run.started]).toEqual(['pre_check', ['log', 'cases']]);
    run.ends('log', success({ records: 3 })).ends('cases', success());
    expect(run.state.stage).toBe('action');
    run.ends('proposal', success({ text: 'clean the fan' }));
    expect(run.effects.at(-1)).toEqual({ kind: 'start', step: 'order', args: { text: 'clean the fan' } });
    run.ends('order', success({ number: 7 }));
    expect(run.state.stage).toBe('COMPLETED');
    expect(run.effects.flatMap((effect) => (effect.kind === 'snapshot' ? [effect.stage] : []))).toEqual([
      'pre_check',
      'action',
      'post_update',
    ]);
    expect(run.statuses).toEqual({ log: 'success', cases: 'success', proposal: 'success', order: 'success' });
    expect(run.state.steps['order']?.result).toEqual({ number: 7 });
  });

  it('without steps are passed over', () => {
    const run = new Run(workflowOf({ action: [{ id: 'read', tool: 'read-value' }] })).on({ kind: 'begin' });
    expect(run.state.stage).toBe('action');
    expect(run.ends('read', success()).state.stage).toBe('COMPLETED');
  });
});

describe('steps side by side', () => {
  const parallel = (...needed: boolean[]) =>
    workflowOf({
      pre_check: needed.map((isNeeded, n) => ({ id: `s${n}`, tool: 'read-value', needed: isNeeded })),
      action: [{ id: 'say', function: 'say', args: { first: { from: 'input' } } }],
    });

  it('let the stage go on with the first needed result, and the other one is never cancelled', () => {
    const run = new Run(parallel(true, true)).on({ kind: 'begin' }).ends('s1', success());
    expect(run.state.stage).toBe('action');
    expect(run.statuses).toMatchObject({ s0: 'running', say: 'running' });
    expect(run.has('ended')).toBe(false);
  });

  it('do not let it go on with a result that is not needed', () => {
    const run = new Run(parallel(true, false)).on({ kind: 'begin' }).ends('s1', success());
    expect(run.state.stage).toBe('pre_check');
    expect(run.ends('s0', success()).state.stage).toBe('action');
  });

  const followedBy = (late: object) =>
    new Run(
      workflowOf({
        pre_check: [
          { id: 'log', tool: 'x' },
          { id: 'cases', tool: 'x', needed: false },
        ],
        action: [{ id: 'say', function: 'say' }],
        post_update: [{ id: 'keep', function: 'keep', args: { late: { from: 'cases', ...late } } }],
      }),
    ).on({ kind: 'begin' });

  it('leave a late result usable for the steps after, which wait for it', () => {
    const run = followedBy({}).ends('log', success()).ends('say', success());
    expect(run.started).not.toContain('keep');
    run.ends('cases', success({ found: 2 }));
    expect(run.effects.at(-1)).toEqual({ kind: 'start', step: 'keep', args: { late: { found: 2 } } });
  });

  it('keep nobody waiting who has something to take instead, and are used if they are there', () => {
    const without = followedBy({ or: 'none' }).ends('log', success()).ends('say', success());
    expect(without.effects.at(-1)).toEqual({ kind: 'start', step: 'keep', args: { late: 'none' } });
    const withIt = followedBy({ or: 'none' })
      .ends('cases', success({ found: 2 }))
      .ends('log', success());
    withIt.ends('say', success());
    expect(withIt.effects.at(-1)).toEqual({ kind: 'start', step: 'keep', args: { late: { found: 2 } } });
  });

  it('fail those that take from one that failed, unless something stands in', () => {
    const run = followedBy({}).ends('cases', failure).ends('log', success()).ends('say', success());
    expect(run.state).toMatchObject({
      stage: 'FAILED',
      steps: { keep: { error: { code: 'SOURCE_FAILED' } } },
    });
  });

  it('go on with one needed result though the other failed, before or after', () => {
    expect(
      new Run(parallel(true, true)).on({ kind: 'begin' }).ends('s0', failure).ends('s1', success()).state
        .stage,
    ).toBe('action');
    const after = new Run(parallel(true, true))
      .on({ kind: 'begin' })
      .ends('s0', success())
      .ends('s1', timeout);
    expect([after.state.stage, after.statuses['s1'], after.has('busy')]).toEqual([
      'action',
      'timeout',
      false,
    ]);
  });

  it('fail the workflow and call a person when no needed one comes', () => {
    const run = new Run(parallel(true, true)).on({ kind: 'begin' }).ends('s0', failure);
    expect(run.state.stage).toBe('pre_check');
    run.ends('s1', failure);
    expect(run.state).toMatchObject({ stage: 'FAILED', failure: 'failed' });
    expect([run.has('escalate'), run.has('busy'), run.has('ended')]).toEqual([true, false, true]);
  });

  it('are COMPLETED only when those that nobody waits for have ended too', () => {
    const run = new Run(
      workflowOf({
        action: [
          { id: 'a', tool: 'x' },
          { id: 'b', tool: 'x', needed: false },
        ],
      }),
    );
    run.on({ kind: 'begin' }).ends('a', success());
    expect(run.state.stage).toBe('FINISHING');
    expect(run.ends('b', failure).state.stage).toBe('COMPLETED');
  });
});

describe('a workflow that does not get through', () => {
  const one = workflowOf({ action: [{ id: 'write', tool: 'create-work-order' }] });

  it('fails and says "busy" when its only needed step takes too long', () => {
    const run = new Run(one).on({ kind: 'begin' }).ends('write', timeout);
    expect(run.state).toMatchObject({ stage: 'FAILED', failure: 'timeout' });
    expect([run.has('busy'), run.has('escalate')]).toEqual([true, false]);
  });

  it('says "busy" and calls a person when both needed steps take too long', () => {
    const both = workflowOf({
      action: [
        { id: 'a', tool: 'x' },
        { id: 'b', tool: 'x' },
      ],
    });
    const run = new Run(both).on({ kind: 'begin' }).ends('a', timeout).ends('b', timeout);
    expect(run.state.failure).toBe('timeout');
    expect([run.has('busy'), run.has('escalate')]).toEqual([true, true]);
  });

  it.each(['limit', 'cancelled'] as const)('moves its state on "%s", and nothing stays running', (why) => {
    const run = new Run(LINE_ANOMALY).on({ kind: 'begin' }).on({ kind: 'fail', failure: why });
    expect(run.state).toMatchObject({ stage: 'FAILED', failure: why });
    expect(Object.values(run.statuses)).toEqual(Array(4).fill('failed'));
    expect(run.has('busy')).toBe(why === 'limit');
  });

  it('calls a person for a step that was begun, may not be repeated and was cut short', () => {
    const run = new Run(one, ['write']).on({ kind: 'begin' }).on({ kind: 'fail', failure: 'cancelled' });
    expect(run.state.steps['write']?.error?.code).toBe('OUTCOME_UNKNOWN');
    expect(run.has('escalate')).toBe(true);
    const late = new Run(one, ['write']).on({ kind: 'begin' }).ends('write', timeout);
    expect(late.state.steps['write']?.error?.code).toBe('OUTCOME_UNKNOWN');
    expect(late.has('escalate')).toBe(true);
  });

  it('takes a result that comes afterwards for nothing', () => {
    const run = new Run(one).on({ kind: 'begin' }).on({ kind: 'fail', failure: 'cancelled' });
    const { state } = run;
    expect(run.ends('write', success()).state).toBe(state);
  });

  it('has its answer when only steps that nobody waits for are late at the limit', () => {
    const run = new Run(
      workflowOf({
        action: [
          { id: 'a', tool: 'x' },
          { id: 'b', tool: 'x', needed: false },
        ],
      }),
    );
    run.on({ kind: 'begin' }).ends('a', success()).on({ kind: 'fail', failure: 'limit' });
    expect([run.state.stage, run.statuses['b'], run.has('busy')]).toEqual(['COMPLETED', 'failed', false]);
  });
});

describe('a workflow that is resumed', () => {
  it('goes on from its snapshot: what succeeded is not done again, what ran is begun again', () => {
    const before = new Run(LINE_ANOMALY).on({ kind: 'begin' }).ends('log', success({ records: 1 }));
    const run = new Run(LINE_ANOMALY, [], before.state).on({ kind: 'resume' });
    expect(run.started).toEqual(['cases', 'proposal']);
  });

  it('never begins again what may not be repeated: it fails as unknown, and a person is called', () => {
    const definition = workflowOf({ action: [{ id: 'write', tool: 'create-work-order' }] });
    const before = new Run(definition, ['write']).on({ kind: 'begin' });
    const run = new Run(definition, ['write'], before.state).on({ kind: 'resume' });
    expect(run.started).toEqual([]);
    expect(run.state).toMatchObject({
      stage: 'FAILED',
      steps: { write: { error: { code: 'OUTCOME_UNKNOWN' } } },
    });
    expect(run.has('escalate')).toBe(true);
  });
});

describe('any workflow, whatever comes', () => {
  const stepArbitrary = fc.record({
    needed: fc.boolean(),
    isUnrepeatable: fc.boolean(),
    takesFrom: fc.nat(9),
    hasOr: fc.boolean(),
  });
  const stagesArbitrary = fc.tuple(
    fc.array(stepArbitrary, { maxLength: 3 }),
    fc.array(stepArbitrary, { minLength: 1, maxLength: 3 }),
    fc.array(stepArbitrary, { maxLength: 3 }),
  );
  const endArbitrary = fc.constantFrom(success(), failure, timeout);

  it('ends when its steps have ended, begins each at most once, and leaves none running', () => {
    fc.assert(
      fc.property(
        stagesArbitrary,
        fc.infiniteStream(endArbitrary),
        fc.infiniteStream(fc.nat(99)),
        fc.option(fc.nat(8)),
        (given, ends, picks, failsAt) => {
          const earlier: string[] = [];
          const unrepeatable: string[] = [];
          const [pre_check = [], action = [], post_update = []] = given.map((steps, stage) => {
            const made = steps.map((step, n) => {
              const id = `s${stage}_${n}`;
              if (step.isUnrepeatable) unrepeatable.push(id);
              const from = earlier[step.takesFrom % Math.max(1, earlier.length)];
              const args = from === undefined ? {} : { x: { from, ...(step.hasOr ? { or: 0 } : {}) } };
              return { id, tool: 'x', needed: step.needed, args };
            });
            earlier.push(...made.map(({ id }) => id));
            return made;
          });
          const run = new Run(workflowOf({ pre_check, action, post_update }), unrepeatable).on({
            kind: 'begin',
          });
          for (let turn = 0; !hasEnded(run.state); turn += 1) {
            const running = Object.entries(run.statuses).filter(([, status]) => status === 'running');
            // A workflow that has not ended and runs nothing would hang for ever.
            expect(running.length).toBeGreaterThan(0);
            if (turn === failsAt) run.on({ kind: 'fail', failure: 'limit' });
            else
              run.ends(
                running[(picks.next().value ?? 0) % running.length]?.[0] ?? '',
                ends.next().value ?? failure,
              );
          }
          expect(new Set(run.started).size).toBe(run.started.length);
          expect(
            Object.values(run.statuses).filter((status) => status === 'waiting' || status === 'running'),
          ).toEqual([]);
          expect(run.effects.filter(({ kind }) => kind === 'ended')).toHaveLength(1);
          expect(run.state.failure === undefined).toBe(run.state.stage === 'COMPLETED');
        },
      ),
      { numRuns: 500 },
    );
  });
});
