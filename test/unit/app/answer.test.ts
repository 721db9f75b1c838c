import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { sayReading, sayStatus } from '../../../src/app/answer.ts';
import type { TurnParts } from '../../../src/app/turn.ts';
import { LANGUAGES } from '../../../src/domain/language/language.ts';
import { createPhrasebook, phraseFileSchema } from '../../../src/domain/phrases/phrasebook.ts';
import type { GoodReading, StaleReading } from '../../../src/domain/plc/reading.ts';
import { systemClocks } from '../../../src/runtime/clocks.ts';
import { demoPlant } from '../../support/plant-file.ts';

const shipped = (language: string) =>
  phraseFileSchema.parse(
    parse(readFileSync(new URL(`../../../config/phrases/${language}.yaml`, import.meta.url), 'utf8')),
  );
const parts: TurnParts = {
  plant: demoPlant(),
  reader: { read: async () => [] },
  phrases: createPhrasebook({ en: shipped('en'), zh: shipped('zh') }),
  clocks: { ...systemClocks(), monotonicMs: () => 241_000 },
  status: () => ({ status: 'ok', ready: true, version: '1', uptime_s: 1, parts: [] }),
  examples: { en: [], zh: [] },
};
const stamp = { bootId: 'b', seq: 1 };
const good: GoodReading = {
  ref: { machine: 'machine-12', point: 'temperature' },
  ...stamp,
  atMs: 1_000,
  quality: 'good',
  value: 73,
};
const stale: StaleReading = {
  ...good,
  atMs: 240_000,
  quality: 'stale',
  reason: 'timeout',
  detail: 'no answer',
  last: good,
};
const speed: GoodReading = { ...good, ref: { machine: 'machine-12', point: 'speed' }, value: 1450 };
const OLD_VALUE = /73|seventy|七十三/u;

describe('a stale value', () => {
  it('is said by its age', () => {
    expect(sayReading(stale, parts, 'en')).toBe(
      'machine twelve does not answer. The last value of temperature is four minutes old.',
    );
    expect(sayReading(stale, parts, 'zh')).toBe('十二号机床没有应答，温度上一次的数值是四分钟前的。');
  });

  it.each(LANGUAGES)('is never said as a number, alone or in a status (%s)', (language) => {
    expect(sayReading(stale, parts, language)).not.toMatch(OLD_VALUE);
    const status = sayStatus('machine-12', [stale, speed], parts, language);
    expect(status).not.toMatch(OLD_VALUE);
    expect(status).toMatch(/1450|one thousand|一千四百/u);
    expect(sayStatus('machine-12', [stale], parts, language)).not.toMatch(OLD_VALUE);
  });

  it('is said while it is good', () => {
    expect(sayReading(good, parts, 'en')).toMatch(OLD_VALUE);
  });
});
