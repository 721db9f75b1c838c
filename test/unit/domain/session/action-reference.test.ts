import { describe, expect, it } from 'vitest';
import {
  type Purpose,
  type ReferenceSlots,
  resolveReference,
} from '../../../../src/domain/session/action-reference.ts';
import { beginTask, emptyLedger, type Ledger } from '../../../../src/domain/session/ledger.ts';
import { cancel } from '../../../../src/domain/session/ledger-cancel.ts';
import { append, carryOut, contextFor, lead, planStep } from '../../../support/ledger.ts';

/** Read A, export it, read B, export it, mail: the first three are done, the second export runs. */
function ledger(): Ledger {
  let built = append(
    emptyLedger('s1'),
    planStep('read-history', { machine: 'a' }),
    planStep('export-report', { machine: 'a' }),
    planStep('read-history', { machine: 'b' }),
    planStep('export-report', { machine: 'b' }),
    planStep('send-message', { to: 'zhang' }, { needs: [3] }),
  );
  built = carryOut(carryOut(carryOut(built, 'a1', { mean: 1 }), 'a2', { file: 'a.xlsx' }), 'a3', { mean: 2 });
  return lead(built, 'a4', 'running');
}

function resolve(slots: ReferenceSlots, purpose: Purpose, on: Ledger = ledger()): unknown {
  const resolution = resolveReference(on, slots, purpose);
  if (resolution.kind === 'found') return resolution.action.id;
  return resolution.kind === 'ask' ? resolution.candidates.map(({ id }) => id) : resolution.reason;
}

describe('a reference', () => {
  it('by number is the step of that number, whatever became of it (the third step, 第三步)', () => {
    expect(resolve({ ordinal: 3 }, 'cancel')).toBe('a3');
    expect(resolve({ ordinal: 5 }, 'undo')).toBe('a5');
    expect(resolve({ ordinal: 6 }, 'cancel')).toBe('no_such_step');
    expect(resolve({ ordinal: 0 }, 'cancel')).toBe('no_such_step');
  });

  it('by number counts the steps of the task under way, or of the last one when that has none yet', () => {
    const next = beginTask(ledger());
    expect(resolve({ ordinal: 2 }, 'undo', next)).toBe('a2');
    expect(resolve({ ordinal: 1 }, 'undo', append(next, planStep('read-value')))).toBe('a6');
    expect(resolve({ ordinal: 2 }, 'undo', append(next, planStep('read-value')))).toBe('no_such_step');
  });

  it('by number and tool is the one of that number among its kind (the second export)', () => {
    expect(resolve({ ordinal: 2, tools: ['export-report'] }, 'cancel')).toBe('a4');
    expect(resolve({ ordinal: 3, tools: ['export-report'] }, 'cancel')).toBe('no_such_step');
  });

  it('"the last one" is the newest that comes into question', () => {
    expect(resolve({ ordinal: 'last' }, 'cancel')).toBe('a5');
    expect(resolve({ ordinal: 'last' }, 'undo')).toBe('a3');
    expect(resolve({ ordinal: 'last', tools: ['export-report'] }, 'repeat')).toBe('a4');
  });

  it('"that" is the newest to cancel, the newest done to undo (刚才那个撤销), the newest with a result to use', () => {
    const that = { demonstrative: true };
    expect(resolve(that, 'cancel')).toBe('a5');
    expect(resolve(that, 'undo')).toBe('a3');
    expect(resolve(that, 'repeat')).toBe('a5');
    expect(resolve({ ...that, tools: ['read-history', 'compare'] }, 'use_result')).toBe('a3');
  });

  it('"that" can be what is still to come, to be waited for', () => {
    expect(resolve({ demonstrative: true, tools: ['export-report'] }, 'use_result')).toBe('a4');
  });

  it('by a word for its tool is the one that has not come to an end before one that is done (cancel the export, 取消导出)', () => {
    expect(resolve({ tools: ['export-report'] }, 'cancel')).toBe('a4');
    expect(resolve({ tools: ['send-message'] }, 'cancel')).toBe('a5');
  });

  it('that fits several is asked about, the newest first', () => {
    expect(resolve({ tools: ['read-history'] }, 'cancel')).toEqual(['a3', 'a1']);
    expect(resolve({ tools: ['export-report'] }, 'use_result')).toEqual(['a4', 'a2']);
    const two = append(ledger(), planStep('export-report', { machine: 'c' }));
    expect(resolve({ tools: ['export-report'] }, 'cancel', two)).toEqual(['a6', 'a4']);
  });

  it('is narrowed by what else was named (the export of A)', () => {
    expect(resolve({ tools: ['export-report'], args: { machine: 'a' } }, 'use_result')).toBe('a2');
    expect(resolve({ tools: ['export-report'], args: { machine: 'x' } }, 'use_result')).toBe('nothing_yet');
  });

  it('never means what undoes another, unless by its own number', () => {
    const done = carryOut(append(emptyLedger('s1'), planStep('export-report')), 'a1');
    const withUndo = { tool: 'remove-file', args: {} };
    const undoable = {
      ...done,
      actions: done.actions.map((action) => ({ ...action, compensation: withUndo })),
    };
    const undoing = cancel(undoable, 'a1', contextFor(undoable)).ledger;
    expect(resolve({ demonstrative: true }, 'repeat', undoing)).toBe('a1');
    expect(resolve({ ordinal: 2 }, 'cancel', undoing)).toBe('a2');
    expect(resolve({ demonstrative: true }, 'undo', carryOut(undoing, 'a2'))).toBe('all_over');
  });

  it('without anything to mean says why', () => {
    expect(resolve({ demonstrative: true }, 'cancel', emptyLedger('s1'))).toBe('nothing_yet');
    expect(resolve({ tools: ['diagnose'] }, 'cancel')).toBe('nothing_yet');
    expect(resolve({ tools: ['send-message'] }, 'undo')).toBe('all_over');
    const failed = lead(append(emptyLedger('s1'), planStep('export-report')), 'a1', 'running', 'failed');
    expect(resolve({ demonstrative: true }, 'use_result', failed)).toBe('no_result');
    expect(resolve({ ordinal: 1 }, 'use_result', failed)).toBe('no_result');
  });

  it('never offers more than five to choose from', () => {
    const many = append(emptyLedger('s1'), ...Array.from({ length: 9 }, () => planStep('read-value')));
    expect(resolve({ tools: ['read-value'] }, 'cancel', many)).toEqual(['a9', 'a8', 'a7', 'a6', 'a5']);
  });
});
