import { describe, expect, it } from 'vitest';
import { findByName } from '../../../../src/domain/plc/find-by-name.ts';
import type { NamedEntry } from '../../../../src/domain/plc/plant-model.ts';

const machines: readonly NamedEntry[] = [
  { value: 'machine-12', spoken: { en: ['machine 12', 'the mill'], zh: ['12号机床', '铣床'] } },
  { value: 'pump-3', spoken: { en: ['pump 3', 'north pump'], zh: ['三号泵'] } },
  { value: 'pump-03', spoken: { en: ['pump 03', 'north pump'], zh: ['零三号泵'] } },
  // A key that is what another one is called.
  { value: 'the mill', spoken: { en: ['old mill'], zh: ['老铣床'] } },
];
const find = (written: string): string => findByName(written, machines, 'machine');

describe('a thing of the plant by what is written', () => {
  it('is found by any of its names, in either language', () => {
    expect(find('铣床')).toBe('machine-12');
    expect(find('machine 12')).toBe('machine-12');
    expect(find('old mill')).toBe('the mill');
  });

  it('is found however capitals, spaces, hyphens and numbers are written', () => {
    for (const written of [
      'Machine Twelve',
      ' MACHINE  12 ',
      'machine-12',
      '十二号机床',
      '12 号机床',
      '１２号机床',
    ])
      expect(find(written)).toBe('machine-12');
    expect(find('pump zero three')).toBe('pump-03');
  });

  it('is found by its key first, also when another one is called so', () => {
    expect(find('the mill')).toBe('the mill');
  });

  it('is never guessed among several of one name: their keys are told', () => {
    expect(() => find('North pump')).toThrow('"North pump" can be pump-3 or pump-03: write the one you mean');
  });

  it('is told with the nearest and all there are when nothing has the name', () => {
    expect(() => find('machin 12')).toThrow(
      'there is no machine "machin 12". Did you mean "machine 12"? There is: machine-12 (machine 12, 12号机床); pump-3',
    );
    expect(() => find('')).toThrow('there is no machine ""');
    expect(() => find('machine 12 twice')).toThrow('there is no machine');
    expect(() => findByName('oven', [], 'machine')).toThrow('There are none.');
  });

  it('lists twenty at most', () => {
    const many = Array.from({ length: 23 }, (_, i) => ({
      value: `oven-${i}`,
      spoken: { en: [`oven ${i}`], zh: [`烤炉${i}`] },
    }));
    expect(() => findByName('x', many, 'machine')).toThrow(/oven-19 \(oven 19, 烤炉19\); and 3 more$/u);
  });
});
