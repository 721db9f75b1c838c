import { type ScanTarget, scanPlant } from '../composition/plant-scan.ts';
import { scanSnippet } from '../domain/plc/scan/scan-snippet.ts';
import { EdgeError } from '../runtime/edge-error.ts';
import { scanLines } from './scan-lines.ts';
import { terminalLine } from './terminal-text.ts';

interface PlantScanOptions {
  readonly serial?: string;
  readonly baud: number;
  readonly parity: 'none' | 'even' | 'odd';
  readonly stopBits?: '1' | '2';
  readonly rtuOverTcp: boolean;
  readonly units: readonly number[];
  readonly timeoutMs: number;
  readonly pauseMs: number;
  readonly json: boolean;
}

const MODBUS_PORT = 502;

/** `hermes-edge plant scan`: findings on stdout, progress on stderr; Ctrl-C prints what was found by then. */
export async function plantScan(host: string | undefined, options: PlantScanOptions): Promise<void> {
  const target = targetOf(host, options);
  // Unit 0 of a serial line is everybody, and nobody answers.
  const units = options.units.filter((unit) => unit > 0 || target.transport === 'tcp');
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort();
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  const isTerminal = process.stderr.isTTY;
  const onProgress = (text: string): void =>
    void process.stderr.write(isTerminal ? `\r\u001b[K${terminalLine(text)}` : `${terminalLine(text)}\n`);
  const findings = await scanPlant(
    { target, units, timeoutMs: options.timeoutMs, pauseMs: options.pauseMs, onProgress },
    interruption.signal,
  );
  if (isTerminal) process.stderr.write('\r\u001b[K');
  process.removeListener('SIGINT', interrupt);
  process.removeListener('SIGTERM', interrupt);
  const snippet = scanSnippet(target, findings);
  if (findings.units.length === 0) process.exitCode = 1;
  process.stdout.write(
    options.json
      ? `${JSON.stringify({ ok: findings.units.length > 0, ...findings, plant_file: snippet })}\n`
      : `${scanLines(findings, snippet, target.transport).join('\n')}\n`,
  );
}

function targetOf(host: string | undefined, options: PlantScanOptions): ScanTarget {
  const { serial, baud, parity, stopBits } = options;
  if ((host === undefined) === (serial === undefined))
    throw new EdgeError('USAGE', 'give either HOST[:PORT] or --serial PATH');
  if (serial !== undefined)
    return {
      transport: 'rtu',
      serialPath: serial,
      baudRate: baud,
      parity,
      stopBits: stopBits === undefined ? (parity === 'none' ? 2 : 1) : stopBits === '2' ? 2 : 1,
    };
  const [, name = '', port] = /^(\[[^\]]+\]|[^:]+|[^:]*:[^:]*:.*?)(?::(\d{1,5}))?$/u.exec(host ?? '') ?? [];
  const number = port === undefined ? MODBUS_PORT : Number(port);
  if (name === '' || number < 1 || number > 65_535)
    throw new EdgeError('USAGE', `"${host}" is no HOST or HOST:PORT`, { hint: 'such as 192.168.0.10:502' });
  return {
    transport: options.rtuOverTcp ? 'rtu_over_tcp' : 'tcp',
    host: name.replace(/^\[|\]$/gu, ''),
    port: number,
  };
}
