import { z } from 'zod';
import { runningLines } from '../composition/line.ts';
import { type FaultRequest, faultName, LINE_FAULTS } from '../domain/plc/simulation/line-fault.ts';
import { EdgeError } from '../runtime/edge-error.ts';
import { postControl } from './control-client.ts';
import { parseDurationMs } from './duration.ts';
import { print } from './print.ts';

interface FaultOptions {
  readonly port?: number;
  readonly for?: string;
  readonly delay?: string;
  readonly registers?: string;
  readonly most?: number;
  readonly kind?: 'garbage' | 'garbled' | 'stray';
  readonly share?: number;
  readonly offset?: string;
  readonly json: boolean;
}

const faultSchema = z.object({ name: z.string(), target: z.string(), left_ms: z.number().optional() });
const listSchema = z.object({ faults: z.array(faultSchema) });
const clearedSchema = z.object({ cleared: z.array(faultSchema) });

/** `hermes-edge simulate fault …`: puts faults on a running line, lists them and takes them away. */
export async function simulateFault(words: readonly string[], options: FaultOptions): Promise<void> {
  const [what = '', ...rest] = words;
  if (what === 'list') return list(rest, options);
  if (what === 'clear') return clear(rest, options);
  // Told before any line is looked for: a misspelt fault is one on every line.
  const name = faultName(what);
  const [target, ...more] = rest;
  if (target === undefined || more.length > 0)
    throw new EdgeError('USAGE', `say one machine, device or sensor: simulate fault ${name} MACHINE`);
  const request: FaultRequest = {
    name,
    target,
    ...(options.for === undefined ? {} : { for_ms: parseDurationMs(options.for, '--for') }),
    ...(options.delay === undefined ? {} : { delay_ms: parseDurationMs(options.delay, '--delay') }),
    ...(options.registers === undefined ? {} : { registers: options.registers }),
    ...(options.most === undefined ? {} : { most: options.most }),
    ...(options.kind === undefined ? {} : { kind: options.kind }),
    ...(options.share === undefined ? {} : { share: options.share }),
    ...(options.offset === undefined
      ? {}
      : { offset_s: parseDurationMs(options.offset, '--offset') / 1_000 }),
  };
  const { port, reply } = await post(options.port, '/fault', request);
  const fault = faultSchema.parse(reply);
  print(options.json, { port, ...fault }, () => `${line(fault)}: ${LINE_FAULTS[name]}`);
}

async function list(rest: readonly string[], options: FaultOptions): Promise<void> {
  if (rest.length > 0) throw new EdgeError('USAGE', 'simulate fault list takes nothing more');
  const { port, reply } = await post(options.port, '/faults', {});
  const { faults } = listSchema.parse(reply);
  print(options.json, { port, faults, known: LINE_FAULTS }, () =>
    [
      faults.length === 0 ? `no faults on the line at port ${port}` : `on the line at port ${port}:`,
      ...faults.map((fault) => `  ${line(fault)}`),
      'there are:',
      ...Object.entries(LINE_FAULTS).map(([name, meaning]) => `  ${name.padEnd(9)} ${meaning}`),
    ].join('\n'),
  );
}

/** `clear`, `clear NAME`, `clear MACHINE` and `clear NAME MACHINE`. */
async function clear(rest: readonly string[], options: FaultOptions): Promise<void> {
  const [first, second, ...more] = rest;
  if (more.length > 0)
    throw new EdgeError('USAGE', 'simulate fault clear takes a fault and a machine at most');
  const isName = first !== undefined && (second !== undefined || Object.hasOwn(LINE_FAULTS, first));
  const target = isName ? second : first;
  const body = { ...(isName ? { name: first } : {}), ...(target === undefined ? {} : { target }) };
  const { port, reply } = await post(options.port, '/clear', body);
  const { cleared } = clearedSchema.parse(reply);
  if (cleared.length === 0 && rest.length > 0)
    throw new EdgeError(
      'SIMULATED_LINE_NO_FAULT',
      `no such fault is on the line at port ${port}: ${rest.join(' ')}`,
      {
        hint: 'hermes-edge simulate fault list shows what is',
      },
    );
  print(options.json, { port, cleared }, () =>
    cleared.length === 0
      ? `no faults on the line at port ${port}`
      : cleared.map(({ name, target: on }) => `${name} ${on}: gone`).join('\n'),
  );
}

/** Asks the line on the port, or the only one that runs. */
async function post(
  port: number | undefined,
  path: string,
  body: unknown,
): Promise<{ readonly port: number; readonly reply: unknown }> {
  const lines = runningLines().filter((each) => port === undefined || each.port === port);
  const alive = [];
  for (const each of lines)
    if ((await postControl(each.socket, '/faults', {})) !== undefined) alive.push(each);
  const [only, ...others] = alive;
  if (only === undefined)
    throw new EdgeError(
      'SIMULATED_LINE_MISSING',
      port === undefined ? 'no simulated line is running' : `no simulated line is running on port ${port}`,
      { hint: 'start one in another terminal: hermes-edge simulate' },
    );
  if (others.length > 0)
    throw new EdgeError(
      'USAGE',
      `several simulated lines are running: say which with --port ${alive.map((each) => each.port).join(' or --port ')}`,
    );
  return { port: only.port, reply: await postControl(only.socket, path, body) };
}

function line({ name, target, left_ms }: z.infer<typeof faultSchema>): string {
  return `${name} ${target}${left_ms === undefined ? '' : `, ${Math.ceil(left_ms / 1_000)} s left`}`;
}
