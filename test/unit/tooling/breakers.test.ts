import { describe, expect, it } from 'vitest';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { Breakers } from '../../../src/tooling/breakers.ts';
import { JumpingTime } from '../../support/jumping-time.ts';

const policy = { timeouts: 3, failures: 5, cooldown_ms: 10_000 };

function opened(isHealthy: () => Promise<boolean>) {
  const time = new JumpingTime();
  const breakers = new Breakers({ clocks: time, scheduler: time, logger: silentLogger(), isHealthy });
  for (let times = 0; times < 3; times += 1) breakers.record('read', 'TOOL_TIMEOUT', policy);
  return { time, breakers };
}
const ticks = async (count: number) => {
  for (let tick = 0; tick < count; tick += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('the breakers of tools', () => {
  it('ask for the health of an open one at the end of each cooldown, which grows while it is not well', async () => {
    const askedAtS: number[] = [];
    const { time, breakers } = opened(async () => {
      askedAtS.push(time.monotonicMs() / 1000);
      return askedAtS.length === 4;
    });
    await ticks(20);
    expect(askedAtS).toEqual([11, 31, 71, 151]);
    expect(breakers.state('read')).toBe('HALF_OPEN');
  });

  it('take a health check that fails with an error for a tool that is not well', async () => {
    let asked = 0;
    const { breakers } = opened(() => {
      asked += 1;
      return asked === 1 ? Promise.reject(new Error('inside')) : Promise.resolve(true);
    });
    await ticks(10);
    expect([asked, breakers.state('read')]).toEqual([2, 'HALF_OPEN']);
  });

  it('are of one tool each', () => {
    const { breakers } = opened(async () => false);
    expect([breakers.admits('read'), breakers.admits('write')]).toEqual([false, true]);
    breakers.close();
  });

  it('ask nothing any more when they are closed', async () => {
    let asked = 0;
    const { breakers } = opened(async () => {
      asked += 1;
      return true;
    });
    breakers.close();
    await ticks(10);
    expect([asked, breakers.state('read')]).toEqual([0, 'OPEN']);
  });
});
