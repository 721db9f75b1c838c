import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { RegisterTable } from '../../src/domain/plc/register-address.ts';

/** Debian's interpreter, for which python3-pymodbus is installed. */
export const SYSTEM_PYTHON = '/usr/bin/python3';

export interface PymodbusServer {
  readonly host: string;
  readonly port: number;
  /** Addresses as sent; registers 0 to 65535, bits 0 or 1. What was never set is illegal, a unit never set is silent. */
  set(unitId: number, table: RegisterTable, address: number, ...values: number[]): Promise<void>;
  /** What it holds now, `count` from the address on. */
  get(unitId: number, table: RegisterTable, address: number, count: number): Promise<readonly number[]>;
  /** Answers after these delays, milliseconds, in turn; 0 answers at once. */
  delay(...delaysMs: number[]): Promise<void>;
  /** Ends the server and every connection to it. */
  stop(): Promise<void>;
  /** Starts it again on its old port with its old values; stops it first when it runs. */
  restart(): Promise<void>;
}

/** Starts a pymodbus server on a free port of the loopback interface, with the frames of TCP or of a serial line. */
export async function startPymodbusServer(framing: 'tcp' | 'rtu' = 'tcp'): Promise<PymodbusServer> {
  let running = await startProcess(0, framing);
  const { port } = running;
  const said: string[] = [];
  const tell = async (line: string): Promise<void> => {
    await running.tell(line);
    said.push(line);
  };
  return {
    host: '127.0.0.1',
    port,
    set: (unitId, table, address, ...values) => tell(`set ${unitId} ${table} ${address} ${values.join(' ')}`),
    get: async (unitId, table, address, count) =>
      (await running.tell(`get ${unitId} ${table} ${address} ${count}`)).map(Number),
    delay: (...delaysMs) => tell(`delay ${delaysMs.join(' ')}`),
    stop: () => running.stop(),
    async restart() {
      await running.stop();
      running = await startProcess(port, framing);
      for (const line of said) await running.tell(line);
    },
  };
}

interface ServerProcess {
  readonly port: number;
  /** The words behind its `ok`. */
  tell(line: string): Promise<readonly string[]>;
  stop(): Promise<void>;
}

async function startProcess(wantedPort: number, framing: 'tcp' | 'rtu'): Promise<ServerProcess> {
  const script = fileURLToPath(new URL('./pymodbus_server.py', import.meta.url));
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(
    SYSTEM_PYTHON,
    [script, String(wantedPort), framing],
    { stdio: ['pipe', 'pipe', 'ignore'] },
  );
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextLine = async (): Promise<string> => {
    const line = await lines.next();
    if (line.done === true) throw new Error('the pymodbus server has ended');
    return line.value;
  };
  const hello = await nextLine();
  if (!hello.startsWith('port ')) throw new Error(`the pymodbus server said: ${hello}`);
  return {
    port: Number(hello.slice('port '.length)),
    async tell(line) {
      child.stdin.write(`${line}\n`);
      const answer = await nextLine();
      const [verdict, ...words] = answer.split(' ');
      if (verdict !== 'ok') throw new Error(`the pymodbus server said: ${answer}`);
      return words;
    },
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await exited;
    },
  };
}
