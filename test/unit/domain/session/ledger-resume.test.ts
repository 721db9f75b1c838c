import { describe, expect, it } from 'vitest';
import { actionOf, emptyLedger, type Ledger, nextRunnable } from '../../../../src/domain/session/ledger.ts';
import { cancel } from '../../../../src/domain/session/ledger-cancel.ts';
import { resumable, type ToolTraits } from '../../../../src/domain/session/ledger-resume.ts';
import { append, carryOut, contextFor, idsOf, lead, planStep, statuses } from '../../../support/ledger.ts';

const TRAITS: Readonly<Record<string, ToolTraits>> = {
  'read-value': { risk: 'none', idempotent: true },
  'send-message': { risk: 'reversible', idempotent: false },
  'create-work-order': { risk: 'reversible', idempotent: true },
  'write-value': { risk: 'physical', idempotent: true },
};
const traits = (tool: string) => TRAITS[tool];
/** Of a ledger that was open as it stands when the daemon ended. */
const resumed = (ledger: Ledger) => resumable(ledger, idsOf(ledger), traits);
const running = (tool: string) => lead(append(emptyLedger('s1'), planStep(tool)), 'a1', 'running');

describe('after a restart', () => {
  it.each(['read-value', 'create-work-order'])(
    '%s, which was running, may be done again under the same key',
    (tool) => {
      const before = running(tool);
      const { ledger, again, unknown } = resumed(before);
      expect(unknown).toEqual([]);
      expect(again.map(({ id }) => id)).toEqual(['a1']);
      expect(nextRunnable(ledger)[0]?.idempotencyKey).toBe(actionOf(before, 'a1')?.idempotencyKey);
    },
  );

  it.each(['write-value', 'send-message', 'a-tool-that-is-gone'])(
    '%s, which was running, is unknown and never repeated',
    (tool) => {
      const { ledger, again, unknown } = resumed(running(tool));
      expect(again).toEqual([]);
      expect(unknown).toMatchObject([{ id: 'a1', status: 'unknown' }]);
      expect(nextRunnable(ledger)).toEqual([]);
    },
  );

  it('what waited for consent is asked for again, and what waits for an unknown outcome is held', () => {
    let ledger = append(
      emptyLedger('s1'),
      planStep('write-value'),
      planStep('read-value', {}, { needs: [0] }),
      planStep('write-value'),
      planStep('read-value'),
    );
    ledger = lead(lead(ledger, 'a1', 'running'), 'a3', 'confirming');
    const resumption = resumed(ledger);
    expect(statuses(resumption.ledger)).toEqual({ a1: 'unknown', a2: 'held', a3: 'pending', a4: 'pending' });
    expect(resumption.offered.map(({ id }) => id)).toEqual(['a3']);
    expect(resumption.held.map(({ id }) => id)).toEqual(['a2']);
    expect(resumption.waiting.map(({ id }) => id)).toEqual(['a4']);
    expect(resumption.changed.map(({ id }) => id).sort()).toEqual(['a1', 'a2', 'a3']);
  });

  it('what was being cancelled stays cancelled', () => {
    const before = running('read-value');
    const { ledger, again } = resumed(cancel(before, 'a1', contextFor(before)).ledger);
    expect(again).toEqual([]);
    expect(actionOf(ledger, 'a1')).toMatchObject({ status: 'cancelled' });
    expect(actionOf(ledger, 'a1')).not.toHaveProperty('cancelling');
    const write = running('write-value');
    expect(resumed(cancel(write, 'a1', contextFor(write)).ledger).unknown).toHaveLength(1);
  });

  it('a second restart before "continue" changes nothing more', () => {
    const once = resumed(lead(append(running('write-value'), planStep('read-value')), 'a2', 'confirming'));
    const twice = resumed(once.ledger);
    expect(twice.changed).toEqual([]);
    expect(twice.ledger).toEqual(once.ledger);
  });

  it('what a roll-back had still to undo is offered in its order, is its own no more, and does not run before', () => {
    let ledger = append(emptyLedger('s1'), ...['one', 'two', 'three'].map((tool) => planStep(tool)));
    for (const id of ['a1', 'a2', 'a3']) ledger = carryOut(ledger, id, {}, { tool: 'read-value', args: {} });
    for (const id of ['a3', 'a2', 'a1'])
      ledger = cancel(ledger, id, { ...contextFor(ledger), ofRollBack: true }).ledger;
    expect(nextRunnable(ledger)).toEqual([]);
    ledger = lead(carryOut(ledger, 'a4'), 'a5', 'running');
    const resumption = resumed(ledger);
    expect(resumption.offered.map(({ id, undoes }) => ({ id, undoes }))).toEqual([
      { id: 'a5', undoes: 'a2' },
      { id: 'a6', undoes: 'a1' },
    ]);
    expect([resumption.again, resumption.waiting, resumption.unknown]).toEqual([[], [], []]);
    expect(nextRunnable(resumption.ledger).map(({ id }) => id)).toEqual(['a5', 'a6']);
    expect(
      resumption.ledger.actions.filter(({ ofRollBack, status }) => ofRollBack && status !== 'done'),
    ).toEqual([]);
  });

  it('what has begun since is left alone', () => {
    const ledger = lead(append(running('read-value'), planStep('write-value')), 'a2', 'running');
    const resumption = resumable(ledger, new Set(['a1']), traits);
    expect(statuses(resumption.ledger)).toEqual({ a1: 'pending', a2: 'running' });
    expect(resumption.unknown).toEqual([]);
  });
});
