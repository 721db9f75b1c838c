import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { convertUnit, isKnownUnit, knownUnits, unitsLike } from '../../../../src/domain/tool/units.ts';

describe('converting units', () => {
  it.each([
    [25, 'degC', 'K', 298.15],
    [212, 'degF', 'degC', 100],
    [32, 'degF', 'degC', 0],
    [-40, '°C', 'degF', -40],
    [1, 'bar', 'kPa', 100],
    [0.1, 'bar', 'kPa', 10],
    [250, 'mbar', 'bar', 0.25],
    [1, 'MPa', 'bar', 10],
    [1, 'psi', 'Pa', 6894.75729317],
    [90, 'min', 's', 5400],
    [1.5, 'h', 'min', 90],
    [12.5, 'mm', 'm', 0.0125],
    [1500, 'rpm', 'Hz', 25],
    [50, 'Hz', '1/min', 3000],
    [45, '%', '1', 0.45],
    [250, 'l', 'm3', 0.25],
    [3.6, 'm3/h', 'l/min', 60],
    [2, '小时', 'min', 120],
  ])('%d %s is %d in %s', (value, from, to, expected) => {
    expect(convertUnit(value, from, String(to))).toBe(expected);
  });

  it('does not turn one quantity into another', () => {
    expect(convertUnit(1, 'bar', 'degC')).toBeUndefined();
    expect(convertUnit(1, 'm', 's')).toBeUndefined();
    expect(convertUnit(1, 'furlong', 'm')).toBeUndefined();
  });

  it('keeps case apart: a megapascal is no millipascal', () => {
    expect(isKnownUnit('MPa')).toBe(true);
    expect(isKnownUnit('mPa')).toBe(false);
    expect(isKnownUnit('constructor')).toBe(false);
  });

  it('comes back to where it began for every pair of units of one quantity', () => {
    const pairs = knownUnits().flatMap((from) => unitsLike(from).map((to) => [from, to] as const));
    fc.assert(
      fc.property(
        fc.constantFrom(...pairs),
        fc.double({ min: -1e5, max: 1e5, noNaN: true }),
        ([from, to], value) => {
          const there = convertUnit(value, from, to);
          const back = there === undefined ? undefined : convertUnit(there, to, from);
          expect(Math.abs((back ?? Number.NaN) - value)).toBeLessThanOrEqual(1e-6 * (Math.abs(value) + 1000));
        },
      ),
    );
  });
});
