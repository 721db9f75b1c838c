import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import {
  type BusKeys,
  type StartedConnection,
  serialSettings,
  socketSettings,
  startConnection,
} from '../../support/modbus-connection.ts';
import {
  type ArrivedFrame,
  registersFrame,
  type ScriptedRtuServer,
  startScriptedRtuServer,
} from '../../support/scripted-rtu-server.ts';
import { type SerialLine, startSerialLine } from '../../support/serial-line.ts';

const DEADLINE_MS = 5_000;
const TIMEOUT_MS = 300;

/** A device that takes its time with each request, and answers each register with its own address. */
function slowDevice(
  tookMs: (count: number) => number,
  behind?: (request: ArrivedFrame, count: number) => void,
) {
  let count = 0;
  let turn = Promise.resolve();
  return (request: ArrivedFrame): void => {
    turn = turn.then(
      () =>
        new Promise((resolve) => {
          count += 1;
          const mine = count;
          setTimeout(() => {
            request.reply(request.address);
            behind?.(request, mine);
            resolve();
          }, tookMs(mine));
        }),
    );
  };
}

describe.each(['RTU over TCP', 'a serial port'] as const)('an answer too many over %s', (way) => {
  let server: ScriptedRtuServer;
  let line: SerialLine | undefined;
  let bus: StartedConnection;

  const start = async (onRequest: (request: ArrivedFrame) => void, keys: BusKeys = {}): Promise<void> => {
    server = await startScriptedRtuServer(onRequest);
    const all = { timeout_ms: TIMEOUT_MS, ...keys };
    if (way === 'a serial port') {
      line = await startSerialLine(server.port);
      bus = await startConnection(serialSettings(line.path, all));
    } else bus = await startConnection(socketSettings('rtu_over_tcp', server.port, all));
    await eventually('it is connected', () => bus.connection.health().status === 'ok');
  };

  /** Of so many questions back to back, each for another register: which had the value of another. */
  const wrongOf = async (questions: number): Promise<readonly number[]> => {
    const wrong: number[] = [];
    for (let address = 1; address <= questions; address += 1) {
      const answer = await bus
        .read({ unitId: 1, table: 'holding', address, count: 1 }, DEADLINE_MS)
        .catch(() => undefined);
      if (answer !== undefined && answer[0] !== address) wrong.push(address);
    }
    return wrong;
  };

  afterEach(async () => {
    await bus.connection.stop(1_000);
    await line?.remove();
    line = undefined;
    await server.stop();
  });

  it('is told from the answer to the next question when it comes along with its own', async () => {
    await start(
      slowDevice(
        () => 20,
        (request, count) => count === 5 && request.reply(request.address),
      ),
    );
    expect(await wrongOf(20)).toEqual([]);
    expect(bus.figure('connects_total')).toBe(2);
  });

  it('spoils an answer from which it differs, which is asked for again', async () => {
    await start(
      slowDevice(
        () => 20,
        (request, count) => count === 5 && request.reply(4_711),
      ),
    );
    expect(await wrongOf(20)).toEqual([]);
    expect(bus.figure('garbled_total')).toBe(1);
  });

  it.each([20, 60])('shifts no value for long on a busy line, with a device of %i ms', async (tookMs) => {
    const repeat = (request: ArrivedFrame, count: number): void => {
      if (count === 10) setTimeout(() => request.say(registersFrame(1, 3, request.address)), 30);
    };
    await start(
      slowDevice(() => tookMs, repeat),
      { timeout_ms: 1_000 },
    );
    const wrong = await wrongOf(70);
    expect(wrong.length).toBeLessThanOrEqual(32);
    expect(wrong.every((address) => address <= 10 + 32)).toBe(true);
  });

  it('spoils one value at most when it is late beyond what is waited for', async () => {
    await start(slowDevice((count) => (count === 5 ? 2.6 * TIMEOUT_MS : 20)));
    expect((await wrongOf(30)).length).toBeLessThanOrEqual(1);
    expect(bus.figure('timeouts_total')).toBe(1);
    expect(bus.figure('connects_total')).toBe(2);
  });
});

describe('an answer that a gateway repeats', () => {
  it('shows itself in the silence behind the first one', async () => {
    const repeat = (request: ArrivedFrame, count: number): void => {
      if (count % 10 === 5) setTimeout(() => request.reply(request.address), 3);
    };
    const server = await startScriptedRtuServer(slowDevice(() => 20, repeat));
    const bus = await startConnection(socketSettings('rtu_over_tcp', server.port, { timeout_ms: 1_000 }));
    for (let address = 1; address <= 30; address += 1)
      expect(await bus.read({ unitId: 1, table: 'holding', address, count: 1 }, DEADLINE_MS)).toEqual([
        address,
      ]);
    expect(bus.figure('connects_total')).toBe(4);
    await bus.connection.stop(1_000);
    await server.stop();
  });
});
