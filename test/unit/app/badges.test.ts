import { beforeEach, describe, expect, it } from 'vitest';
import { Badges, type FindPerson } from '../../../src/app/badges.ts';
import { type BadgeMessage, badgeMessageSchema } from '../../../src/domain/gate/badge.ts';
import type { KnownPerson } from '../../../src/domain/gate/role.ts';
import type { Role } from '../../../src/domain/tool/tool-call.ts';
import { HandClock } from '../../support/hand-clock.ts';

const WANG: KnownPerson = { id: 'wang', name: 'Wang', role: 'supervisor' };
const LI: KnownPerson = { id: 'li', name: 'Li', role: 'maintainer' };
const DIRECTORY: readonly (KnownPerson & { readonly badge: string })[] = [
  { ...WANG, badge: '4711' },
  { ...LI, badge: '4712' },
];
const TEN_MINUTES_MS = 600_000;
const STATIONS: ReadonlyMap<string, Role> = new Map([
  ['microphone', 'operator'],
  ['panel', 'guest'],
]);

let clocks: HandClock;
let clock: 'synced' | 'unsynced';
let audit: { kind: string; detail: Readonly<Record<string, unknown>> }[];
let find: FindPerson;
let badges: Badges;
let nth = 0;

beforeEach(() => {
  clocks = new HandClock();
  clock = 'synced';
  audit = [];
  find = async (by) => {
    const found = DIRECTORY.find((each) => ('id' in by ? each.id === by.id : each.badge === by.badge));
    return found === undefined ? undefined : { id: found.id, name: found.name, role: found.role };
  };
  badges = new Badges({
    stationRole: (station) => STATIONS.get(station),
    findPerson: (by) => find(by),
    audit: { append: async (kind, detail) => void audit.push({ kind, detail }) },
    clocks,
    clockState: () => clock,
  });
});

const read = (more: Partial<BadgeMessage>): BadgeMessage => {
  nth += 1;
  return { id: `b${nth}`, station: 'microphone', state: 'in', ...more };
};
const atMicrophone = () => badges.standingAt('microphone');
const NOBODY = { role: 'operator', person: undefined };
const WANG_THERE = { role: 'supervisor', person: { id: 'wang', name: 'Wang' } };

describe('a badge', () => {
  it('raises the role at its station for ten minutes, and at no other', async () => {
    expect(atMicrophone()).toEqual(NOBODY);
    expect(await badges.badge(read({ badge: '4711' }))).toBe('raised');
    expect(atMicrophone()).toEqual(WANG_THERE);
    expect(badges.standingAt('panel')).toEqual({ role: 'guest', person: undefined });
    clocks.pass(TEN_MINUTES_MS - 1);
    expect(atMicrophone()).toEqual(WANG_THERE);
    clocks.pass(1);
    expect(atMicrophone()).toEqual(NOBODY);
  });

  it('of the next person takes the place of the one before, and one read "out" ends it', async () => {
    await badges.badge(read({ person: 'wang' }));
    await badges.badge(read({ person: 'li' }));
    expect(atMicrophone()).toEqual({ role: 'maintainer', person: { id: 'li', name: 'Li' } });
    expect(await badges.badge(read({ person: 'li', state: 'out' }))).toBe('ended');
    expect(atMicrophone()).toEqual(NOBODY);
  });

  it('delivered again does not begin its ten minutes anew', async () => {
    const message = read({ badge: '4711' });
    await badges.badge(message);
    clocks.pass(TEN_MINUTES_MS - 1);
    expect(await badges.badge(message)).toBe('repeated');
    clocks.pass(1);
    expect(atMicrophone()).toEqual(NOBODY);
  });

  it.each([
    ['a person whom nobody knows', { person: 'mallory' }, 'unknown_person'],
    ['a badge that is not the person it names', { person: 'wang', badge: '4712' }, 'unknown_person'],
    ['a known badge and a made-up person', { person: '4711', badge: '4711' }, 'unknown_person'],
    ['a station that the site does not have', { badge: '4711', station: 'canteen' }, 'unknown_station'],
    [
      'a station called like a part of every object',
      { badge: '4711', station: 'constructor' },
      'unknown_station',
    ],
    ['a reading from long ago', { badge: '4711', ts: '2026-01-02T02:00:00Z' }, 'late'],
  ] as const)('counts for nothing with %s', async (_, more, outcome) => {
    expect(await badges.badge(read(more))).toBe(outcome);
    expect(atMicrophone()).toEqual(NOBODY);
  });

  it('is believed whatever its time while the clock of this box is not set', async () => {
    clock = 'unsynced';
    expect(await badges.badge(read({ badge: '4711', ts: '2026-01-02T02:00:00Z' }))).toBe('raised');
  });

  it('that is looked up slowly puts back nobody who has left meanwhile', async () => {
    let answer: (person: KnownPerson) => void = () => undefined;
    find = () => new Promise((resolve) => (answer = resolve));
    const slow = badges.badge(read({ badge: '4711' }));
    await Promise.resolve();
    badges.logout('microphone');
    answer(WANG);
    expect(await slow).toBe('late');
    expect(atMicrophone()).toEqual(NOBODY);
  });

  it('is on record with its outcome, a refused one too', async () => {
    await badges.badge(read({ badge: '4711' }));
    await badges.badge(read({ person: 'mallory' }));
    expect(audit.map(({ kind, detail }) => [kind, detail['outcome'], detail['known']])).toEqual([
      ['badge.read', 'raised', 'wang'],
      ['badge.read', 'unknown_person', 'wang'],
    ]);
  });

  it('takes a role from the directory alone, whatever the message says', async () => {
    const forged = badgeMessageSchema.parse({
      id: 'f',
      station: 'microphone',
      person: 'li',
      role: 'supervisor',
    });
    await badges.badge(forged);
    expect(atMicrophone().role).toBe('maintainer');
  });
});

describe('a login at the panel', () => {
  it('raises the role as a badge does, until it ends', () => {
    badges.login('panel', WANG);
    expect(badges.standingAt('panel')).toEqual(WANG_THERE);
    badges.logout('panel');
    expect(badges.standingAt('panel')).toEqual({ role: 'guest', person: undefined });
    badges.login('panel', WANG);
    clocks.pass(TEN_MINUTES_MS);
    expect(badges.standingAt('panel')).toEqual({ role: 'guest', person: undefined });
  });

  it('is kept for the 200 stations that were used last, however many there are', () => {
    for (let station = 0; station <= 200; station += 1) badges.login(`panel-${station}`, WANG);
    expect(badges.standingAt('panel-0').role).toBe('guest');
    expect(badges.standingAt('panel-200').role).toBe('supervisor');
  });
});
