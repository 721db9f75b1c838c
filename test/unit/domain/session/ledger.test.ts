import { describe, expect, it } from 'vitest';
import { ACTION_STATUSES } from '../../../../src/domain/session/action.ts';
import {
  actionOf,
  beginTask,
  boundArgs,
  dependentsOf,
  emptyLedger,
  nextRunnable,
  TASKS_AT_HAND,
  taskActions,
} from '../../../../src/domain/session/ledger.ts';
import {
  appendPlan,
  beginsNewTask,
  MOST_ACTIONS,
  newActionId,
  repeatFor,
} from '../../../../src/domain/session/ledger-append.ts';
import { statusAfter, TRANSITIONS, transition } from '../../../../src/domain/session/ledger-transition.ts';
import type { ToolOutcome } from '../../../../src/domain/tool/tool-call.ts';
import {
  append,
  CALLER,
  carryOut,
  contextFor,
  force,
  lead,
  planOf,
  planStep,
  statuses,
} from '../../../support/ledger.ts';

const EMPTY = emptyLedger('s1');
const readExportMail = append(
  EMPTY,
  planStep('read-history', { machine: 'a' }),
  planStep('export-report', { format: 'xlsx' }, { fromSteps: { data: { step: 0, field: 'rows' } } }),
  planStep('send-message', { to: 'zhang' }, { needs: [0], fromSteps: { file: { step: 1, field: 'file' } } }),
);

describe('a plan in the ledger', () => {
  it('becomes actions with steps counted from 1, what they depend on, and where their values come from', () => {
    expect(
      readExportMail.actions.map(({ step, tool, dependsOn, bindings, status }) => ({
        step,
        tool,
        dependsOn,
        bindings,
        status,
      })),
    ).toEqual([
      { step: 1, tool: 'read-history', dependsOn: [], bindings: {}, status: 'pending' },
      {
        step: 2,
        tool: 'export-report',
        dependsOn: ['a1'],
        bindings: { data: { action: 'a1', field: 'rows' } },
        status: 'pending',
      },
      {
        step: 3,
        tool: 'send-message',
        dependsOn: ['a1', 'a2'],
        bindings: { file: { action: 'a2', field: 'file' } },
        status: 'pending',
      },
    ]);
  });

  it('goes on counting through the turns of a task, and depends on what it takes from the ledger', () => {
    const ledger = append(
      readExportMail,
      planStep('compare', { machine: 'b' }, { fromLedger: { with: { action: 'a1', field: '' } } }),
    );
    expect(actionOf(ledger, 'a4')).toMatchObject({ step: 4, dependsOn: ['a1'] });
  });

  it('asked for twice on purpose is two actions with two keys; an action keeps its own key', () => {
    const twice = append(append(EMPTY, planStep('create-work-order')), planStep('create-work-order'));
    const [first, second] = twice.actions;
    expect(first?.idempotencyKey).not.toBe(second?.idempotencyKey);
    const failed = lead(twice, 'a1', 'running', 'failed', 'pending');
    expect(actionOf(failed, 'a1')?.idempotencyKey).toBe(first?.idempotencyKey);
  });

  it('gives ids of 96 random bits', () => {
    const ids = new Set(Array.from({ length: 1000 }, newActionId));
    expect(ids.size).toBe(1000);
    for (const id of ids) expect(id).toMatch(/^ac_[0-9a-f]{24}$/u);
  });

  it.each([
    [
      'a step that comes later',
      planOf(planStep('a', {}, { needs: [1] }), planStep('b')),
      'step 1, a: it needs step 2, which does not come before it',
    ],
    [
      'itself',
      planOf(planStep('a', {}, { fromSteps: { x: { step: 0, field: '' } } })),
      'step 1, a: it needs step 1, which does not come before it',
    ],
    [
      'what is not in the ledger',
      planOf(planStep('a', {}, { fromLedger: { x: { action: 'a9', field: '' } } })),
      'step 1, a: x comes from action a9, which is not in the ledger',
    ],
  ])('is refused when it needs %s', (_what, plan, reason) => {
    expect(appendPlan(readExportMail, plan, contextFor(readExportMail))).toEqual({ ok: false, reason });
  });

  it('is refused when it takes a value from what was cancelled', () => {
    const ledger = lead(readExportMail, 'a2', 'cancelled');
    const plan = planOf(
      planStep('send-message', {}, { fromLedger: { file: { action: 'a2', field: 'file' } } }),
    );
    expect(appendPlan(ledger, plan, contextFor(ledger))).toEqual({
      ok: false,
      reason: 'step 1, send-message: file comes from step 2, export-report, which is cancelled',
    });
  });

  it('does not make a task longer than 100 steps', () => {
    const full = append(EMPTY, ...Array.from({ length: MOST_ACTIONS }, () => planStep('read-value')));
    expect(appendPlan(full, planOf(planStep('read-value')), contextFor(full)).ok).toBe(false);
  });

  it('begins a new task only when all is over and it rests on nothing in the ledger', () => {
    const fresh = planOf(planStep('read-value'));
    const follow = planOf(planStep('compare', {}, { fromLedger: { with: { action: 'a1', field: '' } } }));
    const done = carryOut(append(EMPTY, planStep('read-value')), 'a1');
    expect(beginsNewTask(EMPTY, fresh)).toBe(false);
    expect(beginsNewTask(readExportMail, fresh)).toBe(false);
    expect(beginsNewTask(done, follow)).toBe(false);
    expect(beginsNewTask(done, { ...fresh, continues: true })).toBe(false);
    expect(beginsNewTask(done, fresh)).toBe(true);
    const next = append(beginTask(done), planStep('read-value'));
    expect(taskActions(next)).toMatchObject([{ id: 'a2', task: 2, step: 1 }]);
  });

  it('leaves tasks long past behind, but nothing that has yet to be done', () => {
    let ledger = append(
      append(carryOut(append(EMPTY, planStep('x')), 'a1'), planStep('y')),
      planStep('z', {}, { fromLedger: { of: { action: 'a1', field: '' } } }),
    );
    ledger = carryOut(ledger, 'a2');
    for (let i = 0; i < TASKS_AT_HAND + 1; i++) ledger = beginTask(ledger);
    expect(ledger.actions.map(({ id }) => id)).toEqual(['a1', 'a3']);
    expect(nextRunnable(ledger).map(({ id }) => id)).toEqual(['a3']);
  });
});

