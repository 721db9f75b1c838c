import type { Action } from '../../src/domain/session/action.ts';
import { newLifespan } from '../../src/domain/session/lifespan.ts';
import type { SessionMessage, SessionRecord } from '../../src/domain/session/session-record.ts';
import { IDLE_SESSION } from '../../src/domain/session/session-state.ts';

/** A session's first version, with what a test wants otherwise. */
export function sessionRecord(id: string, given: Partial<SessionRecord> = {}): SessionRecord {
  return {
    id,
    station: 'line-1',
    userId: undefined,
    version: 1,
    state: IDLE_SESSION,
    task: 1,
    lifespan: newLifespan(),
    createdAt: '2026-01-02T03:04:05.000Z',
    lastActiveAt: '2026-01-02T03:04:05.000Z',
    bootId: 'boot-1',
    summary: '',
    open: undefined,
    memoryRefs: [],
    meta: {},
    archivedAt: undefined,
    ...given,
  };
}

export function actionRecord(id: string, sessionId: string, given: Partial<Action> = {}): Action {
  return {
    id,
    sessionId,
    turnId: 'tr_1',
    task: 1,
    step: 1,
    tool: 'read-value',
    args: { machine: 'oven-1', point: '温度' },
    bindings: {},
    dependsOn: [],
    status: 'pending',
    caller: {
      origin: 'voice',
      station: 'line-1',
      sessionId,
      turnId: 'tr_1',
      role: 'operator',
      person: undefined,
    },
    idempotencyKey: `key-${id}`,
    ...given,
  };
}

export function messageRecord(seq: number, content: string): SessionMessage {
  return {
    seq,
    turnId: 'tr_1',
    role: 'person',
    source: 'voice',
    content,
    at: '2026-01-02T03:04:05.000Z',
    tokens: 3,
    isProtected: false,
  };
}
