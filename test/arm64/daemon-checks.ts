import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import modbusSerial from 'modbus-serial';
import { z } from 'zod';
import { freePort } from '../support/free-port.ts';
import type { Arm64Node, WatchedProcess } from './arm64-node.ts';
import type { Check } from './check.ts';
import { assertAarch64 } from './elf.ts';
import { writeSite } from './site-files.ts';

const STOP_WITHIN_MS = 20_000;
const DATAGRAM_RECEIVER = join(import.meta.dirname, '../support/datagram-receiver.py');

const answerSchema = z.object({
  outcome: z.string(),
  answer: z.string(),
  readings: z.array(
    z.object({ machine: z.string(), point: z.string(), quality: z.string(), value: z.number() }),
  ),
});

/** The daemon from its start to its stop, with a simulated line, both on ARM64. */
export function daemonChecks(arm64: Arm64Node, folder: string): readonly Check[] {
  mkdirSync(folder);
  const notifySocket = join(folder, 'notify');
  const stateFolder = join(folder, 'state');
  let config = '';
  let modbusPort = 0;
  let httpPort = 0;
  let systemd: WatchedProcess | undefined;
  let line: WatchedProcess | undefined;
  let daemon: WatchedProcess | undefined;

  const running = (): WatchedProcess => {
    if (daemon === undefined) throw new Error('there is no daemon, see above');
    return daemon;
  };
  const ask = async (text: string): Promise<z.infer<typeof answerSchema>> => {
    const { status, stdout, stderr } = await arm64
      .hermesEdge(['ask', '--config', config, '--json', text])
      .end();
    assert.equal(status, 0, stderr);
    assert.equal(stderr, '', 'the daemon answers, not the process that asks');
    return answerSchema.parse(JSON.parse(stdout));
  };

  return [
    {
      name: 'the simulated line serves its machines',
      async run() {
        [modbusPort, httpPort] = [await freePort(), await freePort()];
        const site = writeSite(folder, { app: arm64.appFolder, stateFolder, modbusPort, httpPort });
        config = site.config;
        line = arm64.hermesEdge(['simulate', '--plant', site.plant, '--port', String(modbusPort)]);
        await line.until('the line listens', () => line?.stdout.includes('Stop with Ctrl-C'));
      },
    },
    {
      name: 'the daemon tells systemd and HTTP that it is ready',
      async run() {
        const receiver = arm64.startPeer('/usr/bin/python3', [DATAGRAM_RECEIVER, notifySocket]);
        systemd = receiver;
        await receiver.until('the receiver', () => receiver.stdout.startsWith('ready'));

        const startedAtMs = performance.now();
        daemon = arm64.hermesEdge(['run', '--config', config], { NOTIFY_SOCKET: notifySocket });
        await daemon.until('READY', () => receiver.stdout.includes('READY=1'));
        console.log(`    READY after ${Math.round(performance.now() - startedAtMs)} ms of emulation`);
        const { status } = await fetch(`http://127.0.0.1:${httpPort}/readyz`);
        assert.equal(status, 200);
      },
    },
    {
      name: 'all machine code in the daemon is made for ARM64',
      async run() {
        const maps = readFileSync(`/proc/${running().pid}/maps`, 'utf8');
        const files = new Set(maps.match(/\/\S+\.node$/gmu));
        for (const file of files) assertAarch64(file);
        for (const name of ['node_sqlite3.node', 'koffi.node'])
          assert.ok(
            [...files].some((file) => file.endsWith(`/${name}`)),
            `${name} is loaded`,
          );
      },
    },
    {
      name: 'a typed command is answered with the value in the simulated PLC',
      async run() {
        const before = await temperatureOfMachineTwelve(modbusPort);
        const { answer, outcome, readings } = await ask('read the temperature of machine twelve');
        const after = await temperatureOfMachineTwelve(modbusPort);
        const [reading, ...others] = readings;
        if (reading === undefined) throw new Error(`no reading: ${outcome}, ${answer}`);
        assert.equal(others.length, 0);
        assert.deepEqual(
          [reading.machine, reading.point, reading.quality],
          ['machine-12', 'temperature', 'good'],
        );
        // The process moves on between two readings, by its noise and by far less than two degrees.
        assert.ok(
          reading.value > Math.min(before, after) - 2 && reading.value < Math.max(before, after) + 2,
          `${reading.value} between ${before} and ${after}`,
        );
        assert.match(answer, /machine twelve/u);
      },
    },
    {
      name: 'a typed command in Chinese is answered in Chinese',
      async run() {
        const { answer, readings } = await ask('读取十二号机床的温度');
        assert.equal(readings[0]?.quality, 'good');
        assert.match(answer, /十二号机床.*温度|温度.*十二号机床/u);
      },
    },
    {
      name: 'the daemon stops cleanly',
      async run() {
        const stopping = running();
        stopping.signal('SIGTERM');
        const { status, signal, stderr } = await stopping.end(STOP_WITHIN_MS);
        assert.deepEqual({ status, signal }, { status: 0, signal: null }, stderr);
        assert.equal(stopping.groupAlive, false, 'its process group is empty');
        await systemd?.until('STOPPING', () => systemd?.stdout.includes('STOPPING=1'));
        systemd?.kill();
        assert.equal(existsSync(join(stateFolder, 'control.sock')), false, 'the control socket is gone');
        assert.equal(existsSync(join(stateFolder, 'state.db-wal')), false, 'the database is closed');
        assert.ok(existsSync(join(stateFolder, 'state.db')));
      },
    },
    {
      name: 'the simulated line stops cleanly',
      async run() {
        if (line === undefined) throw new Error('there is no line, see above');
        line.signal('SIGTERM');
        const { status, stderr } = await line.end(STOP_WITHIN_MS);
        assert.equal(status, 0, stderr);
      },
    },
  ];
}

/** Read on this machine's own processor: a float32 in holding registers 0 and 1 of unit 1. */
async function temperatureOfMachineTwelve(port: number): Promise<number> {
  const client = new modbusSerial.default();
  await client.connectTCP('127.0.0.1', { port });
  try {
    client.setID(1);
    client.setTimeout(5_000);
    return (await client.readHoldingRegisters(0, 2)).buffer.readFloatBE(0);
  } finally {
    await new Promise<void>((resolve) => client.close(() => resolve()));
  }
}
