import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { PlantModel } from '../../src/domain/plc/plant-model.ts';
import { plantOf } from './plant-file.ts';
import { SYSTEM_PYTHON } from './pymodbus-server.ts';

/** A PLC that keeps an event log in a ring; `pymodbus_ring.py` says where what lies. */
export interface PymodbusRing {
  readonly port: number;
  write(records: number): Promise<void>;
  /** Records a second from now on; 0 stops, and resolves when the last is complete. */
  rate(recordsPerS: number): Promise<void>;
  /** As the PLC does when it restarts: head 0, ring cleared. */
  restart(): Promise<void>;
  /** Records begun so far. */
  count(): Promise<number>;
  stop(): Promise<void>;
}

export async function startPymodbusRing(kind: 'slot' | 'records', capacity: number): Promise<PymodbusRing> {
  const script = fileURLToPath(new URL('./pymodbus_ring.py', import.meta.url));
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(
    SYSTEM_PYTHON,
    [script, '0', kind, String(capacity)],
    { stdio: ['pipe', 'pipe', 'ignore'] },
  );
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextLine = async (): Promise<string> => {
    const line = await lines.next();
    if (line.done === true) throw new Error('the pymodbus ring has ended');
    return line.value;
  };
  const hello = await nextLine();
  let turn: Promise<unknown> = Promise.resolve();
  const tell = (line: string): Promise<string> => {
    const answer = turn.then(() => {
      child.stdin.write(`${line}\n`);
      return nextLine();
    });
    turn = answer;
    return answer;
  };
  const order = async (line: string): Promise<void> => {
    const answer = await tell(line);
    if (answer !== 'ok') throw new Error(`the pymodbus ring said: ${answer}`);
  };
  return {
    port: Number(hello.slice('port '.length)),
    write: (records) => order(`write ${records}`),
    rate: (recordsPerS) => order(`rate ${recordsPerS}`),
    restart: () => order('restart'),
    count: async () => Number(await tell('count')),
    async stop() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

export interface RingPlantOptions {
  readonly port: number;
  readonly kind: 'slot' | 'records';
  readonly capacity: number;
  readonly pollIntervalMs?: number;
  /** More keys of the log. */
  readonly more?: string;
  readonly sequence?: boolean;
}

export function ringPlant({
  port,
  kind,
  capacity,
  pollIntervalMs = 50,
  more = '',
  sequence = false,
}: RingPlantOptions): PlantModel {
  return plantOf(`
connections:
  line-1: { transport: tcp, host: 127.0.0.1, port: ${port} }
devices:
  oven-plc: { connection: line-1, unit_id: 1, address_base: 0 }
machines:
  oven:
    names: { en: [oven], zh: [烤箱] }
    device: oven-plc
    points: {}
    logs:
      events:
        kind: ring
        register: holding
        head: 0
        head_counts: ${kind}
        first_record: 10
        capacity: ${capacity}
        record_registers: 8
        settle_records: 0
        poll_interval_ms: ${pollIntervalMs}
        fields:
          timestamp: { at: 2, format: unix_s }
          code: { at: 4, type: uint16 }
          ${sequence ? 'sequence: { at: 0, type: uint32 }' : ''}
          values:
            number: { at: 0, type: uint32 }
            load: { at: 5, type: uint16, scale: 0.1, unit: kW }
            number_again: { at: 6, type: uint32 }
        codes:
          1: { en: door open, zh: 门已打开, severity: high, event: raised }
          2: { en: door closed, zh: 门已关闭, severity: low, event: cleared }
${more}
`);
}
