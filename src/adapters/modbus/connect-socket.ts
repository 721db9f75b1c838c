import { Socket } from 'node:net';
import { modbusError, socketReason } from '../../domain/plc/modbus-error.ts';
import type { Scheduler } from '../../runtime/clocks.ts';
import type { EdgeError } from '../../runtime/edge-error.ts';

export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/**
 * Rejects with EdgeError MODBUS_UNREACHABLE or MODBUS_STOPPED. Nobody listens to the socket it resolves with, which
 * holds back what it receives until somebody does.
 */
export function connectSocket(
  endpoint: Endpoint,
  timeoutMs: number,
  scheduler: Scheduler,
  signal: AbortSignal,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = new Socket();
    const finish = (error: EdgeError | undefined): void => {
      cancelTimer();
      signal.removeEventListener('abort', onAbort);
      socket.removeAllListeners();
      if (error === undefined) {
        resolve(socket);
        return;
      }
      // A destroyed socket may still report its error, and an error nobody listens to ends the process.
      socket.on('error', () => undefined);
      socket.destroy();
      reject(error);
    };
    const unreachable = (reason: string, cause?: unknown): EdgeError =>
      modbusError('MODBUS_UNREACHABLE', `no answer from ${endpoint.host}:${endpoint.port}: ${reason}`, cause);
    const onAbort = (): void => finish(modbusError('MODBUS_STOPPED', 'stopped while connecting'));
    const cancelTimer = scheduler.after(timeoutMs, () =>
      finish(unreachable(`no reply to the connection attempt in ${timeoutMs} ms`)),
    );
    signal.addEventListener('abort', onAbort);
    socket.once('error', (error) => finish(unreachable(socketReason(error), error)));
    socket.once('connect', () => finish(undefined));
    if (signal.aborted) onAbort();
    else socket.connect({ ...endpoint });
  });
}
