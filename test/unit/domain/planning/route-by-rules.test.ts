import { describe, expect, it } from 'vitest';
import type { Meaning, SlotValue } from '../../../../src/domain/intent/meaning.ts';
import { parseRules } from '../../../../src/domain/planning/parse-rules.ts';
import { type RouteContext, routeByRules } from '../../../../src/domain/planning/route-by-rules.ts';
import type { GoodReading, PointReading } from '../../../../src/domain/plc/reading.ts';
import { actionOf, ledgerOf, routeContext } from '../../../support/route-context.ts';
import { ruleScope, shippedRules } from '../../../support/rule-scope.ts';

const shipped = shippedRules().rules;

function meaning(intent: string, slots: Readonly<Record<string, string | number>> = {}): Meaning {
  const values = Object.entries(slots).map(([slot, value]): [string, SlotValue] => [
    slot,
    { value, spoken: String(value) },
  ]);
  return { intent, slots: Object.fromEntries(values) };
}

function route(asked: Meaning, changes: Partial<RouteContext> = {}) {
  return routeByRules(asked, shipped, routeContext(changes));
}

/** The tools and arguments of the plan, or whatever came instead of one. */
function planned(asked: Meaning, changes: Partial<RouteContext> = {}) {
  const routed = route(asked, changes);
  return routed.kind === 'plan' ? routed.plan.steps.map(({ tool, args }) => [tool, args]) : routed;
}

it('a question for the tickets is one to the session, also on the likeness of words', () => {
  for (const understoodBy of ['template', 'keyword'] as const)
    expect(route(meaning('tickets'), { understoodBy })).toMatchObject({
      kind: 'session',
      operation: 'tickets',
    });
});

it('a question for instructions that names none of the site is told that there are none, and no time is asked for', () => {
  expect(route(meaning('how_to'), { understoodBy: 'keyword' })).toMatchObject({
    kind: 'say',
    phrase: 'no_procedure',
  });
});

const YESTERDAY = '2026-11-24T16:00:00.000Z/2026-11-25T16:00:00.000Z';

describe('the shipped rules', () => {
  it.each([
    [
      'read_point',
      { machine: 'pump-3', quantity: 'pressure' },
      'read-value',
      { machine: 'pump-3', points: ['pressure'] },
    ],
    ['read_point', { machine: 'pump-3' }, 'machine-status', { machine: 'pump-3' }],
    ['machine_status', { machine: 'pump-3' }, 'machine-status', { machine: 'pump-3' }],
    [
      'read_history',
      { machine: 'motor-a', quantity: 'temperature', period: 'yesterday' },
      'read-history',
      { machine: 'motor-a', point: 'temperature', period: YESTERDAY },
    ],
    [
      'compare',
      { machine: 'pump-3', other_machine: 'oven-1', quantity: 'temperature' },
      'compare',
      { machines: ['pump-3', 'oven-1'], point: 'temperature' },
    ],
    [
      'read_log',
      { machine: 'pump-3', period: '昨天' },
      'read-plc-log',
      { machine: 'pump-3', period: YESTERDAY },
    ],
    ['diagnose', { machine: 'pump-3' }, 'diagnose', { machine: 'pump-3' }],
    ['check_machine', { machine: 'pump-3' }, 'workflow.check-machine', { machine: 'pump-3' }],
    ['work_order_create', { machine: 'pump-3' }, 'create-work-order', { machine: 'pump-3' }],
    ['work_order_close', { number: 17 }, 'close-work-order', { number: 17 }],
    [
      'write',
      { machine: 'oven-1', quantity: 'setpoint', value: 80 },
      'write-value',
      { machine: 'oven-1', point: 'setpoint', value: 80 },
    ],
    [
      'write_request',
      { machine: 'motor-a', action: 'stop' },
      'write-value',
      { machine: 'motor-a', point: 'switch', value: 'off' },
    ],
    ['how_to', { topic: 'change the filter' }, 'how-to', { topic: 'change the filter' }],
    ['who_am_i', {}, 'who-am-i', {}],
    ['system_status', {}, 'system-status', {}],
  ])('%s %j is done by %s', (intent, slots, tool, args) => {
    expect(planned(meaning(intent, slots))).toEqual([[tool, args]]);
  });

  it.each([
    ['cancel_step', { ordinal: 3 }, 'cancel_step'],
    ['undo', {}, 'undo'],
    ['redo_for', { machine: 'oven-1' }, 'redo'],
    ['continue', {}, 'continue'],
    ['help', {}, 'help'],
  ])('%s is for the session itself', (intent, slots, operation) => {
    const asked = meaning(intent, slots);
    expect(route(asked)).toMatchObject({ kind: 'session', operation, slots: asked.slots });
  });

  it.each([
    ['read_history', { machine: 'motor-a', quantity: 'temperature' }, 'period'],
    ['machine_status', {}, 'machine'],
    ['write', { machine: 'oven-1', quantity: 'setpoint' }, 'value'],
    ['write', { machine: 'oven-1', action: 'open' }, 'quantity'],
    ['compare', { machine: 'oven-1' }, 'other_machine'],
    ['resend_document', { period: 'yesterday' }, 'person'],
  ])('%s with %j alone asks for the %s', (intent, slots, slot) => {
    expect(route(meaning(intent, slots))).toMatchObject({ kind: 'ask', question: { slot, why: 'missing' } });
  });

  it('have a rule for every intent that carries a plan, and each plan is of at most five steps', () => {
    const covered = new Set(shipped.flatMap(({ when }) => when.intent));
    expect([...ruleScope.intents.keys()].filter((intent) => !covered.has(intent))).toEqual([]);
    for (const { then } of shipped) expect(Array.isArray(then) ? then.length : 1).toBeLessThanOrEqual(5);
  });

  it('take nothing that no rule is for', () => {
    expect(route(meaning('sing'))).toEqual({ kind: 'none' });
  });
});

