import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { compileWithLibmodbus } from './compile-c.ts';

/** A server on libmodbus; a register holds its address, a bit is set at each third, 0 to 999. */
export interface LibmodbusServer {
  /** 0 on a serial line. */
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

let program: Promise<string> | undefined;

/** On a free TCP port, answering each request after `serviceUs` microseconds. */
export function startLibmodbusTcpServer(serviceUs = 0): Promise<LibmodbusServer> {
  return start(['tcp', '0', String(serviceUs)]);
}

/** As one unit at the end of a serial line, 115200 8N2. */
export function startLibmodbusRtuServer(path: string, unitId: number): Promise<LibmodbusServer> {
  return start(['rtu', path, '115200', 'N', '2', String(unitId)]);
}

async function start(args: readonly string[]): Promise<LibmodbusServer> {
  program ??= compileWithLibmodbus(fileURLToPath(new URL('./libmodbus-server.c', import.meta.url)));
  const child = spawn(await program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const hello = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  const port = /^port (\d+)$/.exec(String(hello.value))?.[1];
  if (port === undefined || child.pid === undefined)
    throw new Error(`the libmodbus server said: ${hello.value}`);
  return {
    port: Number(port),
    pid: child.pid,
    async stop() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
