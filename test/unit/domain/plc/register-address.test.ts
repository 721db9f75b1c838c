import { describe, expect, it } from 'vitest';
import {
  type RegisterTable,
  resolveAddress,
  writtenAddress,
} from '../../../../src/domain/plc/register-address.ts';

describe('the address of a register', () => {
  it('is sent as written with base 0, and one less with base 1', () => {
    expect(resolveAddress('holding', 0, 0)).toEqual({ ok: true, address: 0 });
    expect(resolveAddress('holding', 65_535, 0)).toEqual({ ok: true, address: 65_535 });
    expect(resolveAddress('holding', 1, 1)).toEqual({ ok: true, address: 0 });
    expect(resolveAddress('holding', 65_536, 1)).toEqual({ ok: true, address: 65_535 });
  });

  it.each<[RegisterTable, number, number]>([
    ['coil', 1, 0],
    ['coil', 9_999, 9_998],
    ['discrete_input', 10_001, 0],
    ['discrete_input', 100_001, 0],
    ['input', 30_001, 0],
    ['input', 365_536, 65_535],
    ['holding', 40_001, 0],
    ['holding', 49_999, 9_998],
    ['holding', 400_001, 0],
    ['holding', 410_001, 10_000],
    ['holding', 465_536, 65_535],
  ])('of %s by the modicon number %d is %d', (table, written, address) => {
    expect(resolveAddress(table, written, 'modicon')).toEqual({ ok: true, address });
  });

  it.each<[RegisterTable, number]>([
    ['coil', 0],
    ['coil', 10_001],
    ['holding', 40_000],
    ['holding', 30_001],
    ['holding', 465_537],
    ['input', 1],
  ])('of %s is never the modicon number %d', (table, written) => {
    expect(resolveAddress(table, written, 'modicon').ok).toBe(false);
  });
});

describe('an address on the wire', () => {
  it.each([
    ['holding', 0, 0, false, 0],
    ['holding', 0, 1, false, 1],
    ['holding', 0, 'modicon', false, 40_001],
    ['input', 9_998, 'modicon', false, 39_999],
    ['input', 9_999, 'modicon', false, 310_000],
    ['holding', 0, 'modicon', true, 400_001],
    ['coil', 16, 'modicon', false, 17],
  ] as const)(
    '%s %i is to a manual of base %s (six digits: %s) %i',
    (table, wire, base, sixDigits, written) => {
      expect(writtenAddress(table, wire, base, sixDigits)).toBe(written);
      expect(resolveAddress(table, written, base)).toEqual({ ok: true, address: wire });
    },
  );
});
