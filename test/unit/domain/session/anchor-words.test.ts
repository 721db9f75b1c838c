import { describe, expect, it } from 'vitest';
import { anchorsIn } from '../../../../src/domain/session/anchor-words.ts';

describe('an anchor', () => {
  it.each([
    ['the temperature of pump three yesterday', ['time']],
    ['what was it last week', ['time', 'demonstrative']],
    ['export that', ['demonstrative']],
    ["don't send the report", ['negation']],
    ['not pump three', ['negation']],
    ['昨天泵三的温度', ['time']],
    ['上周三夜班的报表', ['time']],
    ['把这个导出', ['demonstrative']],
    ['不要发送', ['negation']],
    ['取消第三步', ['negation']],
    ['刚才那个撤销', ['time', 'demonstrative', 'negation']],
  ])('is found in %s', (text, kinds) => {
    expect(anchorsIn(text)).toEqual(kinds);
  });

  it.each([
    'temperature of pump three',
    'pump no. 3',
    '泵三的温度',
    '不锈钢泵的压力',
    '分别读取泵一和泵二',
    '三级过滤器的级别',
  ])('is not seen in %s', (text) => {
    expect(anchorsIn(text)).toEqual([]);
  });
});
