import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { SYSTEM_PYTHON } from './pymodbus-server.ts';

const run = promisify(execFile);

export type PymodbusRequest = readonly [
  unit: number,
  action: string,
  address: number,
  number: number | string,
];

const answersSchema = z.array(
  z.union([
    z.array(z.int()),
    z.strictObject({ exception: z.int() }),
    z.strictObject({ failed: z.string() }),
    z.literal('written'),
  ]),
);

/** Requests by pymodbus over one connection; `port` is a port or `rtu:PORT`. See pymodbus_client.py. */
export async function pymodbus(port: number | string, ...requests: readonly PymodbusRequest[]) {
  const script = fileURLToPath(new URL('./pymodbus_client.py', import.meta.url));
  const { stdout } = await run(SYSTEM_PYTHON, [script, String(port), ...requests.flat().map(String)]);
  return answersSchema.parse(JSON.parse(stdout));
}

/** The numbers that mbpoll (on libmodbus) shows; unlike mbpoll, addresses are as sent. */
export async function mbpoll(
  port: number,
  unit: number,
  type: string,
  address: number,
  count: number,
): Promise<number[]> {
  const args = ['-m', 'tcp', '-p', `${port}`, '-a', `${unit}`, '-t', type, '-0', '-r', `${address}`];
  const { stdout } = await run('mbpoll', [...args, '-c', `${count}`, '-1', '-q', '-B', '127.0.0.1']);
  return numbersOf(stdout);
}

/** Writes by mbpoll; fails with its words where the device refuses. */
export async function mbpollWrite(
  port: number,
  unit: number,
  type: string,
  address: number,
  ...values: readonly number[]
): Promise<void> {
  const args = ['-m', 'tcp', '-p', `${port}`, '-a', `${unit}`, '-t', type, '-0', '-r', `${address}`];
  await run('mbpoll', [...args, '-1', '-q', '-B', '127.0.0.1', ...values.map(String)]);
}

/** The same over a serial port or pseudo terminal. */
export async function mbpollSerial(
  path: string,
  unit: number,
  type: string,
  address: number,
  count: number,
): Promise<number[]> {
  const args = [
    '-m',
    'rtu',
    '-b',
    '19200',
    '-P',
    'even',
    '-a',
    `${unit}`,
    '-t',
    type,
    '-0',
    '-r',
    `${address}`,
  ];
  const { stdout } = await run('mbpoll', [...args, '-c', `${count}`, '-1', '-q', '-B', path]);
  return numbersOf(stdout);
}

function numbersOf(stdout: string): number[] {
  return [...stdout.matchAll(/^\[\d+\]:\s+(\S+)/gm)].map(([, value]) => Number(value));
}
