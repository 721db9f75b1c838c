import { describe, expect, it } from 'vitest';
import { aligned } from '../../../src/commands/aligned.ts';
import { PointTable } from '../../../src/commands/point-table.ts';
import { scanLines } from '../../../src/commands/scan-lines.ts';
import { terminalLine, terminalText } from '../../../src/commands/terminal-text.ts';

const OUTSIDE = 'a\u001b[31mb\u0099c\u202ed\u2028e\r\u00adf\u007f';
const SEEN = 'a[31mbcd ef';

describe('text from outside on a terminal', () => {
  it('does nothing to the terminal', () => {
    expect(terminalLine(OUTSIDE)).toBe(SEEN);
    expect(terminalLine('one\ntwo\tthree')).toBe('one two three');
    expect(terminalText(`${OUTSIDE}\n温度 °C – é 😀`)).toBe(`${SEEN}\n温度 °C – é 😀`);
  });

  it('is as wide as it is seen in columns', () => {
    expect(
      aligned([
        [OUTSIDE, '|'],
        ['x', '|'],
      ]),
    ).toEqual([`${SEEN}  |`, `${'x'.padEnd(SEEN.length)}  |`]);
  });

  it('is nothing else in the table of points', () => {
    const at = '2026-03-01T10:00:00.000Z';
    const point = { machine: 'oven', point: 'door', at, boot_id: 'b', seq: 1 } as const;
    const lines = new PointTable().lines(
      [
        { ...point, quality: 'good', value: `${OUTSIDE}\n` },
        { ...point, quality: 'bad', reason: 'timeout', detail: OUTSIDE },
      ],
      Date.parse(at),
      false,
    );
    expect(lines[0]).toContain(SEEN);
    expect(lines[1]).toContain(SEEN);
    expect(lines.join('')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u);
  });

  it('is nothing else in what a scanned device says it is', () => {
    const lines = scanLines(
      {
        where: '10.0.0.7:502',
        asked: [1],
        answering: [1],
        units: [{ unit_id: 1, identification: [`${OUTSIDE}\nUnit 2`], tables: [] }],
        gateway_refused: [],
        answers_every_unit: false,
        is_one_device: false,
        closes_after_answer: false,
        requests: 1,
        timeouts: 0,
        broken: 0,
        foreign: 0,
        tried_addresses: [0],
        response_ms: null,
        ended_early: null,
      },
      '',
      'tcp',
    );
    expect(lines).toContain(`Unit 1 (${SEEN} Unit 2)`);
  });
});
