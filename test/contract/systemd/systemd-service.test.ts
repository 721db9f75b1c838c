import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SystemdService } from '../../../src/adapters/systemd/systemd-service.ts';
import { systemScheduler } from '../../../src/runtime/clocks.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { eventually } from '../../support/eventually.ts';

let directory: string;
let receiver: ChildProcess | undefined;
let received: string[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'hermes-notify-'));
  received = [];
});
afterEach(() => {
  receiver?.kill();
  rmSync(directory, { recursive: true });
});

async function receive(name: string): Promise<void> {
  receiver = spawn(
    '/usr/bin/python3',
    [join(import.meta.dirname, '../../support/datagram-receiver.py'), name],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  if (receiver.stdout === null) throw new Error('no pipe');
  createInterface(receiver.stdout).on('line', (line) =>
    received.push(line === 'ready' ? line : JSON.parse(line)),
  );
  await eventually('the receiver', () => received.includes('ready'));
}

const open = (
  notifySocket: string | undefined,
  progress: () => Promise<void> = async () => undefined,
): SystemdService =>
  new SystemdService(
    { notifySocket, watchdogMs: 40 },
    { progress, logger: silentLogger(), scheduler: systemScheduler },
  );

describe('notifying systemd', () => {
  it.each(['a path', 'an abstract name'])(
    'says READY, pings while there is progress, and says STOPPING, on %s',
    async (kind) => {
      const name = kind === 'a path' ? join(directory, 'notify') : `@hermes-notify-${process.pid}`;
      await receive(name);
      const service = open(name);
      await service.start();
      await eventually('two pings', () => received.filter((line) => line === 'WATCHDOG=1').length >= 2);
      await service.stop();
      await eventually('STOPPING', () => received.includes('STOPPING=1'));
      expect(received[1]).toBe('READY=1\nSTATUS=listening');
    },
  );

  it('sends no ping without progress, says so, and goes on when it is back', async () => {
    const name = join(directory, 'notify');
    await receive(name);
    let works = false;
    let asked = 0;
    const service = open(name, async () => {
      asked += 1;
      if (!works) throw new Error('the database does not answer');
    });
    await service.start();
    await eventually('it was looked for twice', () => asked >= 2);
    expect(received).not.toContain('WATCHDOG=1');
    expect(service.health()).toEqual({
      status: 'degraded',
      detail: 'the watchdog was not pinged: the database does not answer',
    });
    works = true;
    await eventually('a ping', () => received.includes('WATCHDOG=1'));
    await service.stop();
  });

  it('does nothing when systemd did not start it', async () => {
    const service = open(undefined);
    await service.start();
    expect(service.health().status).toBe('off');
    await service.stop();
  });

  it('refuses a socket that is neither a path nor an abstract name', async () => {
    await expect(open('relative').start()).rejects.toMatchObject({ code: 'NOTIFY_FAILED' });
  });
});

describe('the unit', () => {
  const unit = join(import.meta.dirname, '../../../systemd/hermes-edge.service');

  it('is valid', () => {
    // Where node is installed elsewhere than in the unit's own place, only its path may differ.
    const here = join(directory, 'hermes-edge.service');
    writeFileSync(here, readFileSync(unit, 'utf8').replace('/usr/bin/node', process.execPath));
    // Without --recursive-errors a misspelt setting is only a warning.
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--recursive-errors=no', here], {
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('is hardened to an exposure of at most 2.0', () => {
    const report = execFileSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', unit], {
      encoding: 'utf8',
    });
    expect(report).toMatch(/Overall exposure level .*: [01]\.\d OK|Overall exposure level .*: 2\.0 /u);
  });

  it.each([
    'Type=notify',
    'NotifyAccess=main',
    'WatchdogSec=',
    'Restart=always',
    'StartLimitIntervalSec=0',
    'SupplementaryGroups=audio dialout',
  ])('has %s', (line) => {
    expect(readFileSync(unit, 'utf8')).toContain(line);
  });

  it('starts without waiting for the network', () => {
    expect(readFileSync(unit, 'utf8')).not.toContain('network-online');
  });
});