describe('what refers to what was done before', () => {
  const history = actionOf('a-1', 'read-history', {
    machine: 'motor-a',
    point: 'temperature',
    period: YESTERDAY,
  });
  const comparison = actionOf('a-2', 'compare', { machines: ['motor-a', 'pump-3'] });

  it('"compare with B" takes machine, quantity and time of the history asked for before', () => {
    expect(planned(meaning('compare', { machine: 'pump-3' }), { ledger: ledgerOf([history]) })).toEqual([
      ['compare', { machines: ['motor-a', 'pump-3'], point: 'temperature', period: YESTERDAY }],
    ]);
  });

  it('"compare with B" after a present value compares the present values', () => {
    const read = actionOf('a-1', 'read-value', { machine: 'motor-a', points: ['speed'] });
    expect(planned(meaning('compare', { machine: 'pump-3' }), { ledger: ledgerOf([read]) })).toEqual([
      ['compare', { machines: ['motor-a', 'pump-3'], point: 'speed' }],
    ]);
  });

  it('"compare with" rests on what was asked for last: a past or a present value', () => {
    const read = actionOf('a-2', 'read-value', { machine: 'motor-a', points: ['speed'] });
    const asked = meaning('compare', { machine: 'pump-3' });
    const point = (...ledger: Parameters<typeof ledgerOf>[0]) => route(asked, { ledger: ledgerOf(ledger) });
    expect(point(history, read)).toMatchObject({ plan: { steps: [{ args: { point: 'speed' } }] } });
    expect(point(read, history)).toMatchObject({ plan: { steps: [{ args: { point: 'temperature' } }] } });
  });

  it('"export that" is bound to the newest result, also one that is still to come', () => {
    const running = { ...comparison, status: 'running' as const };
    const routed = route(meaning('export_result'), { ledger: ledgerOf([history, running]) });
    expect(routed).toMatchObject({
      kind: 'plan',
      plan: { steps: [{ tool: 'export-report', fromLedger: { results: { action: 'a-2', field: '' } } }] },
    });
  });

  it.each(['failed', 'cancelled', 'held', 'compensated', 'unknown'] as const)(
    'a result that is %s is none',
    (status) => {
      const ledger = ledgerOf([{ ...history, status }]);
      expect(route(meaning('export_result'), { ledger })).toMatchObject({
        kind: 'lacks',
        of: ['compare', 'read-history', 'read-plc-log', 'diagnose', 'workflow.check-machine'],
      });
    },
  );

  it('"send that" after another result sends no earlier export, but exports that result first', () => {
    const exported = actionOf('a-2', 'export-report', {});
    const later = actionOf('a-3', 'read-history', { machine: 'pump-3' });
    const routed = route(meaning('send_result', { person: 'engineer Zhang' }), {
      ledger: ledgerOf([history, exported, later]),
    });
    expect(routed).toMatchObject({
      plan: {
        steps: [
          { tool: 'export-report', fromLedger: { results: { action: 'a-3', field: '' } } },
          { tool: 'send-message', fromSteps: { file: { step: 0, field: 'file' } } },
        ],
      },
    });
  });

  it('"send that to engineer Zhang" sends the export, and makes one when there is none', () => {
    const asked = meaning('send_result', { person: 'engineer Zhang' });
    const exported = actionOf('a-3', 'export-report', {});
    expect(route(asked, { ledger: ledgerOf([history, exported]) })).toMatchObject({
      plan: {
        steps: [
          {
            tool: 'send-message',
            args: { to: ['zhang-wei'] },
            fromLedger: { file: { action: 'a-3', field: 'file' } },
          },
        ],
      },
    });
    expect(route(asked, { ledger: ledgerOf([history]) })).toMatchObject({
      plan: {
        steps: [
          { tool: 'export-report' },
          { tool: 'send-message', needs: [0], fromSteps: { file: { step: 0, field: 'file' } } },
        ],
      },
    });
  });
});

