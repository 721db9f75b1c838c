import type { SerialPort } from 'serialport';
import { modbusError } from '../../domain/plc/modbus-error.ts';
import type { Scheduler } from '../../runtime/clocks.ts';
import { EdgeError, messageOf } from '../../runtime/edge-error.ts';
import type { Line, LineEvents, LineSource } from './line.ts';

export interface SerialSettings {
  readonly path: string;
  readonly baudRate: number;
  readonly parity: 'none' | 'even' | 'odd';
  readonly stopBits: 1 | 2;
}

const DATA_BITS = 8;
const HINT =
  'Check that the adapter is plugged in, that serial_path in the plant file is right (ls -l /dev/serial/by-id), and that this user is in the group dialout.';

/**
 * Silence between two frames, milliseconds: 3.5 characters, fixed above 19200 baud (Modbus over Serial Line V1.02,
 * section 2.5.1.1).
 */
export function frameGapMs({ baudRate, parity, stopBits }: SerialSettings): number {
  if (baudRate > 19_200) return 1.75;
  const bitsPerCharacter = 1 + DATA_BITS + (parity === 'none' ? 0 : 1) + stopBits;
  return (3.5 * bitsPerCharacter * 1000) / baudRate;
}

/** A serial port, from opened by its path to closed or unplugged. */
class SerialLine implements Line {
  readonly #port: SerialPort;
  #isReleased = false;

  constructor(port: SerialPort) {
    this.#port = port;
  }

  listen({ onBytes, onLost }: LineEvents): void {
    const lost = (reason: string, cause?: unknown): void => {
      if (!this.#isReleased) onLost(unreachable(this.#port.path, reason, cause));
    };
    // Also after the release: an unplugged adapter reports late, and an error nobody listens to ends the process.
    this.#port.on('error', (error) => lost(error.message, error));
    this.#port.on('close', (error: unknown) => lost('the port is gone', error));
    this.#port.on('data', (bytes: Buffer) => {
      if (!this.#isReleased) onBytes(bytes);
    });
  }

  write(bytes: Buffer, onSent?: () => void): void {
    this.#port.write(bytes);
    if (onSent === undefined) return;
    this.#port.drain((error) => {
      if (error === null || error === undefined) onSent();
    });
  }

  release(): Promise<void> {
    this.#isReleased = true;
    return new Promise((resolve) => {
      if (this.#port.isOpen) this.#port.close(() => resolve());
      else resolve();
    });
  }
}

export function serialSource(settings: SerialSettings, scheduler: Scheduler): LineSource {
  return {
    where: () => settings.path,
    open: (timeoutMs, signal) => openPort(settings, timeoutMs, scheduler, signal),
  };
}

async function openPort(
  { path, baudRate, parity, stopBits }: SerialSettings,
  timeoutMs: number,
  scheduler: Scheduler,
  signal: AbortSignal,
): Promise<Line> {
  // Most sites have no serial line: they are spared the memory.
  const { SerialPort: Port } = await import('serialport');
  return new Promise((resolve, reject) => {
    const port = new Port({ path, baudRate, parity, stopBits, dataBits: DATA_BITS, autoOpen: false });
    let isSettled = false;
    const settle = (error: EdgeError | undefined): void => {
      if (isSettled) return;
      isSettled = true;
      cancelTimer();
      signal.removeEventListener('abort', onAbort);
      if (error === undefined) resolve(new SerialLine(port));
      else reject(error);
    };
    const onAbort = (): void => settle(modbusError('MODBUS_STOPPED', 'stopped while opening the port'));
    const cancelTimer = scheduler.after(timeoutMs, () =>
      settle(unreachable(path, `it did not open in ${timeoutMs} ms`)),
    );
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) {
      onAbort();
      return;
    }
    // Until a line listens.
    port.on('error', () => undefined);
    port.open((error) => {
      if (error !== null && error !== undefined) settle(unreachable(path, openReason(error), error));
      else if (isSettled) port.close();
      else settle(undefined);
    });
  });
}

function unreachable(path: string, reason: string, cause?: unknown): EdgeError {
  return new EdgeError('MODBUS_UNREACHABLE', `no serial port ${path}: ${reason}`, {
    retry: 'safe',
    hint: HINT,
    cause,
  });
}

/** serialport puts the system's words into a sentence of its own. */
function openReason(error: Error): string {
  const message = messageOf(error);
  if (message.includes('No such file')) return 'there is none';
  if (message.includes('Permission denied')) return 'this user may not open it';
  if (message.includes('lock')) return 'another program has it open';
  return message;
}
