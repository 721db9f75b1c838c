import { describe, expect, it } from 'vitest';
import { emptyLedger } from '../../../../src/domain/session/ledger.ts';
import { restore } from '../../../../src/domain/session/session-machine.ts';
import type { SessionRecord } from '../../../../src/domain/session/session-record.ts';
import {
  STATE_HASH_FIELDS,
  type StateSnapshot,
  snapshotOf,
  stateHash,
} from '../../../../src/domain/session/state-hash.ts';
import { append, carryOut, lead, planStep } from '../../../support/ledger.ts';
import { SessionDriver } from '../../../support/session-driver.ts';
import { transcript, UNDERSTOOD, workOrderAsked, writeAsked } from '../../../support/session-events.ts';
import { sessionRecord } from '../../../support/session-records.ts';

const SESSION = sessionRecord('s1');
const ledger = append(
  emptyLedger('s1'),
  planStep('read-value', { machine: 'a' }),
  planStep('write-value', { value: 3 }, { needs: [0] }),
);
const { state } = new SessionDriver().take(transcript('tr_1'), UNDERSTOOD, writeAsked('c1'));
const session: SessionRecord = { ...SESSION, state };
const snapshot = snapshotOf(session, carryOut(ledger, 'a1', { value: 2 }).actions);

const CHANGED: StateSnapshot = {
  session_id: 'other',
  turn_id: 'tr_2',
  state: 'IDLE',
  task: 2,
  executed_tools: [],
  pending_actions: [],
  pending_parameters: {},
  blocking_cause: null,
  parked_confirmations: ['c0'],
  open_question: { machines: ['a', 'b'] },
  lifespan: { baseMs: 120_000, toolCalls: 0, pendingConfirmations: 0 },
  failures: 2,
};

describe('the state hash', () => {
  it('is a SHA-256 over exactly twelve fields', () => {
    expect(STATE_HASH_FIELDS).toHaveLength(12);
    expect(new Set(STATE_HASH_FIELDS).size).toBe(12);
    expect(stateHash(snapshot)).toMatch(/^[0-9a-f]{64}$/u);
  });

  it('covers what was done, what is to be done with which arguments, and what it waits for', () => {
    expect(snapshot).toEqual({
      session_id: SESSION.id,
      turn_id: 'tr_1',
      state: 'CONFIRMING',
      task: 1,
      executed_tools: [{ step: 1, tool: 'read-value', status: 'done' }],
      pending_actions: [{ step: 2, tool: 'write-value', status: 'pending' }],
      pending_parameters: { '2': { args: { value: 3 }, bindings: {} } },
      blocking_cause: 'confirmation c1',
      parked_confirmations: [],
      open_question: null,
      lifespan: { baseMs: 300_000, toolCalls: 0, pendingConfirmations: 1 },
      failures: 0,
    });
  });

  it.each(STATE_HASH_FIELDS)('is another one when %s changes', (field) => {
    expect(stateHash({ ...snapshot, [field]: CHANGED[field] })).not.toBe(stateHash(snapshot));
  });

  it('is the same for the same state, in whatever order its fields stand and whenever it is taken', () => {
    const backwards = Object.fromEntries(Object.entries(snapshot).reverse());
    expect(stateHash({ ...snapshot, ...backwards })).toBe(stateHash(snapshot));
    const stored: SessionRecord = JSON.parse(
      JSON.stringify({ ...session, version: 9, lastActiveAt: '2027-01-01T00:00:00Z' }),
    );
    expect(stateHash(snapshotOf(stored, [...carryOut(ledger, 'a1').actions].reverse()))).toBe(
      stateHash(snapshot),
    );
  });

  it('knows a session at rest, one that waits for an answer, and one that failed', () => {
    const of = (driver: SessionDriver) => snapshotOf({ ...SESSION, state: driver.state }, []);
    const asked = new SessionDriver().take(transcript('tr_1'), UNDERSTOOD, { type: 'question_asked' });
    expect(of(asked).blocking_cause).toBe('answer to turn tr_1');
    const parked = new SessionDriver()
      .take(transcript('tr_1'), UNDERSTOOD, workOrderAsked('c1'))
      .wait(60_000);
    expect(of(parked)).toMatchObject({ blocking_cause: null, parked_confirmations: ['c1'] });
    expect(
      snapshotOf({ ...SESSION, state: restore(state).state }, lead(ledger, 'a1', 'running').actions),
    ).toMatchObject({
      turn_id: null,
      pending_actions: [{ status: 'running' }, { status: 'pending' }],
    });
  });
});
