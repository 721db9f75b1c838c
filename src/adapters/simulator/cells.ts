import type { RegisterTable } from '../../domain/plc/register-address.ts';

/** Registers of one unit that are no points: read-only, worked out when asked. */
export interface ServedArea {
  readonly unitId: number;
  readonly table: RegisterTable;
  readonly address: number;
  readonly count: number;
  word(offset: number): number;
}

export type Cells = readonly number[];
/** Register values or bits, or the exception that the device answers. */
export type CellsOrException = { readonly cells: Cells } | { readonly exception: number };
