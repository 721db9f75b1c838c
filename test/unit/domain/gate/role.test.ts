import { describe, expect, it } from 'vitest';
import {
  beyondReach,
  hasRole,
  isPersonOrigin,
  mayUse,
  standingOf,
} from '../../../../src/domain/gate/role.ts';
import { ROLES } from '../../../../src/domain/tool/tool-call.ts';

const person = { id: 'wang', name: 'Wang' };

describe('roles', () => {
  it('include those before them', () => {
    for (const [i, role] of ROLES.entries())
      expect(ROLES.filter((needed) => hasRole(role, needed))).toEqual(ROLES.slice(0, i + 1));
  });

  it('are asked for by the access level, CRITICAL with a name', () => {
    const may = (role: (typeof ROLES)[number], who: typeof person | undefined) =>
      (['PUBLIC', 'INTERNAL', 'CRITICAL'] as const).filter((access) => mayUse(access, { role, person: who }));
    expect(may('guest', undefined)).toEqual(['PUBLIC']);
    expect(may('guest', person)).toEqual(['PUBLIC']);
    expect(may('operator', undefined)).toEqual(['PUBLIC', 'INTERNAL']);
    expect(may('supervisor', undefined)).toEqual(['PUBLIC', 'INTERNAL']);
    expect(may('operator', person)).toEqual(['PUBLIC', 'INTERNAL', 'CRITICAL']);
  });
});

describe('the data of a tool', () => {
  it.each([
    [['plant', 'history'], undefined, []],
    [['plant', 'history'], ['history', 'plant', 'node'], []],
    [['plant', 'history'], ['plant'], ['history']],
    [['plant'], ['node'], ['plant']],
    [[], ['node'], []],
  ] as const)('%j lies for whoever may reach %j beyond in %j', (data, reach, beyond) => {
    expect(beyondReach(data, reach)).toEqual(beyond);
  });
});

describe('whoever is at a station', () => {
  it('has its role, or that of the person who is known there, if that is no less', () => {
    expect(standingOf('operator', undefined)).toEqual({ role: 'operator', person: undefined });
    expect(standingOf('guest', { ...person, role: 'supervisor' })).toEqual({ role: 'supervisor', person });
    expect(standingOf('operator', { ...person, role: 'operator' })).toEqual({ role: 'operator', person });
  });

  it("gets no name for CRITICAL from a visitor's badge", () => {
    expect(standingOf('operator', { ...person, role: 'guest' })).toEqual({
      role: 'operator',
      person: undefined,
    });
  });

  it('is a person only at a microphone, the command line or the panel', () => {
    expect((['voice', 'ask', 'panel'] as const).every(isPersonOrigin)).toBe(true);
    expect((['mqtt', 'mcp', 'rule', 'workflow', 'model', 'alarm'] as const).some(isPersonOrigin)).toBe(false);
  });
});
