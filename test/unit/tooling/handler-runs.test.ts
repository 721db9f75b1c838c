import { describe, expect, it } from 'vitest';
import type { ToolErrorCode } from '../../../src/domain/tool/tool-call.ts';
import type { CapabilityName } from '../../../src/domain/tool/tool-contract.ts';
import { EdgeError } from '../../../src/runtime/edge-error.ts';
import type { CapabilityHost } from '../../../src/tooling/capability.ts';
import { EffectWatch } from '../../../src/tooling/effect-watch.ts';
import { HandlerRuns } from '../../../src/tooling/handler-runs.ts';
import type { HandlerOutcome } from '../../../src/tooling/sandbox-port.ts';
import { JumpingTime } from '../../support/jumping-time.ts';
import { bad, good } from '../../support/scripted-tools.ts';
import { contractOf, toolCall } from '../../support/tool-contract.ts';

type Doing = (
  use: (name: CapabilityName) => Promise<unknown>,
  signal: AbortSignal,
) => Promise<HandlerOutcome>;

/** Runs a handler that uses capabilities which answer as given. */
function run(risk: string, answer: () => Promise<null>, doing: Doing): Promise<HandlerOutcome> {
  const time = new JumpingTime();
  const effects = new EffectWatch();
  const host: CapabilityHost = effects.around(answer);
  const runs = new HandlerRuns({
    effects,
    clocks: time,
    scheduler: time,
    sandbox: { run: (_pack, call, signal) => doing((name) => host(name, {}, { call, signal }), signal) },
  });
  const contract = contractOf('write', { security: { access_level: 'INTERNAL', risk, data_scope: [] } });
  const { signal } = new AbortController();
  return runs.run({ contract, handler: '/h.js' }, toolCall('write'), signal, Number.POSITIVE_INFINITY);
}

const never = () => new Promise<null>(() => undefined);
const done = () => Promise.resolve(null);
const ends =
  (code: ToolErrorCode, name: CapabilityName = 'points.write'): Doing =>
  async (use) => {
    await Promise.race([use(name).catch(() => undefined), new Promise((resolve) => setImmediate(resolve))]);
    return bad(code);
  };

describe('a handler', () => {
  it('is ended at its limit when the sandbox does not do it', async () => {
    let isCut = false;
    const outcome = await run('none', done, (_use, signal) => {
      signal.addEventListener('abort', () => {
        isCut = true;
      });
      return new Promise(() => undefined);
    });
    expect(outcome).toEqual({ ok: false, code: 'TOOL_TIMEOUT', message: 'no answer within 1000 ms' });
    expect(isCut).toBe(true);
  });

  it('that has ended is not cut short afterwards', async () => {
    let isCut = false;
    await run('none', done, async (_use, signal) => {
      signal.addEventListener('abort', () => {
        isCut = true;
      });
      return good();
    });
    expect(isCut).toBe(false);
  });
});

describe('a handler that acts', () => {
  it.each([
    'TOOL_TIMEOUT',
    'TOOL_OOM',
    'TOOL_CPU',
    'TOOL_UNAVAILABLE',
    'OUTPUT_INVALID',
    'CANCELLED',
  ] as const)('and is cut short by %s after it began has an unknown outcome', async (code) => {
    for (const answer of [done, never])
      expect(await run('physical', answer, ends(code))).toMatchObject({ ok: false, code: 'OUTCOME_UNKNOWN' });
  });

  it('and is cut short before it began has failed, which is certain', async () => {
    expect(await run('physical', done, async () => bad('TOOL_TIMEOUT'))).toMatchObject({
      code: 'TOOL_TIMEOUT',
    });
    expect(await run('physical', done, ends('TOOL_TIMEOUT', 'points.read'))).toMatchObject({
      code: 'TOOL_TIMEOUT',
    });
  });

  it('and was refused for certain has failed too', async () => {
    const refused = () => Promise.reject(new EdgeError('WRITES_OFF', 'no'));
    expect(await run('physical', refused, ends('TOOL_TIMEOUT'))).toMatchObject({ code: 'TOOL_TIMEOUT' });
    const unknown = () => Promise.reject(new EdgeError('MODBUS_TIMEOUT', 'no', { retry: 'unknown-outcome' }));
    expect(await run('physical', unknown, ends('TOOL_TIMEOUT'))).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  });

  it('says itself what became of it', async () => {
    expect(await run('physical', done, ends('TOOL_FAILED'))).toMatchObject({ code: 'TOOL_FAILED' });
  });

  it('of no risk leaves nothing to be looked at', async () => {
    expect(await run('none', done, ends('TOOL_TIMEOUT', 'files.save'))).toMatchObject({
      code: 'TOOL_TIMEOUT',
    });
  });
});
