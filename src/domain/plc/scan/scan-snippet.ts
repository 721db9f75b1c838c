import { MAX_BITS_PER_REQUEST } from '../modbus-request.ts';
import { MAX_REGISTERS_PER_REQUEST } from '../register-address.ts';
import { isReadable, type ScanFindings, type UnitFindings } from './scan-findings.ts';

export type ScannedConnection =
  | { readonly transport: 'tcp' | 'rtu_over_tcp'; readonly host: string; readonly port: number }
  | {
      readonly transport: 'rtu';
      readonly serialPath: string;
      readonly baudRate: number;
      readonly parity: string;
      readonly stopBits: number;
    };

const LEAST_TIMEOUT_MS = 1000;

/** `connections:` and `devices:` of a plant file for what a scan found; remarks tell what no scan can find out. */
export function scanSnippet(connection: ScannedConnection, findings: ScanFindings): string {
  const readable = findings.units.filter(isReadable);
  const slowestMs = findings.response_ms?.max ?? 0;
  const timeoutMs = Math.ceil((slowestMs * 4) / 100) * 100;
  const lines = [
    'connections:',
    '  line-1:',
    `    transport: ${connection.transport}`,
    ...(connection.transport === 'rtu'
      ? [
          `    serial_path: ${JSON.stringify(connection.serialPath)}`,
          `    baud_rate: ${connection.baudRate}`,
          `    parity: ${connection.parity}`,
          `    stop_bits: ${connection.stopBits}`,
        ]
      : [`    host: ${JSON.stringify(connection.host)}`, `    port: ${connection.port}`]),
    ...(timeoutMs > LEAST_TIMEOUT_MS
      ? [`    timeout_ms: ${timeoutMs} # its slowest answer took ${Math.round(slowestMs)} ms`]
      : []),
    'devices:',
    ...(readable.length > 0 ? readable : findings.units).flatMap(deviceLines),
  ];
  return `${lines.join('\n')}\n`;
}

function deviceLines({ unit_id, tables, identification }: UnitFindings): string[] {
  const least = (isBits: boolean): number | undefined => {
    const limits = tables
      .filter(({ register }) => (register === 'coil' || register === 'discrete_input') === isBits)
      .flatMap(({ most_per_request: most }) => (most === null ? [] : [most]));
    return limits.length === 0 ? undefined : Math.min(...limits);
  };
  const registers = least(false) ?? MAX_REGISTERS_PER_REQUEST;
  const bits = least(true) ?? MAX_BITS_PER_REQUEST;
  return [
    `  unit-${unit_id}:${identification.length === 0 ? '' : ` # ${identification.join(', ')}`}`,
    '    connection: line-1',
    `    unit_id: ${unit_id}`,
    '    address_base: 0 # no scan can tell how the manual counts: 0, 1 or modicon',
    '    byte_order: ABCD # nor this: compare one value of two registers, else CDAB',
    ...(registers < MAX_REGISTERS_PER_REQUEST ? [`    max_registers_per_request: ${registers}`] : []),
    ...(bits < MAX_BITS_PER_REQUEST ? [`    max_bits_per_request: ${bits}`] : []),
  ];
}
