import { describe, expect, it } from 'vitest';
import { interpolate } from '../../../src/config/interpolate.ts';

describe('interpolation', () => {
  it.each([
    ['${A}', { A: 'x' }, 'x'],
    ['a-${A}-b', { A: 'x' }, 'a-x-b'],
    ['${A:-y}', {}, 'y'],
    ['${A:-}', {}, ''],
    ['${A:-y}', { A: '' }, 'y'],
    ['$${A}', { A: 'x' }, '${A}'],
    ['$A', { A: 'x' }, '$A'],
  ])('%s with %o is %s', (text, environment, expected) => {
    expect(interpolate(text, environment)).toEqual({ text: expected, missing: [] });
  });

  it('reports each missing variable and leaves its place as it was', () => {
    expect(interpolate('${A}/${B}', {})).toEqual({
      text: '${A}/${B}',
      missing: [{ name: 'A' }, { name: 'B' }],
    });
  });
});
