import { describe, expect, it } from 'vitest';
import { isKeyFact, keySignals } from '../../../../src/domain/memory/key-fact.ts';

describe('a key fact', () => {
  it.each([
    ['the seal was not changed yesterday', ['time', 'negation']],
    ['it drops by 2.5 bar every night', ['time', 'quantity']],
    ['never run it above ninety percent', ['quantity', 'negation']],
    ['this noise is terrible, nobody fixed it', ['negation', 'emotion']],
  ])('%s', (text, signals) => {
    expect(keySignals(text, 'en')).toEqual(signals);
    expect(isKeyFact(text, 'en')).toBe(true);
  });

  it.each([
    ['昨天没有更换密封件', ['time', 'negation']],
    ['夜班压力下降两点五巴', ['time', 'quantity']],
    ['不能超过九十度', ['quantity', 'negation']],
    ['这个噪音受不了，没人修', ['negation', 'emotion']],
  ])('%s', (text, signals) => {
    expect(keySignals(text, 'zh')).toEqual(signals);
    expect(isKeyFact(text, 'zh')).toBe(true);
  });

  it.each([
    ['pump seven runs hot after cleaning', 'en'],
    ['the seal kits are in cabinet four', 'en'],
    ['we met yesterday', 'en'],
    ['the notice board is in room nine', 'en'],
    ['七号泵清洗后发热', 'zh'],
    ['备件放在三号柜', 'zh'],
    ['不锈钢管在三号柜', 'zh'],
    ['别的都好', 'zh'],
  ] as const)('one sign or none is not enough: %s', (text, language) => {
    expect(isKeyFact(text, language)).toBe(false);
  });

  it('the digest in a mark is no quantity', () => {
    expect(keySignals('[phone:1234567812345678] 3', 'en')).toEqual([]);
  });
});
