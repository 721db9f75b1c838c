import { describe, expect, it } from 'vitest';
import { spokenAge, wholeUnitsOf } from '../../../../src/domain/phrases/spoken-age.ts';

describe('an age as it is said', () => {
  it.each([
    [0, 'one second', '一秒'],
    [1_999, 'two seconds', '两秒'],
    [60_000, 'one minute', '一分钟'],
    [61_000, 'two minutes', '两分钟'],
    [3_599_000, 'sixty minutes', '六十分钟'],
    [7_200_000, 'two hours', '两小时'],
    [90_000_000, 'two days', '两天'],
  ])('of %d ms is "%s" and "%s", never younger than it is', (ageMs, en, zh) => {
    expect(spokenAge(ageMs, 'en')).toBe(en);
    expect(spokenAge(ageMs, 'zh')).toBe(zh);
  });

  it.each([
    [0, 1_000],
    [1_999, 1_000],
    [119_000, 60_000],
    [8_999_000, 7_200_000],
    [170_000_000, 86_400_000],
  ])('of %d ms is certainly %d ms', (ageMs, certainMs) => {
    expect(wholeUnitsOf(ageMs)).toBe(certainMs);
  });
});
