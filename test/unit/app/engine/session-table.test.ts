import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Departure, SessionTable } from '../../../../src/app/engine/session-table.ts';
import { HandTime } from '../../../support/hand-time.ts';

interface Session {
  readonly id: string;
  readonly station: string;
  isBusy: boolean;
}

const MINUTE_MS = 60_000;

let time: HandTime;
let left: [station: string, why: Departure][];
let table: SessionTable<Session>;

beforeEach(() => {
  time = new HandTime();
  left = [];
  table = tableOf(4);
});

function tableOf(most: number): SessionTable<Session> {
  return new SessionTable<Session>(
    { most },
    {
      clocks: time,
      scheduler: time,
      onLeft: ({ station }, why) => left.push([station, why]),
      isBusy: ({ isBusy }) => isBusy,
    },
  );
}

function add(station: string, isBusy = false): Session {
  const session = { id: randomUUID(), station, isBusy };
  table.add(session);
  return session;
}

describe('the table of sessions', () => {
  it('finds a session by its id and by its station', () => {
    const [one, other] = [add('line-1'), add('line-2')];
    expect(table.byId(one.id)).toBe(one);
    expect(table.ofStation('line-2')).toBe(other);
    expect(table.ofStation('line-3')).toBeUndefined();
    expect(table.byId('guess')).toBeUndefined();
  });

  it('opens no conversation of another station to who knows its id', () => {
    const session = add('line-1');
    expect(table.byId(session.id, 'line-1')).toBe(session);
    expect(table.byId(session.id, 'line-2')).toBeUndefined();
  });

  it('gives a station the session that it opened last', () => {
    const before = add('line-1');
    const now = add('line-1');
    expect(table.ofStation('line-1')).toBe(now);
    expect(table.byId(before.id)).toBe(before);
    table.remove(before.id);
    expect(table.ofStation('line-1')).toBe(now);
  });

  it('lets a session go that nobody has used for 15 minutes, without anybody asking for it', () => {
    add('line-1');
    time.pass(15 * MINUTE_MS - 1);
    expect(left).toEqual([]);
    time.pass(1);
    expect(left).toEqual([['line-1', 'idle']]);
    expect(table.size).toBe(0);
  });

  it('renews a session with each use, by id or by station', () => {
    const session = add('line-1');
    for (let turn = 0; turn < 10; turn += 1) {
      time.pass(14 * MINUTE_MS);
      expect(turn % 2 === 0 ? table.byId(session.id) : table.ofStation('line-1')).toBe(session);
    }
    time.pass(15 * MINUTE_MS);
    expect(left).toEqual([['line-1', 'idle']]);
  });

  it('keeps one that is in the middle of something, and lets it go 15 minutes later at the latest', () => {
    const session = add('line-1', true);
    time.pass(40 * MINUTE_MS);
    expect(left).toEqual([]);
    session.isBusy = false;
    time.pass(15 * MINUTE_MS);
    expect(left).toEqual([['line-1', 'idle']]);
  });

  it('gives the place of the one used longest ago to another, never that of a busy one', () => {
    add('line-1', true);
    const second = add('line-2');
    for (const station of ['line-3', 'line-4']) add(station);
    table.byId(second.id);
    add('line-5');
    expect(left).toEqual([['line-3', 'crowded']]);
    expect(table.size).toBe(4);
  });

  it('says when all places are taken by busy ones, and takes nothing', () => {
    for (const station of ['1', '2', '3', '4']) add(station, true);
    expect(() => add('5')).toThrow(expect.objectContaining({ code: 'SESSIONS_FULL', retry: 'safe' }));
    expect(table.all().map(({ station }) => station)).toEqual(['1', '2', '3', '4']);
    expect(left).toEqual([]);
  });

  it('is told of each departure once, and leaves no timer behind', () => {
    const session = add('line-1');
    expect(table.remove(session.id)).toBe(true);
    expect(table.remove(session.id)).toBe(false);
    time.pass(60 * MINUTE_MS);
    expect(left).toEqual([['line-1', 'removed']]);
    expect(time.timers).toBe(0);
    add('line-2');
    table.close();
    expect(time.timers).toBe(0);
  });

  it('holds what a plain list would hold, whatever comes', () => {
    const event = fc.oneof(
      fc.record({ kind: fc.constant('add' as const), station: fc.constantFrom('a', 'b', 'c') }),
      fc.record({ kind: fc.constant('use' as const), station: fc.constantFrom('a', 'b', 'c') }),
      fc.record({ kind: fc.constant('pass' as const), minutes: fc.integer({ min: 1, max: 16 }) }),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (events) => {
        time = new HandTime();
        table = tableOf(3);
        let list: { session: Session; atMs: number }[] = [];
        for (const each of events) {
          if (each.kind === 'pass') time.pass(each.minutes * MINUTE_MS);
          list = list.filter(({ atMs }) => time.monotonicMs() - atMs < 15 * MINUTE_MS);
          if (each.kind === 'add') {
            if (list.length === 3) list.shift();
            list.push({ session: add(each.station), atMs: time.monotonicMs() });
          } else if (each.kind === 'use') {
            // The newest of the station, if it is still here; an older one is found by its id only.
            const newest = [...list]
              .reverse()
              .find(({ session }) => session === table.ofStation(each.station));
            if (newest !== undefined)
              list = [...list.filter((entry) => entry !== newest), { ...newest, atMs: time.monotonicMs() }];
          }
          expect(table.all()).toEqual(list.map(({ session }) => session));
        }
        table.close();
      }),
    );
  });
});
