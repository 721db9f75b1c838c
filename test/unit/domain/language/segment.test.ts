import { describe, expect, test } from 'vitest';
import { segment } from '../../../../src/domain/language/segment.ts';

describe('cutting a run of characters into known words', () => {
  const known = new Set(['十', '二', '号', '机床', '机', '床', '冷却', '水', '冷却水', '泵', '输送带']);

  test('takes the fewest words', () => {
    expect(segment('十二号机床', known)).toEqual({ words: ['十', '二', '号', '机床'], unknown: [] });
    expect(segment('冷却水泵', known).words).toEqual(['冷却水', '泵']);
  });

  test('names the stretches no word covers, each once and whole', () => {
    expect(segment('二号高压水泵', known)).toEqual({
      words: ['二', '号', '高压', '水', '泵'],
      unknown: ['高压'],
    });
    expect(segment('磨床', new Set(['号']))).toEqual({ words: ['磨床'], unknown: ['磨床'] });
  });

  test('prefers a cut that covers everything to one with longer words', () => {
    expect(segment('甲乙丙', new Set(['甲乙', '甲', '乙丙']))).toEqual({
      words: ['甲', '乙丙'],
      unknown: [],
    });
  });
});
