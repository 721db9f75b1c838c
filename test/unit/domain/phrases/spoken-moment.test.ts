import { describe, expect, it } from 'vitest';
import { spokenMoment } from '../../../../src/domain/phrases/spoken-moment.ts';

const ZONE = 'Asia/Shanghai';
const now = Date.parse('2026-03-05T08:00:00Z');
const said = (at: string, language: 'en' | 'zh') => spokenMoment(Date.parse(at), now, ZONE, language);

describe('a moment', () => {
  it.each([
    ['2026-03-05T06:05:00Z', 'at fourteen oh five', '十四点零五分'],
    ['2026-03-04T16:00:00Z', 'at zero hours', '零点'],
    ['2026-03-04T15:59:00Z', 'yesterday at twenty three fifty nine', '昨天二十三点五十九分'],
    ['2026-03-03T06:05:00Z', 'on March third at fourteen oh five', '三月三日十四点零五分'],
    ['2026-02-21T00:30:00Z', 'on February twenty first at eight thirty', '二月二十一日八点三十分'],
    [
      '2025-12-30T00:00:00Z',
      'on December thirtieth two thousand twenty five at eight hours',
      '二零二五年十二月三十日八点',
    ],
  ])('is said by the days of the site: %s', (at, en, zh) => {
    expect(said(at, 'en')).toBe(en);
    expect(said(at, 'zh')).toBe(zh);
  });

  it('has words for every day of a month', () => {
    for (let day = 1; day <= 31; day += 1)
      expect(said(`2026-01-${String(day).padStart(2, '0')}T01:00:00Z`, 'en')).toMatch(
        /^on January [a-z]+( [a-z]+)? at nine hours$/u,
      );
  });
});
