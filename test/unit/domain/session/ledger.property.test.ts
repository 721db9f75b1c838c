import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ACTION_STATUSES, isOver } from '../../../../src/domain/session/action.ts';
import {
  actionOf,
  beginTask,
  emptyLedger,
  type Ledger,
  nextRunnable,
} from '../../../../src/domain/session/ledger.ts';
import { appendPlan, beginsNewTask } from '../../../../src/domain/session/ledger-append.ts';
import { cancel, cancelOpen } from '../../../../src/domain/session/ledger-cancel.ts';
import { resumable } from '../../../../src/domain/session/ledger-resume.ts';
import { transition } from '../../../../src/domain/session/ledger-transition.ts';
import { contextFor, idsOf, planOf, planStep } from '../../../support/ledger.ts';

const anyOperation = fc.oneof(
  fc.record({
    kind: fc.constant('append' as const),
    needs: fc.array(fc.array(fc.nat(4), { maxLength: 2 }), { minLength: 1, maxLength: 4 }),
    from: fc.nat(20),
    takes: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('to' as const),
    at: fc.nat(40),
    status: fc.constantFrom(...ACTION_STATUSES),
    undoable: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('to' as const),
    at: fc.nat(40),
    status: fc.constantFrom('running' as const, 'done' as const),
    undoable: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('cancel' as const), at: fc.nat(40) }),
  fc.record({ kind: fc.constant('cancel all' as const) }),
  fc.record({ kind: fc.constant('restart' as const) }),
);
type Operation = typeof anyOperation extends fc.Arbitrary<infer T> ? T : never;

function operate(ledger: Ledger, operation: Operation): Ledger {
  const at = (place: number) => ledger.actions[place % Math.max(1, ledger.actions.length)]?.id;
  switch (operation.kind) {
    case 'append': {
      const id = at(operation.from);
      const steps = operation.needs.map((needs, place) =>
        planStep(
          place % 2 === 0 ? 'read-value' : 'write-value',
          {},
          {
            needs: needs.filter((each) => each < place),
            fromLedger: operation.takes && id !== undefined ? { x: { action: id, field: '' } } : {},
          },
        ),
      );
      const on = beginsNewTask(ledger, planOf(...steps)) ? beginTask(ledger) : ledger;
      const change = appendPlan(on, planOf(...steps), { ...contextFor(on), newId: fresh });
      return change.ok ? change.ledger : ledger;
    }
    case 'to': {
      const id = at(operation.at);
      if (id === undefined) return ledger;
      const undo = operation.undoable ? { compensation: { tool: 'undo', args: {} } } : {};
      const change = transition(ledger, id, operation.status, operation.status === 'done' ? undo : {});
      return change.ok ? change.ledger : ledger;
    }
    case 'cancel': {
      const id = at(operation.at);
      return id === undefined ? ledger : cancel(ledger, id, { ...contextFor(ledger), newId: fresh }).ledger;
    }
    case 'cancel all':
      return cancelOpen(ledger, contextFor(ledger)).ledger;
    case 'restart':
      return resumable(ledger, idsOf(ledger), (tool) => ({
        risk: tool === 'read-value' ? 'none' : 'physical',
        idempotent: true,
      })).ledger;
  }
}

let ids = 0;
const fresh = () => `f${++ids}`;

/** Every open action either may begin, or waits for one that may or that runs or is confirmed: none waits for ever. */
function expectNoGhost(ledger: Ledger): void {
  const alive = new Set(nextRunnable(ledger).map(({ id }) => id));
  for (const action of ledger.actions) {
    if (action.status === 'running' || action.status === 'confirming') alive.add(action.id);
    if (action.dependsOn.some((id) => alive.has(id))) alive.add(action.id);
    if (!isOver(action)) expect(alive.has(action.id), `${action.id} waits for ever`).toBe(true);
  }
}

it('whatever is planned, cancelled, undone and restarted, no action waits for ever', () => {
  fc.assert(
    fc.property(fc.array(anyOperation, { maxLength: 40 }), (operations) => {
      let ledger = emptyLedger('s1');
      for (const operation of operations) {
        ledger = operate(ledger, operation);
        expectNoGhost(ledger);
        expect(new Set(ledger.actions.map(({ id }) => id)).size).toBe(ledger.actions.length);
        const steps = ledger.actions.map(({ task, step }) => `${task}/${step}`);
        expect(new Set(steps).size).toBe(steps.length);
      }
    }),
    { numRuns: 400 },
  );
});

it('a restart repeats nothing that moves a machine', () => {
  fc.assert(
    fc.property(fc.array(anyOperation, { maxLength: 40 }), (operations) => {
      const ledger = operations.reduce(operate, emptyLedger('s1'));
      const after = operate(ledger, { kind: 'restart' });
      for (const { id, tool, status } of ledger.actions)
        if (status === 'running' && tool !== 'read-value')
          expect(actionOf(after, id)?.status).toBe('unknown');
      expect(after.actions.some(({ status }) => status === 'running' || status === 'confirming')).toBe(false);
    }),
  );
});
