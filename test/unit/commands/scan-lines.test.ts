import { describe, expect, it } from 'vitest';
import { scanLines } from '../../../src/commands/scan-lines.ts';
import type { ScanFindings } from '../../../src/domain/plc/scan/scan-findings.ts';

const NOTHING: ScanFindings = {
  where: '10.0.0.7:502',
  asked: [1, 2],
  answering: [],
  units: [],
  gateway_refused: [],
  answers_every_unit: false,
  is_one_device: false,
  closes_after_answer: false,
  requests: 4,
  timeouts: 4,
  broken: 0,
  foreign: 0,
  tried_addresses: [0, 1, 100],
  response_ms: null,
  ended_early: null,
};

describe('what a scan says', () => {
  it.each<[string, Partial<ScanFindings>, Parameters<typeof scanLines>[2], RegExp]>([
    ['nothing answers at an open port', {}, 'tcp', /serial frames, try --rtu-over-tcp/u],
    ['nothing answers serial frames', {}, 'rtu_over_tcp', /try without --rtu-over-tcp/u],
    ['something else answers', { timeouts: 0, broken: 4, foreign: 4 }, 'tcp', /is no Modbus TCP/u],
    ['noise on a serial line', { timeouts: 0, broken: 4, foreign: 4 }, 'rtu', /--baud, --parity/u],
    ['it hangs up', { timeouts: 0, broken: 4 }, 'tcp', /closed without an answer/u],
  ])('when %s tells what to try', (_what, change, transport, advice) => {
    expect(scanLines({ ...NOTHING, ...change }, '', transport).join('\n')).toMatch(advice);
  });

  it('does not pass for complete', () => {
    const units = [
      {
        unit_id: 1,
        identification: [],
        tables: [
          {
            register: 'holding' as const,
            outcome: 'readable' as const,
            area: { first: 0, last: 9, goes_on: false },
            most_per_request: null,
            exceptions: {},
          },
        ],
      },
    ];
    const text = scanLines({ ...NOTHING, answering: [1], units }, 'connections:', 'tcp').join('\n');
    expect(text).toContain('0-9  no limit on registers per request found');
    expect(text).toContain('Tried in each table: 0, 1, 100. Only what lies next to these is found');
    expect(text).toContain('test it with plant watch FILE');
  });
});
