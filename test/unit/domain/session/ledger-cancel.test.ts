import { describe, expect, it } from 'vitest';
import { undo } from '../../../../src/domain/session/action-reference.ts';
import { actionOf, emptyLedger, type Ledger, nextRunnable } from '../../../../src/domain/session/ledger.ts';
import { type Cancellation, cancel, cancelOpen } from '../../../../src/domain/session/ledger-cancel.ts';
import { transition } from '../../../../src/domain/session/ledger-transition.ts';
import { append, carryOut, contextFor, lead, planStep, statuses } from '../../../support/ledger.ts';

const REMOVE = { tool: 'remove-file', args: { file: 'r.xlsx' } };

/** A's temperature yesterday, compare B, export, mail to Zhang: a turn each. */
function fourCommands(): Ledger {
  let ledger = append(emptyLedger('s1'), planStep('read-history', { machine: 'a', period: 'yesterday' }));
  ledger = append(
    ledger,
    planStep('compare', { machine: 'b' }, { fromLedger: { with: { action: 'a1', field: '' } } }),
  );
  ledger = append(
    ledger,
    planStep('export-report', {}, { fromLedger: { data: { action: 'a2', field: '' } } }),
  );
  ledger = append(
    ledger,
    planStep('send-message', { to: 'zhang' }, { fromLedger: { file: { action: 'a3', field: 'file' } } }),
  );
  return carryOut(carryOut(ledger, 'a1', { mean: 61 }), 'a2', { difference: 3 });
}

function cancelThird(ledger: Ledger): Cancellation {
  return cancel(ledger, 'a3', contextFor(ledger));
}

const notes = ({ notes: told }: Cancellation) => told.map(({ note, action }) => [note, action.id]);

