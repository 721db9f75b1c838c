import { describe, expect, it } from 'vitest';
import { Lifecycle } from '../../../src/runtime/lifecycle.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import type { Service } from '../../../src/runtime/service.ts';

const options = { stopDeadlineMs: 20 };

function service(name: string, log: string[], more: Partial<Service> = {}): Service {
  return {
    name,
    start: async () => void log.push(`start ${name}`),
    stop: async () => void log.push(`stop ${name}`),
    health: () => ({ status: 'ok', detail: '' }),
    ...more,
  };
}

describe('the lifecycle', () => {
  it('starts in order, is ready last, and stops in reverse', async () => {
    const log: string[] = [];
    const lifecycle = new Lifecycle([service('a', log), service('b', log)], options, silentLogger());
    expect(lifecycle.ready).toBe(false);
    await lifecycle.start();
    expect(lifecycle.ready).toBe(true);
    await lifecycle.stop();
    expect(lifecycle.ready).toBe(false);
    expect(log).toEqual(['start a', 'start b', 'stop b', 'stop a']);
  });

  it('stops what had begun, the failing part too, when one cannot start', async () => {
    const log: string[] = [];
    const broken = service('b', log, { start: () => Promise.reject(new Error('no port')) });
    const lifecycle = new Lifecycle([service('a', log), broken, service('c', log)], options, silentLogger());
    await expect(lifecycle.start()).rejects.toThrow('no port');
    expect(log).toEqual(['start a', 'stop b', 'stop a']);
  });

  it('ends a start half way when it is stopped meanwhile', async () => {
    const log: string[] = [];
    const waiting = service('a', log, {
      start: (signal) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
    });
    const lifecycle = new Lifecycle([waiting, service('b', log)], options, silentLogger());
    const started = lifecycle.start();
    await lifecycle.stop();
    await expect(started).rejects.toThrow('aborted');
    expect(log).not.toContain('start b');
  });

  it('goes on stopping past a part that hangs and one that fails, and stops each once', async () => {
    const log: string[] = [];
    const parts = [
      service('a', log),
      service('hangs', log, { stop: () => new Promise<void>(() => undefined) }),
      service('fails', log, { stop: () => Promise.reject(new Error('cannot')) }),
    ];
    const lifecycle = new Lifecycle(parts, options, silentLogger());
    await lifecycle.start();
    await Promise.all([lifecycle.stop(), lifecycle.stop()]);
    expect(log.filter((line) => line === 'stop a')).toHaveLength(1);
  });
});