describe('what may begin', () => {
  it('is what waits for nothing, and independent steps may begin together', () => {
    const ledger = append(EMPTY, planStep('a'), planStep('b'), planStep('c', {}, { needs: [0, 1] }));
    expect(nextRunnable(ledger).map(({ id }) => id)).toEqual(['a1', 'a2']);
    const one = carryOut(ledger, 'a1');
    expect(nextRunnable(one).map(({ id }) => id)).toEqual(['a2']);
    expect(nextRunnable(carryOut(one, 'a2')).map(({ id }) => id)).toEqual(['a3']);
  });

  it('gets its values from the results that its bindings name', () => {
    const ledger = carryOut(readExportMail, 'a1', { rows: [1, 2], unit: 'degC' });
    const action = actionOf(ledger, 'a2');
    if (action === undefined) throw new Error('no action');
    expect(boundArgs(ledger, action)).toEqual({ ok: true, args: { format: 'xlsx', data: [1, 2] } });
    const whole = { ...action, bindings: { data: { action: 'a1', field: '' } } };
    expect(boundArgs(ledger, whole)).toMatchObject({ args: { data: { rows: [1, 2], unit: 'degC' } } });
    const wrong = { ...action, bindings: { data: { action: 'a1', field: 'row' } } };
    expect(boundArgs(ledger, wrong)).toEqual({
      ok: false,
      reason: 'data: the result of read-history has no row; it has rows, unit',
    });
    expect(boundArgs(readExportMail, action)).toEqual({
      ok: false,
      reason: 'data waits for the result of a1',
    });
  });

  it('for another machine is the same step with other arguments', () => {
    const action = actionOf(readExportMail, 'a2');
    if (action === undefined) throw new Error('no action');
    expect(repeatFor(action, { format: 'csv' })).toEqual(
      planStep('export-report', { format: 'csv' }, { fromLedger: { data: { action: 'a1', field: 'rows' } } }),
    );
    expect(repeatFor(action, { data: 'b' })).toEqual(
      planStep('export-report', { format: 'xlsx', data: 'b' }),
    );
  });
});

