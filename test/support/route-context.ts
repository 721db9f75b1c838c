import type { PeriodSetting } from '../../src/domain/history/period.ts';
import { shiftCalendarOf } from '../../src/domain/history/shift-calendar.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import type { PeopleView, PersonFound } from '../../src/domain/planning/people-view.ts';
import type { RouteContext } from '../../src/domain/planning/route-by-rules.ts';
import { when } from '../../src/domain/planning/when.ts';
import type { Action, ActionStatus } from '../../src/domain/session/action.ts';
import type { Risk } from '../../src/domain/tool/tool-contract.ts';

/** The risk of every shipped tool that is not `none`. */
const RISKS: Readonly<Record<string, Risk>> = {
  'write-value': 'physical',
  'send-message': 'reversible',
  'create-work-order': 'reversible',
  'close-work-order': 'reversible',
};

/** Thursday, 2026-11-26, 10:30 in Shanghai. */
export const THURSDAY: PeriodSetting = {
  nowMs: Date.parse('2026-11-26T02:30:00Z'),
  timeZone: 'Asia/Shanghai',
  shifts: shiftCalendarOf(['06:00', '14:00', '22:00']),
};

const PEOPLE: Readonly<Record<string, PersonFound>> = {
  'engineer zhang': { kind: 'one', person: { id: 'zhang-wei' }, exact: true },
  张工: { kind: 'one', person: { id: 'zhang-wei' }, exact: true },
  'engineer zhong': { kind: 'one', person: { id: 'zhang-wei' }, exact: false },
  li: {
    kind: 'many',
    candidates: [
      { id: 'li-na', names: { en: 'Li Na', zh: '李娜' } },
      { id: 'li-bo', names: { en: 'Li Bo', zh: '李波' } },
    ],
  },
};

export const people: PeopleView = {
  find: (spoken) => PEOPLE[spoken.toLowerCase()] ?? { kind: 'none', nearest: 'engineer zhang' },
};

/** What a plain turn at a station knows, changed where a test says so. */
export function routeContext(changes: Partial<RouteContext> = {}): RouteContext {
  return {
    understoodBy: 'template',
    readsNoMore: false,
    role: 'operator',
    node: {},
    point: () => undefined,
    fact: () => undefined,
    ledger: ledgerOf([]),
    people,
    when: (words) => when(words, THURSDAY),
    risk: (tool) => RISKS[tool] ?? 'none',
    mayUse: () => true,
    lacks: () => undefined,
    command: (machine, action) =>
      machine === 'motor-a' && action === 'stop' ? { point: 'switch', value: 'off' } : undefined,
    chosen: {},
    slotConfidence: {},
    caller: { person: undefined, station: 'microphone' },
    ...changes,
  };
}

/** A ledger of these actions, the oldest first. */
export function ledgerOf(actions: readonly Action[]): RouteContext['ledger'] {
  return {
    newest: (tools, fits) =>
      actions.findLast((action) => (tools.length === 0 || tools.includes(action.tool)) && fits(action)),
  };
}

export function actionOf(id: string, tool: string, args: JsonObject, status: ActionStatus = 'done'): Action {
  return {
    id,
    sessionId: 's-1',
    turnId: 't-1',
    task: 1,
    step: 1,
    tool,
    args,
    bindings: {},
    dependsOn: [],
    status,
    caller: {
      origin: 'voice',
      station: 'microphone',
      sessionId: 's-1',
      turnId: 't-1',
      role: 'operator',
      person: undefined,
    },
    idempotencyKey: id,
  };
}
