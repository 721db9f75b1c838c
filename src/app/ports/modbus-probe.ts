import type { RegisterTable } from '../../domain/plc/register-address.ts';

/** A question that changes nothing in any device. */
export type ProbeQuestion =
  | { readonly kind: 'read'; readonly table: RegisterTable; readonly address: number; readonly count: number }
  /** Function 43/14, the basic objects (Modbus Application Protocol V1.1b3, section 6.21). */
  | { readonly kind: 'identify' };

export type ProbeAnswer =
  /** `pdu` begins with the function code. */
  | { readonly kind: 'answer'; readonly pdu: Uint8Array; readonly tookMs: number }
  | { readonly kind: 'refused'; readonly exception: number; readonly tookMs: number }
  | { readonly kind: 'silent' }
  /** The connection broke, or what came fits no frame. */
  | {
      readonly kind: 'broken';
      readonly reason: string;
      /** What came is no frame of the framing asked with, be it another protocol or noise. */
      readonly isForeign: boolean;
    };

/** Asks the units behind one connection, one question at a time and never over a second connection. */
export interface ModbusProbe {
  /** Connects when there is no connection. Rejects with EdgeError MODBUS_UNREACHABLE when it cannot, or MODBUS_STOPPED. */
  ask(unitId: number, question: ProbeQuestion, timeoutMs: number): Promise<ProbeAnswer>;
  /** How often the far side closed the connection after an answer. */
  readonly closedAfterAnswer: number;
  close(): Promise<void>;
}
