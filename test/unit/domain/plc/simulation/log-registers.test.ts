import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeRecord } from '../../../../../src/domain/plc/log/decode-record.ts';
import { decodePlcTime } from '../../../../../src/domain/plc/log/plc-time.ts';
import { headWords, recordWords, timeWords } from '../../../../../src/domain/plc/simulation/log-registers.ts';
import { LogRing } from '../../../../../src/domain/plc/simulation/log-ring.ts';
import { demoPlant } from '../../../../support/plant-file.ts';

describe('the log of a simulated PLC', () => {
  it('puts each new record in the place of the oldest', () => {
    const ring = new LogRing(3);
    for (let value = 1; value <= 5; value += 1) ring.append({ atS: value, code: 1, value });
    expect([0, 1, 2].map((slot) => ring.at(slot)?.sequence)).toEqual([4, 5, 3]);
    expect(ring.written).toBe(5);
  });

  it.each(['machine-12', 'oven-1'])('says of %s what its plant file says it says', (machine) => {
    const log = demoPlant().machine(machine)?.logs.get('events');
    if (log === undefined) throw new Error('no log');
    const ring = new LogRing(log.layout.capacity);
    const atS = Date.UTC(2026, 5, 7, 8, 9, 10) / 1000;
    ring.append({ atS, code: 3, value: 95.5 });
    expect(decodeRecord(recordWords(ring.at(0), log, 0), log)).toMatchObject({
      time: { atMs: atS * 1000 },
      sequence: 1,
      code: 3,
      values: { value: 95.5 },
      badFields: [],
    });
    expect(recordWords(ring.at(1), log, 0)).toEqual(new Array(log.layout.recordRegisters).fill(0));
    expect(headWords(ring, log)).toEqual([1]);
  });

  it('counts its head as the plant file says', () => {
    const log = demoPlant().machine('machine-12')?.logs.get('events');
    if (log === undefined) throw new Error('no log');
    const ring = new LogRing(64);
    for (let value = 0; value < 70; value += 1) ring.append({ atS: 0, code: 1, value });
    const head = (layout: Partial<typeof log.layout>) =>
      headWords(ring, { ...log, layout: { ...log.layout, ...layout } });
    expect(head({})).toEqual([70]);
    expect(head({ headPointsTo: 'newest' })).toEqual([69]);
    expect(head({ headCounts: 'slot' })).toEqual([6]);
    expect(head({ headCounts: 'slot', headPointsTo: 'newest', headBase: 1 })).toEqual([6]);
    expect(head({ headRange: 64 })).toEqual([6]);
  });

  it('writes times that are read back, in every format, zone and byte order', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('unix_s', 'unix_ms', 'bcd_datetime', 'bcd_ymdhms', 'y_m_d_h_m_s'),
        fc.constantFrom<'utc' | number>('utc', 480, -210),
        fc.constantFrom('ABCD', 'CDAB', 'BADC', 'DCBA'),
        fc.integer({ min: Date.UTC(1995) / 1000, max: Date.UTC(2085) / 1000 }),
        (format, zone, byteOrder, atS) => {
          const time = { format, zone, byteOrder } as const;
          expect(decodePlcTime(timeWords(atS, time, 0), time)?.atMs).toBe(atS * 1000);
        },
      ),
    );
    const uptime = { format: 'uptime_ms', zone: 'utc', byteOrder: 'CDAB' } as const;
    expect(decodePlcTime(timeWords(1000.25, uptime, 990), uptime)?.uptimeMs).toBe(10_250);
  });
});
