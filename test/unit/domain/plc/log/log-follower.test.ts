import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CycleOutcome,
  LogFollower,
  type LogGap,
} from '../../../../../src/domain/plc/log/log-follower.ts';
import type { RingLayout } from '../../../../../src/domain/plc/log/log-layout.ts';
import { fingerprint } from '../../../../../src/domain/plc/log/ring-arithmetic.ts';
import { ModelRing, numberOf, ringLayout } from '../../../../support/model-ring.ts';

type Heard = { readonly record: number | undefined } | { readonly gap: LogGap };

/** Follows a ring; `between` happens before each request. */
class Follow {
  readonly heard: Heard[] = [];
  readonly ring: ModelRing;
  readonly #layout: RingLayout;
  readonly #kept: [slot: number, content: string][] = [];
  #follower: LogFollower;
  requests = 0;

  constructor(layout: RingLayout, ring: ModelRing) {
    this.ring = ring;
    this.#layout = layout;
    this.#follower = new LogFollower(layout, { chunkRecords: 4 });
  }

  cycle(between: () => void = () => undefined): CycleOutcome {
    const steps = this.#follower.cycle();
    let step = steps.next();
    while (step.done !== true) {
      between();
      this.requests += 1;
      step = steps.next(this.ring.answer(step.value));
    }
    const outcome = step.value;
    if (outcome.gap !== undefined) this.heard.push({ gap: outcome.gap });
    for (const { slot, words } of outcome.records) {
      this.heard.push({ record: numberOf(words) });
      this.#kept.push([slot, fingerprint(words)]);
    }
    this.#follower.commit(outcome);
    return outcome;
  }

  drain(): void {
    this.ring.finishRecord();
    for (let quiet = 0, n = 0; quiet < 6 && n < 100; n += 1) {
      const { more, records } = this.cycle();
      quiet = more || records.length > 0 ? 0 : quiet + 1;
    }
  }

  /** The daemon ends and starts again with what the store kept. */
  restartDaemon(): void {
    const seen = this.#kept.slice(-this.#layout.capacity);
    this.#follower = new LogFollower(this.#layout, { chunkRecords: 4, cursor: this.#follower.cursor, seen });
  }

  get records(): (number | undefined)[] {
    return this.heard.flatMap((each) => ('record' in each ? [each.record] : []));
  }

  get gaps(): LogGap[] {
    return this.heard.flatMap((each) => ('gap' in each ? [each.gap] : []));
  }
}

function following(given: Partial<RingLayout> = {}, startAt = 0): Follow {
  const layout = ringLayout(given);
  return new Follow(layout, new ModelRing({ layout, startAt }));
}

const to = (last: number, first = 1): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** Whole, in order, none twice; what was skipped is what was counted. */
function expectHonest(heard: readonly Heard[], written: number): void {
  let last = 0;
  let known: LogGap | undefined;
  for (const each of heard) {
    if ('gap' in each) {
      known = {
        ...each.gap,
        lost: each.gap.lost + (known?.lost ?? 0),
        exact: each.gap.exact && known?.exact !== false,
      };
      continue;
    }
    if (each.record === undefined) throw new Error('a torn record was delivered');
    const skipped = each.record - last - 1;
    expect(skipped).toBeGreaterThanOrEqual(0);
    expectCounted(skipped, known);
    known = undefined;
    last = each.record;
  }
  expectCounted(written - last, known);
}

function expectCounted(skipped: number, gap: LogGap | undefined): void {
  if (gap?.exact === false) expect(skipped).toBeGreaterThanOrEqual(gap.lost);
  else expect(skipped).toBe(gap?.lost ?? 0);
}

