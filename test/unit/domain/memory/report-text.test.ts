import { describe, expect, it } from 'vitest';
import type { DiagnosisReport } from '../../../../src/domain/memory/diagnosis-report.ts';
import { PastCases } from '../../../../src/domain/memory/past-cases.ts';
import { parseReport, reportMarkdown, reportPath } from '../../../../src/domain/memory/report-text.ts';

const report: DiagnosisReport = {
  id: 'ab12',
  machine: 'pump-7',
  code: 'E-203',
  day: '2026-11-30',
  at: '2026-11-30T08:15:00+08:00',
  session: 's-1',
  confirmedBy: 'zhang-wei@maintenance',
  texts: {
    en: { cause: 'The bearing ran dry; Zhang Wei heard it.', done: ['Stopped the pump.', 'Greased it.'] },
    zh: { cause: '轴承缺油，张伟听到异响。', done: ['停泵。', '加油。'] },
  },
};
const asIs = { text: (text: string) => text, person: (id: string) => id };
const names = {
  text: (text: string) => text.replace(/Zhang Wei|张伟/gu, 'p-1'),
  person: () => 'p-1',
};

describe('a report', () => {
  it('is Markdown with front matter, in both languages, without a name of a person', () => {
    expect(reportMarkdown(report, names)).toBe(`---
id: "ab12"
machine: "pump-7"
code: "E-203"
day: "2026-11-30"
at: "2026-11-30T08:15:00+08:00"
session: "s-1"
confirmed_by: "p-1"
---

# pump-7: E-203

## Cause

The bearing ran dry; p-1 heard it.

## What was done

1. Stopped the pump.
2. Greased it.

## 原因

轴承缺油，p-1听到异响。

## 处理

1. 停泵。
2. 加油。
`);
  });

  it('stands below its year, under its day, machine and id', () => {
    expect(reportPath(report)).toBe('reports/2026/2026-11-30-pump-7-ab12.md');
  });

  it('is read back as it was', () => {
    expect(parseReport(reportMarkdown(report, asIs))).toEqual(report);
  });

  it.each([
    ['--- not the end\n## Cause', '--- not the end ## Cause'],
    ['# 1. \\ "quoted": {x}', '# 1. \\ "quoted": {x}'],
    ['1. first', '1. first'],
    ['- item', '- item'],
  ])('has no text that becomes part of its form: %j', (cause, read) => {
    const odd = { ...report, texts: { en: { cause, done: [cause] } } };
    expect(parseReport(reportMarkdown(odd, asIs))?.texts).toEqual({ en: { cause: read, done: [read] } });
  });

  it('is read with front matter as people write it, and without what is left out', () => {
    const text =
      '---\r\nid: x1\r\nmachine: pump-7\r\nday: 2026-11-30\r\nat: 2026-11-30T08:15:00Z\r\nconfirmed_by: p-1\r\nmood: good\r\n---\r\n## Cause\r\nDry.\r\n';
    expect(parseReport(text)).toEqual({
      id: 'x1',
      machine: 'pump-7',
      day: '2026-11-30',
      at: '2026-11-30T08:15:00Z',
      confirmedBy: 'p-1',
      texts: { en: { cause: 'Dry.', done: [] } },
    });
  });

  it.each([
    ['no front matter', '# A page\n'],
    ['no text', '---\nid: x1\nmachine: m\nday: 2026-11-30\nat: 2026-11-30T08:15:00Z\nconfirmed_by: p\n---\n'],
    ['an id that is a path', reportMarkdown({ ...report, id: '../x' }, asIs)],
    ['a day that is none', reportMarkdown({ ...report, day: '2026-13-01' }, asIs)],
  ])('is none with %s', (_what, text) => {
    expect(parseReport(text)).toBeUndefined();
  });
});

describe('past cases', () => {
  const other: DiagnosisReport = {
    ...report,
    id: 'cd34',
    machine: 'press-2',
    code: undefined,
    texts: { en: { cause: 'The filter was clogged.', done: [] } },
  };
  const cases = new PastCases([report, other]);

  it.each([
    ['dry bearing', ['ab12']],
    ['轴承缺油', ['ab12']],
    ['E-203', ['ab12']],
    ['press 2', ['cd34']],
    ['quantum', []],
  ])('are found by "%s"', (words, ids) => {
    expect(cases.find(words, 3).map(({ id }) => id)).toEqual(ids);
  });
});
