import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseReportName, reportName } from '../../../../src/domain/reports/report-name.ts';

const ZONE = 'Asia/Shanghai';
const name = {
  atMs: Date.parse('2026-03-05T06:12:00Z'),
  kind: 'history',
  title: 'machine 12 temperature',
  mark: '0123456789ab',
  format: 'xlsx' as const,
};

describe('the name of a report', () => {
  it('tells when, in the time of the site, what kind, and what about', () => {
    expect(reportName(name, ZONE)).toBe('2026-03-05_14-12_history_machine-12-temperature_0123456789ab.xlsx');
  });

  it('keeps a Chinese title', () => {
    expect(reportName({ ...name, title: '昨天的温度' }, ZONE)).toContain('_昨天的温度_');
  });

  it('comes back as what it was made of', () => {
    expect(parseReportName(reportName(name, ZONE), ZONE)).toEqual(name);
  });

  it('is safe for a file system whatever the title is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (title) => {
        const made = reportName({ ...name, title }, ZONE);
        expect(made).toMatch(/^[\p{L}\p{N}_.-]+$/u);
        expect(made).not.toContain('..');
        expect(Buffer.byteLength(made)).toBeLessThan(255);
        expect(parseReportName(made, ZONE)).toBeDefined();
      }),
    );
  });

  it.each(['../state.db', 'report.xlsx', '2026-03-05_14-12_history_x_0123456789ab.xlsx/../../x', ''])(
    'is not "%s"',
    (other) => {
      expect(parseReportName(other, ZONE)).toBeUndefined();
    },
  );
});