describe('cancel the third step', () => {
  it('that has not begun: it is cancelled, and the mail is held', () => {
    const cancellation = cancelThird(fourCommands());
    expect(statuses(cancellation.ledger)).toEqual({ a1: 'done', a2: 'done', a3: 'cancelled', a4: 'held' });
    expect(notes(cancellation)).toEqual([
      ['cancelled', 'a3'],
      ['held', 'a4'],
    ]);
    expect(cancellation.abort).toEqual([]);
    expect(nextRunnable(cancellation.ledger)).toEqual([]);
  });

  it('that waits for consent: it is cancelled', () => {
    const cancellation = cancelThird(lead(fourCommands(), 'a3', 'confirming'));
    expect(statuses(cancellation.ledger)).toMatchObject({ a3: 'cancelled', a4: 'held' });
  });

  it('that runs: its call is aborted, the mail is held, and it is over when the call says so', () => {
    const cancellation = cancelThird(lead(fourCommands(), 'a3', 'running'));
    expect(cancellation.abort.map(({ id }) => id)).toEqual(['a3']);
    expect(actionOf(cancellation.ledger, 'a3')).toMatchObject({ status: 'running', cancelling: true });
    expect(notes(cancellation)).toEqual([
      ['stopping', 'a3'],
      ['held', 'a4'],
    ]);
    const over = lead(cancellation.ledger, 'a3', 'cancelled');
    expect(actionOf(over, 'a3')).not.toHaveProperty('cancelling');
    expect(statuses(over)).toMatchObject({ a3: 'cancelled', a4: 'held' });
  });

  it('that was done all the same while it was being stopped: a second cancel undoes it', () => {
    const stopping = cancelThird(lead(fourCommands(), 'a3', 'running')).ledger;
    const change = transition(stopping, 'a3', 'done', { result: {}, compensation: REMOVE });
    if (!change.ok) throw new Error(change.reason);
    expect(notes(cancelThird(change.ledger))).toEqual([['undoing', 'a3']]);
  });

  it('that is done: its compensation is planned, and the mail that has not gone is held', () => {
    const done = carryOut(fourCommands(), 'a3', { file: 'r.xlsx' }, REMOVE);
    const cancellation = cancelThird(done);
    expect(notes(cancellation)).toEqual([
      ['undoing', 'a3'],
      ['held', 'a4'],
    ]);
    expect(cancellation.undo).toMatchObject([
      { id: 'a5', step: 5, tool: 'remove-file', args: { file: 'r.xlsx' }, undoes: 'a3', status: 'pending' },
    ]);
    expect(nextRunnable(cancellation.ledger).map(({ id }) => id)).toEqual(['a5']);
    const undone = carryOut(cancellation.ledger, 'a5');
    expect(statuses(undone)).toMatchObject({ a3: 'compensated', a4: 'held', a5: 'done' });
  });

  it('that is done, with the mail gone: the mail is named aloud', () => {
    const sent = carryOut(carryOut(fourCommands(), 'a3', { file: 'r.xlsx' }, REMOVE), 'a4');
    const cancellation = cancelThird(sent);
    expect(notes(cancellation)).toEqual([
      ['undoing', 'a3'],
      ['already_done', 'a4'],
    ]);
    expect(statuses(cancellation.ledger)).toMatchObject({ a4: 'done' });
  });

  it('that is done, with the mail on its way: the mail is stopped', () => {
    const sending = lead(carryOut(fourCommands(), 'a3', {}, REMOVE), 'a4', 'running');
    const cancellation = cancelThird(sending);
    expect(cancellation.abort.map(({ id }) => id)).toEqual(['a4']);
    expect(notes(cancellation)).toEqual([
      ['undoing', 'a3'],
      ['stopping', 'a4'],
    ]);
  });

  it('that nothing undoes: it is said so', () => {
    const cancellation = cancelThird(carryOut(fourCommands(), 'a3'));
    expect(notes(cancellation)).toEqual([
      ['cannot_undo', 'a3'],
      ['held', 'a4'],
    ]);
    expect(statuses(cancellation.ledger)).toMatchObject({ a3: 'done' });
  });

  it('twice: the second says that it is over, and plans no second compensation', () => {
    const once = cancelThird(fourCommands()).ledger;
    expect(notes(cancelThird(once))).toEqual([['already_over', 'a3']]);
    const undoing = cancelThird(carryOut(fourCommands(), 'a3', {}, REMOVE)).ledger;
    const twice = cancelThird(undoing);
    expect(twice.undo).toEqual([]);
    expect(notes(twice)).toEqual([['undoing', 'a3']]);
  });

  it('of which nobody knows what it did: it is said so, and nothing is done', () => {
    const cancellation = cancelThird(lead(fourCommands(), 'a3', 'running', 'unknown'));
    expect(notes(cancellation)).toEqual([['outcome_unknown', 'a3']]);
    expect(cancellation.changed).toEqual([]);
  });
});

describe('cancelling', () => {
  it('touches nothing that does not rest on it', () => {
    const ledger = append(emptyLedger('s1'), planStep('a'), planStep('b'), planStep('c', {}, { needs: [1] }));
    expect(statuses(cancel(ledger, 'a1', contextFor(ledger)).ledger)).toEqual({
      a1: 'cancelled',
      a2: 'pending',
      a3: 'pending',
    });
  });

  it('everything ends all that is open, and undoes nothing', () => {
    const ledger = lead(fourCommands(), 'a3', 'running');
    const cancellation = cancelOpen(ledger, contextFor(ledger));
    expect(notes(cancellation)).toEqual([
      ['stopping', 'a3'],
      ['cancelled', 'a4'],
    ]);
    expect(cancellation.undo).toEqual([]);
  });

  it('an action that does not exist is a fault of the program', () => {
    expect(() => cancel(fourCommands(), 'a9', contextFor(fourCommands()))).toThrow('there is no action a9');
  });
});

describe('undo that', () => {
  it('undoes the newest that is done', () => {
    const ledger = carryOut(fourCommands(), 'a3', {}, REMOVE);
    const undone = undo(ledger, { demonstrative: true }, contextFor(ledger));
    expect(undone.kind === 'undone' && notes(undone.cancellation)[0]).toEqual(['undoing', 'a3']);
  });

  it('has nothing to undo where nothing is done', () => {
    const ledger = append(emptyLedger('s1'), planStep('read-value'));
    expect(undo(ledger, { demonstrative: true }, contextFor(ledger))).toEqual({
      kind: 'none',
      reason: 'all_over',
    });
  });
});
