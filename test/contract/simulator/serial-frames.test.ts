import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { mbpollSerial, pymodbus } from '../../support/modbus-peers.ts';
import { type StartedLine, startLine } from '../../support/simulated-line.ts';

describe('the simulated line on serial frames', () => {
  let started: StartedLine | undefined;
  let socat: ChildProcess | undefined;
  const folder = mkdtempSync(join(tmpdir(), 'line-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  afterEach(async () => {
    await started?.stop();
    socat?.kill('SIGTERM');
    socat = undefined;
  });

  it('answers pymodbus through a gateway that only hands bytes on', async () => {
    started = await startLine({ rtuOverTcpPort: 0 });
    const { line } = started;
    line.hold({ machine: 'motor-a', point: 'speed' }, 2950);
    const port = `rtu:${line.rtuEndpoint()?.port}`;
    expect(
      await pymodbus(
        port,
        [3, 'holding', 0, 1],
        [3, 'holding', 500, 1],
        [1, 'write_register', 10, 1500],
        [1, 'holding', 10, 1],
      ),
    ).toEqual([[2950], { exception: 2 }, 'written', [1500]]);
    // Nobody there: nobody answers. And a broken checksum is no answer.
    const [absent] = await pymodbus(port, [77, 'holding', 0, 1]);
    expect(absent).toMatchObject({ failed: expect.any(String) });
    line.fault({ name: 'noise', target: 'motor-a', kind: 'garbled', share: 1 });
    const [garbled] = await pymodbus(port, [3, 'holding', 0, 1]);
    expect(garbled).toMatchObject({ failed: expect.any(String) });
  });

  it('obeys a broadcast without an answer', async () => {
    started = await startLine({ rtuOverTcpPort: 0 });
    const port = `rtu:${started.line.rtuEndpoint()?.port}`;
    const [answer] = await pymodbus(port, [0, 'write_register', 10, 1234]);
    expect(answer).not.toEqual({ exception: expect.any(Number) });
    expect(await pymodbus(port, [1, 'holding', 10, 1])).toEqual([[1234]]);
  });

  it('answers mbpoll on a pseudo terminal', async () => {
    const [ours, theirs] = [join(folder, 'ours'), join(folder, 'theirs')];
    socat = spawn('socat', [`pty,raw,echo=0,link=${ours}`, `pty,raw,echo=0,link=${theirs}`], {
      stdio: 'ignore',
    });
    await eventually('the terminals', () => existsSync(ours) && existsSync(theirs));
    started = await startLine({ serial: { path: ours } });
    started.line.hold({ machine: 'motor-a', point: 'speed' }, 2950);
    expect(await mbpollSerial(theirs, 3, '4', 0, 1)).toEqual([2950]);
    expect(await mbpollSerial(theirs, 1, '0', 0, 2)).toEqual([1, 1]);
  });

  it('says which serial port cannot be opened, and starts nothing', async () => {
    await expect(startLine({ serial: { path: join(folder, 'none') } })).rejects.toMatchObject({
      code: 'SIMULATED_LINE_SERIAL',
    });
  });
});