describe('following a ring of records', () => {
  it('delivers what is there at the first start, then each new record once', () => {
    const follow = following();
    follow.ring.write(3);
    follow.drain();
    follow.ring.write(4);
    follow.drain();
    follow.ring.write(7);
    follow.drain();
    expect(follow.heard).toEqual(to(14).map((record) => ({ record })));
  });

  it('delivers only what comes after the first start when told so', () => {
    const follow = following({ onFirstStart: 'new' });
    follow.ring.write(7);
    follow.drain();
    follow.ring.write(2);
    follow.drain();
    expect(follow.records).toEqual([8, 9]);
  });

  it('asks for the head and the last record only while nothing is new', () => {
    const follow = following();
    follow.ring.write(3);
    follow.drain();
    follow.requests = 0;
    follow.cycle();
    expect(follow.requests).toBe(2);
  });

  it('counts exactly what a counting head shows to be overwritten', () => {
    const follow = following({ headCounts: 'records' });
    follow.ring.write(5);
    follow.drain();
    follow.ring.write(42);
    follow.drain();
    expect(follow.gaps).toEqual([{ kind: 'overrun', lost: 33, exact: true }]);
    expect(follow.records).toEqual([...to(5), ...to(47, 39)]);
  });

  it('sees a lap behind a slot head that stands where it stood, and says "at least"', () => {
    const follow = following();
    follow.ring.write(5);
    follow.drain();
    follow.ring.write(20);
    follow.drain();
    expect(follow.gaps).toEqual([{ kind: 'overrun', lost: 1, exact: false }]);
    expect(follow.records).toEqual([...to(5), ...to(25, 17)]);
  });

  it('goes on over the end of a counter', () => {
    const follow = following({ headCounts: 'records', capacity: 16 }, 0xfffe);
    follow.ring.write(1);
    follow.drain();
    follow.ring.write(5);
    follow.drain();
    expect(follow.heard).toEqual(to(6).map((record) => ({ record })));
  });

  it.each(['slot', 'records'] as const)('takes no restart of a PLC for a loss (%s head)', (headCounts) => {
    for (const clears of [true, false]) {
      for (const records of [1, 3, 8]) {
        const follow = following({ headCounts });
        follow.ring.write(18);
        follow.drain();
        const before = follow.records.length;
        follow.ring.restart(clears);
        follow.ring.write(records);
        follow.drain();
        expect(follow.gaps, `${clears} ${records}`).toEqual([{ kind: 'restarted', lost: 0, exact: false }]);
        expect(follow.records.slice(before)).toEqual(to(18 + records, 19));
      }
    }
  });

  it('takes a PLC that restarted and came exactly as far as before for one that restarted', () => {
    const follow = following({ headCounts: 'records' });
    follow.ring.write(3);
    follow.drain();
    follow.ring.restart(true);
    follow.ring.write(3);
    follow.drain();
    expect(follow.gaps).toEqual([{ kind: 'restarted', lost: 0, exact: false }]);
    expect(follow.records).toEqual(to(6));
  });

  it('calls a head that no slot has a fault, and takes no record from it', () => {
    const follow = following();
    const steps = new LogFollower(ringLayout(), { chunkRecords: 4 }).cycle();
    steps.next();
    const result = steps.next(11);
    expect(result.done && result.value.fault).toContain('the head reads 11, outside 0 to 9');
    expect(follow.records).toEqual([]);
  });

  it('believes the second look at a counter of two registers that was read while it was written', () => {
    const follow = following({ headCounts: 'records', headRange: 2 ** 32 });
    follow.ring.write(3);
    follow.drain();
    follow.ring.write(1);
    const steps = new LogFollower(ringLayout({ headCounts: 'records', headRange: 2 ** 32 }), {
      chunkRecords: 4,
      cursor: { next: 3, epoch: 0, anchor: '000300000003' + '5a5a' },
    }).cycle();
    let step = steps.next();
    let looks = 0;
    while (step.done !== true) {
      const isHead = step.value.kind === 'head';
      looks += isHead ? 1 : 0;
      step = steps.next(isHead && looks === 1 ? 0x1_0003 : follow.ring.answer(step.value));
    }
    expect(step.value.gap).toBeUndefined();
    expect(step.value.records.map(({ words }) => numberOf(words))).toEqual([4]);
  });

  const layouts = fc.record({
    capacity: fc.constantFrom(2, 3, 4, 8, 10, 16),
    headCounts: fc.constantFrom('slot' as const, 'records' as const),
    headRange: fc.constantFrom(0x1_0000, 2 ** 32),
    headPointsTo: fc.constantFrom('next' as const, 'newest' as const),
    headBase: fc.constantFrom(0 as const, 1 as const),
  });
  /** Registers written before each request, over and over. */
  const paces = fc.array(fc.oneof(fc.constant(0), fc.nat(4), fc.nat(60), fc.nat(400)), {
    minLength: 1,
    maxLength: 40,
  });

  it('delivers every record once and in order, or counts it, whenever the PLC writes', () => {
    fc.assert(
      fc.property(
        layouts,
        fc.boolean(),
        fc.nat(30),
        paces,
        fc.nat(60),
        (given, isHeadFirst, first, pace, cycles) => {
          const layout = ringLayout({ ...given, settleRecords: isHeadFirst && given.capacity > 2 ? 1 : 0 });
          const ring = new ModelRing({ layout, isHeadFirst: layout.settleRecords === 1 });
          const follow = new Follow(layout, ring);
          ring.write(layout.headPointsTo === 'newest' ? Math.max(1, first) : first);
          follow.drain();
          const firstSeen = follow.records[0] ?? 1;
          let at = 0;
          for (let n = 0; n < cycles; n += 1) {
            if (n % 7 === 6) follow.restartDaemon();
            follow.cycle(() => {
              for (let steps = pace[at++ % pace.length] ?? 0; steps > 0; steps -= 1) ring.step();
            });
          }
          follow.drain();
          // What was overwritten before the first look was never this log's.
          expectHonest(
            follow.heard.map((each) =>
              'record' in each && each.record !== undefined ? { record: each.record - firstSeen + 1 } : each,
            ),
            ring.written - firstSeen + 1,
          );
        },
      ),
      { numRuns: Number(process.env['RUNS'] ?? 600) },
    );
  });

  it('delivers none twice, none torn and none out of order when the PLC restarts at any moment', () => {
    const happenings = fc.array(
      fc.oneof(
        // No PLC restarts and fills its ring again between two requests.
        { weight: 8, arbitrary: fc.nat(10) },
        { weight: 1, arbitrary: fc.constantFrom('clear' as const, 'keep' as const) },
      ),
      { minLength: 1, maxLength: 60 },
    );
    fc.assert(
      fc.property(layouts, fc.nat(30), happenings, (given, first, happens) => {
        const layout = ringLayout({ ...given, capacity: 4 * given.capacity });
        const follow = new Follow(layout, new ModelRing({ layout }));
        follow.ring.write(first + 1);
        follow.drain();
        let at = 0;
        while (at < happens.length) {
          if (happens[at] === 'keep') {
            follow.drain();
            follow.ring.restart(false);
            at += 1;
          }
          follow.cycle(() => {
            const next = happens[at++] ?? 0;
            if (next === 'clear') follow.ring.restart(true);
            else for (let steps = Number(next); steps > 0; steps -= 1) follow.ring.step();
          });
        }
        follow.drain();
        const records = follow.records;
        expect(records).not.toContain(undefined);
        for (const [index, record] of records.entries())
          if (index > 0) expect(record ?? 0).toBeGreaterThan(records[index - 1] ?? 0);
      }),
      { numRuns: Number(process.env['RUNS'] ?? 600) },
    );
  });
});