it('a work order takes the diagnosis of its own machine along, and no other', () => {
  const ledger = ledgerOf([actionOf('a-9', 'diagnose', { machine: 'pump-3' })]);
  expect(route(meaning('work_order_create', { machine: 'pump-3' }), { ledger })).toMatchObject({
    plan: { continues: true, steps: [{ fromLedger: { diagnosis: { action: 'a-9', field: '' } } }] },
  });
  expect(route(meaning('work_order_create', { machine: 'oven-1' }), { ledger })).toMatchObject({
    plan: { continues: false, steps: [{ fromLedger: {} }] },
  });
});

describe('the likeness of words', () => {
  const understoodBy = 'keyword';

  it('carries a read, and the plan says what it rests on', () => {
    const asked = meaning('read_point', { machine: 'pump-3', quantity: 'pressure' });
    expect(route(asked, { understoodBy })).toMatchObject({ kind: 'plan', plan: { source: 'keyword' } });
  });

  it.each([
    ['write', { machine: 'oven-1', quantity: 'setpoint', value: 80 }],
    ['write_request', { machine: 'motor-a', action: 'stop' }],
    ['work_order_create', { machine: 'pump-3' }],
    ['work_order_close', { number: 17 }],
    ['resend_document', { period: 'yesterday', person: 'engineer Zhang' }],
    ['undo', {}],
    ['cancel_step', { ordinal: 3 }],
    ['redo_for', { machine: 'oven-1' }],
    ['continue', {}],
  ])('never carries %s', (intent, slots) => {
    expect(route(meaning(intent, slots), { understoodBy })).toMatchObject({ kind: 'doubtful' });
  });

  it('asks about a slot that it is not sure of', () => {
    const asked = meaning('read_point', { machine: 'pump-3', quantity: 'pressure' });
    expect(route(asked, { understoodBy, slotConfidence: { machine: 0.3 } })).toMatchObject({
      kind: 'ask',
      question: { slot: 'machine', why: 'doubtful', spoken: '【pump-3】' },
    });
  });
});

