import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { AssistantSetting } from './assistant-lines.ts';
import { MailServer } from './mail-server.ts';
import { listenOn } from './model-server.ts';
import { ORDER_TOKEN, OrderSystem } from './order-system.ts';
import { startPymodbusServer } from './pymodbus-server.ts';
import { startRecordingProxy } from './recording-proxy.ts';

/** Tools that act, and what they rest on: the tests of all tools at every start would take most of the time of a trial. */
const TOOLS = [
  'close-work-order',
  'create-work-order',
  'export-report',
  'read-value',
  'remove-report',
  'send-message',
  'write-value',
];
const BUILT = fileURLToPath(new URL('../../dist/packs', import.meta.url));

const PEOPLE = `id,name_en,name_zh,role,email
zhang-wei,Zhang Wei,张伟,maintainer,zhang.wei@example.com
`;

/** Where a request to write one register has its value: function codes 6 and 16 (MODBUS Application Protocol V1.1b3). */
const VALUE_AT: ReadonlyMap<number, number> = new Map([
  [6, 3],
  [16, 6],
]);

const plantText = (port: number): string => `
connections:
  plc-1: { transport: tcp, host: 127.0.0.1, port: ${port}, timeout_ms: 2000 }
devices:
  plc: { connection: plc-1, unit_id: 1, address_base: 0, byte_order: ABCD, poll_interval_ms: 500 }
machines:
  machine-12:
    names: { en: [machine twelve], zh: [十二号机床] }
    device: plc
    points:
      temperature: { names: { en: [temperature], zh: [温度] }, register: holding, address: 10, type: int16, unit: degC }
${writable('setpoint', 'setpoint', '设定值', 30, 'physical')}
${writable('limit', 'limit', '上限', 32, 'dangerous')}
  pump-3:
    names: { en: [pump three], zh: [三号泵] }
    device: plc
    points:
${writable('setpoint', 'setpoint', '设定值', 50, 'physical')}
`;

function writable(key: string, en: string, zh: string, address: number, risk: string): string {
  return `      ${key}:
        names: { en: [${en}], zh: [${zh}] }
        register: holding
        address: ${address}
        type: uint16
        unit: degC
        access: read_write
        write_min: 0
        write_max: 65000
        write_risk: ${risk}`;
}

/** Everything that an assistant acts on, outside of its process: it keeps what reached it, whoever is killed. */
export interface OutsideWorld {
  readonly setting: Pick<AssistantSetting, 'plant' | 'config' | 'packs'>;
  /** The values of all requests to write, as they went to the PLC. */
  readonly written: readonly number[];
  readonly orders: OrderSystem;
  readonly mail: MailServer;
  /** What the model proposes to the next sentence that nobody understands. */
  propose(steps: readonly object[]): void;
  /** Calls it as the next write, order or mail arrives, before that is answered; once. */
  onNextArrival(hear: () => void): void;
  stop(): Promise<void>;
}

/** `directory` takes the files of the site. */
export async function startOutsideWorld(directory: string): Promise<OutsideWorld> {
  let hear: (() => void) | undefined;
  const arrived = (): void => {
    const once = hear;
    hear = undefined;
    once?.();
  };
  const plc = await startPymodbusServer();
  await plc.set(1, 'holding', 10, 73);
  for (const address of [30, 32, 50]) await plc.set(1, 'holding', address, 40);
  const written: number[] = [];
  const proxy = await startRecordingProxy(plc.port, ({ functionCode, pdu }) => {
    const at = VALUE_AT.get(functionCode);
    if (at === undefined) return;
    written.push(pdu.readUInt16BE(at));
    arrived();
  });
  const orders = new OrderSystem(arrived);
  const mail = new MailServer({
    onRcptTo: (_address, _session, done) => {
      arrived();
      done();
    },
  });
  let proposal: readonly object[] = [];
  const model = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      const content = JSON.stringify({ steps: proposal });
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] }));
    });
  });
  const people = join(directory, 'people.csv');
  writeFileSync(people, PEOPLE);
  // Beside those that were built, from where the packages are found.
  const packs = mkdtempSync(`${BUILT}-`);
  cpSync(BUILT, packs, { recursive: true });
  for (const pack of readdirSync(packs)) fewTests(join(packs, pack, 'test-cases.json'), TOOLS.includes(pack));
  return {
    setting: {
      plant: plantText(proxy.port),
      config: {
        plant: { maps: [], writes: 'on' },
        people,
        mail: { url: `smtp://127.0.0.1:${await mail.start()}`, from: 'edge-1@example.com' },
        work_orders: { url: `http://127.0.0.1:${await orders.start()}/orders`, token: ORDER_TOKEN },
        planner: { url: `http://127.0.0.1:${await listenOn(model)}/v1`, model: 'tiny' },
        tools: { workers: 2 },
      },
      packs,
    },
    written,
    orders,
    mail,
    propose(steps) {
      proposal = steps;
    },
    onNextArrival(next) {
      hear = next;
    },
    async stop() {
      model.closeAllConnections();
      model.close();
      await Promise.all([proxy.stop(), orders.stop(), mail.stop()]);
      await plc.stop();
      rmSync(packs, { recursive: true });
    },
  };
}

/** One test is left to a tool that is used, and none to another, which is not used therefore. */
function fewTests(file: string, isUsed: boolean): void {
  if (!existsSync(file)) return;
  const cases = z.array(z.unknown()).parse(JSON.parse(readFileSync(file, 'utf8')));
  writeFileSync(file, JSON.stringify(isUsed ? cases.slice(0, 1) : []));
}
