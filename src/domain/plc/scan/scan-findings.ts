import type { RegisterTable } from '../register-address.ts';

/** What a scan found out, in the words of its JSON. */
export interface ScanFindings {
  readonly where: string;
  /** Units that were asked before it ended. */
  readonly asked: readonly number[];
  readonly answering: readonly number[];
  /** Those that were looked into; one alone where all are one device. */
  readonly units: readonly UnitFindings[];
  /** Units about which a gateway said that nothing is behind it (exceptions 10, 11). */
  readonly gateway_refused: readonly { readonly unit_id: number; readonly exception: number }[];
  /** Every unit asked answered, be it with an exception. */
  readonly answers_every_unit: boolean;
  /** They all hold the same as well: the far side does not look at the unit id. */
  readonly is_one_device: boolean;
  readonly closes_after_answer: boolean;
  readonly requests: number;
  readonly timeouts: number;
  readonly broken: number;
  /** Of the broken, those where what came is no frame of the protocol asked with. */
  readonly foreign: number;
  /** Single addresses asked for in each table, as sent; beyond them only what lies next to one that reads is found. */
  readonly tried_addresses: readonly number[];
  readonly response_ms: { readonly p50: number; readonly max: number } | null;
  /** Ended by Ctrl-C, or because the far side was lost; what is here was found before. */
  readonly ended_early: string | null;
}

export interface UnitFindings {
  readonly unit_id: number;
  readonly tables: readonly TableFindings[];
  readonly identification: readonly string[];
}

export interface TableFindings {
  readonly register: RegisterTable;
  /** `unsupported`: exception 1; `no_address_found`: the table is there, and nothing at the addresses tried. */
  readonly outcome: 'readable' | 'unsupported' | 'no_address_found' | 'silent';
  /** As sent, both ends included; null unless readable. */
  readonly area: { readonly first: number; readonly last: number; readonly goes_on: boolean } | null;
  /** The most that one request may ask for; null where the area ended before the limit showed. */
  readonly most_per_request: number | null;
  /** Exceptions met, and how often. */
  readonly exceptions: Readonly<Record<string, number>>;
}

/** Whether anything of the unit can be read: a gateway may answer for devices that are not there. */
export function isReadable({ tables }: UnitFindings): boolean {
  return tables.some(({ outcome }) => outcome === 'readable');
}

/** The objects of an answer to function 43/14 as `name: text`; empty where it is no such answer. */
export function identificationOf(pdu: Uint8Array): string[] {
  const names = ['vendor', 'product code', 'revision', 'vendor url', 'product name', 'model', 'application'];
  if (pdu[0] !== 0x2b || pdu[1] !== 0x0e) return [];
  const found: string[] = [];
  let at = 7;
  for (let left = pdu[6] ?? 0; left > 0 && at + 2 <= pdu.length; left -= 1) {
    const id = pdu[at] ?? 0;
    const length = pdu[at + 1] ?? 0;
    const text = new TextDecoder().decode(pdu.subarray(at + 2, at + 2 + length)).replace(/\p{Cc}/gu, '');
    found.push(`${names[id] ?? `object ${id}`}: ${text.trim()}`);
    at += 2 + length;
  }
  return found;
}