describe('conditions', () => {
  const rules = (condition: unknown) =>
    parseRules(
      `{ "version": 1, "rules": [{
        "id": "hot", "when": { "intent": "diagnose" }, "if": ${JSON.stringify(condition)},
        "then": [{ "tool": "diagnose", "args": { "machine": { "slot": "machine" } } }],
        "else": { "say": "busy" }, "fallback": { "session": "help" } }] }`,
      'rules.json',
      ruleScope,
    ).rules;
  const reading = (value: number): GoodReading => ({
    ref: { machine: 'pump-3', point: 'pressure' },
    atMs: 0,
    bootId: 'b',
    seq: 1,
    quality: 'good',
    value,
  });
  const bad: PointReading = {
    ref: { machine: 'pump-3', point: 'pressure' },
    atMs: 0,
    bootId: 'b',
    seq: 1,
    quality: 'bad',
    reason: 'timeout',
    detail: '',
  };
  const high = { point: { machine: { slot: 'machine' }, point: 'pressure', op: '>', value: 5 } };
  const decided = (condition: unknown, changes: Partial<RouteContext>) =>
    routeByRules(meaning('diagnose', { machine: 'pump-3' }), rules(condition), routeContext(changes)).kind;

  it('over a point first say that it has to be read', () => {
    const routed = routeByRules(meaning('diagnose', { machine: 'pump-3' }), rules(high), routeContext());
    expect(routed).toMatchObject({ kind: 'undecided', points: [{ machine: 'pump-3', point: 'pressure' }] });
  });

  it('over a point that is read hold or do not hold', () => {
    expect(decided(high, { point: () => reading(6) })).toBe('plan');
    expect(decided(high, { point: () => reading(5) })).toBe('say');
  });

  it('a bad point makes neither a condition true nor its negation', () => {
    expect(decided(high, { point: () => bad })).toBe('session');
    expect(decided({ not: high }, { point: () => bad })).toBe('session');
  });

  it('a stale point counts as not known, however recent its last value', () => {
    const stale = { ...bad, quality: 'stale' as const, last: reading(6), reason: 'timeout' as const };
    expect(decided(high, { point: () => stale })).toBe('session');
    expect(decided({ not: high }, { point: () => stale })).toBe('session');
  });

  it('what is not known does not matter where the rest decides', () => {
    const isOperator = { role: { at_least: 'operator' } };
    expect(decided({ any: [high, isOperator] }, { point: () => bad })).toBe('plan');
    expect(decided({ any: [high, isOperator] }, {})).toBe('plan');
    expect(decided({ all: [high, { not: isOperator }] }, { point: () => bad })).toBe('say');
    expect(decided({ all: [high, isOperator] }, { point: () => bad })).toBe('session');
  });

  it('over role, slots, memory, the node and the ledger', () => {
    expect(decided({ role: { at_least: 'supervisor' } }, { role: 'maintainer' })).toBe('say');
    expect(decided({ role: { at_least: 'maintainer' } }, { role: 'supervisor' })).toBe('plan');
    expect(decided({ slot: 'machine', op: '=', value: 'pump-3' }, {})).toBe('plan');
    expect(decided({ slot: 'machine', is: 'absent' }, {})).toBe('say');
    const fact = { fact: { subject: { slot: 'machine' }, attribute: 'locked' } };
    expect(decided(fact, {})).toBe('undecided');
    expect(decided(fact, { fact: ({ subject }) => subject === 'pump-3' })).toBe('plan');
    expect(decided({ node: 'load_per_core', op: '<', value: 2 }, { node: { load_per_core: 0.5 } })).toBe(
      'plan',
    );
    expect(decided({ node: 'temperature_c', op: '<', value: 70 }, {})).toBe('session');
    expect(
      decided({ ledger: { of: ['diagnose'] } }, { ledger: ledgerOf([actionOf('a', 'diagnose', {})]) }),
    ).toBe('plan');
  });
});

it('a tool that the caller may not use is denied before anything is asked', () => {
  expect(route(meaning('write', { value: 3 }), { mayUse: (tool) => tool !== 'write-value' })).toEqual({
    kind: 'denied',
    rule: 'write_value',
    tool: 'write-value',
  });
});

it('a tool that is not there to be used is said to be so, and not denied', () => {
  expect(
    route(meaning('write', { value: 3 }), {
      risk: (tool) => (tool === 'write-value' ? undefined : 'none'),
      mayUse: (tool) => tool !== 'write-value',
    }),
  ).toEqual({ kind: 'unavailable', rule: 'write_value', tool: 'write-value' });
});
