import { beforeAll, describe, expect, it } from 'vitest';
import { loadPinyin } from '../../../../src/adapters/speech/load-pinyin.ts';
import { speechRuns, type ToPinyin } from '../../../../src/adapters/speech/speech-runs.ts';
import type { Language } from '../../../../src/domain/language/language.ts';

let toPinyin: ToPinyin;
beforeAll(async () => {
  toPinyin = await loadPinyin();
});

function runs(text: string, language: Language): readonly (readonly [Language, string])[] {
  return speechRuns(text, language, toPinyin).map((run) => [run.voice, run.text] as const);
}

describe('a Chinese line', () => {
  it('is given to the voice as pinyin with tone numbers, never as characters', () => {
    expect(runs('锅炉温度五十七点五度。', 'zh')).toEqual([
      ['zh', 'guo1 lu2 wen1 du4 wu3 shi2 qi1 dian3 wu3 du4 。'],
    ]);
  });

  it('has v for ü and 5 for the neutral tone', () => {
    expect(runs('绿色的', 'zh')).toEqual([['zh', 'lv4 se4 de5']]);
  });

  it.each([
    ['a machine number', '3号泵', 'san1 hao4 beng4'],
    ['a decimal', '压力5.2巴', 'ya1 li4 wu3 dian3 er4 ba1'],
    ['a negative', '温度 -5 度', 'wen1 du4 fu4 wu3 du4'],
    ['a percentage', '液位50%', 'ye4 wei4 bai3 fen1 zhi1 wu3 shi2'],
    ['a degree sign', '57°C', 'wu3 shi2 qi1 du4'],
  ])('has the number of %s in words', (_, text, pinyin) => {
    expect(runs(text, 'zh')).toEqual([['zh', pinyin]]);
  });

  it('spells codes letter by letter and digit by digit', () => {
    expect(runs('PLC 故障 E-203', 'zh')).toEqual([['zh', 'P L C gu4 zhang4 E - er4 ling2 san1']]);
  });

  it('leaves a foreign word to the English voice', () => {
    expect(runs('Hermes 已就绪', 'zh')).toEqual([
      ['en', 'Hermes'],
      ['zh', 'yi3 jiu4 xu4'],
    ]);
  });
});

describe('an English line', () => {
  it('goes to the English voice as it is', () => {
    expect(runs('Pump 3 is at 57.5 degrees.', 'en')).toEqual([['en', 'Pump 3 is at 57.5 degrees.']]);
  });

  it('leaves a Chinese name to the Chinese voice', () => {
    expect(runs('Alarm from 锅炉 is over.', 'en')).toEqual([
      ['en', 'Alarm from '],
      ['zh', 'guo1 lu2'],
      ['en', ' is over.'],
    ]);
  });
});

describe('a line without anything to pronounce', () => {
  it('has no runs', () => {
    expect(runs('… !', 'en')).toEqual([]);
    expect(runs('。，', 'zh')).toEqual([]);
  });
});
