/** The four address spaces of a Modbus device. */
export const REGISTER_TABLES = ['coil', 'discrete_input', 'holding', 'input'] as const;
export type RegisterTable = (typeof REGISTER_TABLES)[number];

/**
 * How the numbers of a device's manual count. `0` is the address as sent, `1` counts the first register as 1,
 * `modicon` carries the table in its leading digit (40001 or 400001 is the first holding register).
 */
export const ADDRESS_BASES = [0, 1, 'modicon'] as const;
export type AddressBase = (typeof ADDRESS_BASES)[number];

/** The highest address a Modbus request can carry (Modbus Application Protocol V1.1b3, section 4.4). */
export const MAX_ADDRESS = 65_535;

/** The most registers a device can be asked for at once (the same, section 6.3). */
export const MAX_REGISTERS_PER_REQUEST = 125;

export type ResolvedAddress =
  | { readonly ok: true; readonly address: number }
  | { readonly ok: false; readonly reason: string };

const MODICON_DIGIT: Readonly<Record<RegisterTable, number>> = {
  coil: 0,
  discrete_input: 1,
  input: 3,
  holding: 4,
};

/** The address as it goes over the wire, 0 to 65535, or the reason why the written one cannot be meant. */
export function resolveAddress(table: RegisterTable, written: number, base: AddressBase): ResolvedAddress {
  if (base === 'modicon') return resolveModicon(table, written);
  const address = written - base;
  if (address < 0 || address > MAX_ADDRESS)
    return {
      ok: false,
      reason: `address ${written} is outside ${base} to ${MAX_ADDRESS + base} (address_base ${base})`,
    };
  return { ok: true, address };
}

/**
 * The inverse of `resolveAddress`: what the manual calls an address on the wire. Modicon numbers have five digits as long
 * as they fit, six beyond that or where `sixDigits` asks for them; coils beyond 9999 have none and are counted from 1.
 */
export function writtenAddress(
  table: RegisterTable,
  address: number,
  base: AddressBase,
  sixDigits = false,
): number {
  if (base !== 'modicon') return address + base;
  const digit = MODICON_DIGIT[table];
  return digit * (sixDigits || address > 9_998 ? 100_000 : 10_000) + address + 1;
}

function resolveModicon(table: RegisterTable, written: number): ResolvedAddress {
  const address = modiconAddress(table, written);
  if (address !== undefined) return { ok: true, address };
  const digit = MODICON_DIGIT[table];
  const expected =
    digit === 0
      ? '1 to 9999 (for coils beyond it use address_base 0 or 1)'
      : `${digit}0001 to ${digit}9999 or ${digit}00001 to ${digit}${MAX_ADDRESS + 1}`;
  const meant = REGISTER_TABLES.find((other) => modiconAddress(other, written) !== undefined);
  const hint = meant === undefined ? '' : `; ${written} is a number of register ${meant}`;
  return { ok: false, reason: `modicon numbers of register ${table} are ${expected}${hint}` };
}

function modiconAddress(table: RegisterTable, written: number): number | undefined {
  const digit = MODICON_DIGIT[table];
  const short = written - digit * 10_000;
  if (short >= 1 && short <= 9_999) return short - 1;
  // A six-digit coil number (010001) loses its leading zero in a file and then reads as another table's.
  const long = written - digit * 100_000;
  return digit > 0 && long >= 1 && long <= MAX_ADDRESS + 1 ? long - 1 : undefined;
}
