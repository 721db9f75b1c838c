import { LineProbe } from '../adapters/modbus/line-probe.ts';
import { serialSource } from '../adapters/modbus/serial-line.ts';
import { socketSource } from '../adapters/modbus/socket-line.ts';
import { PlantScan } from '../app/plc/plant-scan.ts';
import type { ScanFindings } from '../domain/plc/scan/scan-findings.ts';
import { createRuntime } from './runtime.ts';

export type ScanTarget =
  | { readonly transport: 'tcp' | 'rtu_over_tcp'; readonly host: string; readonly port: number }
  | {
      readonly transport: 'rtu';
      readonly serialPath: string;
      readonly baudRate: number;
      readonly parity: 'none' | 'even' | 'odd';
      readonly stopBits: 1 | 2;
    };

export interface PlantScanRequest {
  readonly target: ScanTarget;
  readonly units: readonly number[];
  readonly timeoutMs: number;
  readonly pauseMs: number;
  readonly onProgress: (text: string) => void;
}

const OPEN_TIMEOUT_MS = 3000;

/** Looks at what is behind a connection, by reads alone. Rejects with EdgeError MODBUS_UNREACHABLE when nothing is. */
export async function scanPlant(request: PlantScanRequest, signal: AbortSignal): Promise<ScanFindings> {
  const { target, units, timeoutMs, pauseMs, onProgress } = request;
  const runtime = createRuntime('warn');
  const source =
    target.transport === 'rtu'
      ? serialSource({ ...target, path: target.serialPath }, runtime.scheduler)
      : socketSource(() => target, runtime.scheduler);
  const framing = target.transport === 'tcp' ? 'mbap' : 'rtu';
  const probe = new LineProbe({ source, framing, openTimeoutMs: OPEN_TIMEOUT_MS, signal }, runtime);
  try {
    return await new PlantScan(
      { where: source.where(), units, timeoutMs, pauseMs, onProgress },
      { probe, scheduler: runtime.scheduler },
    ).run(signal);
  } finally {
    await probe.close();
  }
}
