import { describe, expect, it } from 'vitest';
import { actionOf, emptyLedger, nextRunnable } from '../../../../src/domain/session/ledger.ts';
import { cancel } from '../../../../src/domain/session/ledger-cancel.ts';
import { resumable, type ToolTraits } from '../../../../src/domain/session/ledger-resume.ts';
import { append, contextFor, lead, planStep, statuses } from '../../../support/ledger.ts';

const TRAITS: Readonly<Record<string, ToolTraits>> = {
  'read-value': { risk: 'none', idempotent: true },
  'send-message': { risk: 'reversible', idempotent: false },
  'create-work-order': { risk: 'reversible', idempotent: true },
  'write-value': { risk: 'physical', idempotent: true },
};
const traits = (tool: string) => TRAITS[tool];
const running = (tool: string) => lead(append(emptyLedger('s1'), planStep(tool)), 'a1', 'running');

describe('after a restart', () => {
  it.each(['read-value', 'create-work-order'])(
    '%s, which was running, may be done again under the same key',
    (tool) => {
      const before = running(tool);
      const { ledger, again, unknown } = resumable(before, traits);
      expect(unknown).toEqual([]);
      expect(again.map(({ id }) => id)).toEqual(['a1']);
      expect(nextRunnable(ledger)[0]?.idempotencyKey).toBe(actionOf(before, 'a1')?.idempotencyKey);
    },
  );

  it.each(['write-value', 'send-message', 'a-tool-that-is-gone'])(
    '%s, which was running, is unknown and never repeated',
    (tool) => {
      const { ledger, again, unknown } = resumable(running(tool), traits);
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
    const resumption = resumable(ledger, traits);
    expect(statuses(resumption.ledger)).toEqual({ a1: 'unknown', a2: 'held', a3: 'pending', a4: 'pending' });
    expect(resumption.offered.map(({ id }) => id)).toEqual(['a3']);
    expect(resumption.held.map(({ id }) => id)).toEqual(['a2']);
    expect(resumption.waiting.map(({ id }) => id)).toEqual(['a4']);
    expect(resumption.changed.map(({ id }) => id).sort()).toEqual(['a1', 'a2', 'a3']);
  });

  it('what was being cancelled stays cancelled', () => {
    const before = running('read-value');
    const { ledger, again } = resumable(cancel(before, 'a1', contextFor(before)).ledger, traits);
    expect(again).toEqual([]);
    expect(actionOf(ledger, 'a1')).toMatchObject({ status: 'cancelled' });
    expect(actionOf(ledger, 'a1')).not.toHaveProperty('cancelling');
    const write = running('write-value');
    expect(resumable(cancel(write, 'a1', contextFor(write)).ledger, traits).unknown).toHaveLength(1);
  });

  it('a second restart before "continue" changes nothing more', () => {
    const once = resumable(
      lead(append(running('write-value'), planStep('read-value')), 'a2', 'confirming'),
      traits,
    );
    const twice = resumable(once.ledger, traits);
    expect(twice.changed).toEqual([]);
    expect(twice.ledger).toEqual(once.ledger);
  });
});