describe('what becomes of an action', () => {
  it.each(ACTION_STATUSES.flatMap((from) => ACTION_STATUSES.map((to) => [from, to] as const)))(
    'from %s to %s only as the table says',
    (from, to) => {
      const ledger = force(append(EMPTY, planStep('write-value')), 'a1', from);
      const change = transition(ledger, 'a1', to);
      expect(change.ok).toBe(TRANSITIONS[from].includes(to));
      if (change.ok) expect(statuses(change.ledger)).toEqual({ a1: to });
      else expect(change.reason).toContain(`write-value, is ${from}`);
    },
  );

  it('never goes from nothing, a cancel or a failure to done', () => {
    for (const from of ['pending', 'confirming', 'cancelled', 'held', 'failed', 'compensated'] as const)
      expect(TRANSITIONS[from]).not.toContain('done');
  });

  it.each(['failed', 'cancelled', 'unknown'] as const)('holds what waits for it when it is %s', (status) => {
    const ledger = lead(readExportMail, 'a1', 'running', status);
    expect(statuses(ledger)).toEqual({ a1: status, a2: 'held', a3: 'held' });
    expect(nextRunnable(ledger)).toEqual([]);
  });

  it('lets go what it held when it gets another try, or was found done', () => {
    const failed = lead(readExportMail, 'a1', 'running', 'failed');
    expect(transition(failed, 'a2', 'pending')).toEqual({
      ok: false,
      reason: 'it waits for step 1, read-history, which is failed',
    });
    expect(statuses(lead(failed, 'a1', 'pending'))).toEqual({ a1: 'pending', a2: 'pending', a3: 'pending' });
    const looked = lead(readExportMail, 'a1', 'running', 'unknown', 'done');
    expect(statuses(looked)).toEqual({ a1: 'done', a2: 'pending', a3: 'pending' });
  });

  it('comes from what its call came to', () => {
    const ledger = lead(append(EMPTY, planStep('write-value')), 'a1', 'running');
    const failed = (code: 'CANCELLED' | 'OUTCOME_UNKNOWN' | 'TOOL_TIMEOUT'): ToolOutcome => ({
      status: 'failed',
      tool: 'write-value',
      error: { tool: 'write-value', code, message: 'as it is' },
      durationMs: 1,
    });
    const status = (outcome: ToolOutcome) => {
      const change = transition(ledger, 'a1', statusAfter(outcome));
      return change.ok ? actionOf(change.ledger, 'a1')?.status : change.reason;
    };
    expect(status({ status: 'ok', tool: 'write-value', result: {}, say: [], durationMs: 1 })).toBe('done');
    expect(status(failed('CANCELLED'))).toBe('cancelled');
    expect(status(failed('OUTCOME_UNKNOWN'))).toBe('unknown');
    expect(status(failed('TOOL_TIMEOUT'))).toBe('failed');
    expect(transition(ledger, 'a9', 'done')).toEqual({ ok: false, reason: 'there is no action a9' });
  });

  it('rests on others through others', () => {
    expect(dependentsOf(readExportMail, 'a1').map(({ id }) => id)).toEqual(['a2', 'a3']);
    expect(dependentsOf(readExportMail, 'a3')).toEqual([]);
    expect(CALLER.sessionId).toBe(readExportMail.sessionId);
  });
});
