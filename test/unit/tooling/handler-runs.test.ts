import { describe, expect, it } from 'vitest';
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
  const contract = contractOf('write', {
    security: { access_level: 'INTERNAL', risk, data_scope: [] },
    phrases: { away: { en: 'away', zh: '不在' } },
  });
  const { signal } = new AbortController();
  return runs.run({ contract, handler: '/h.js' }, toolCall('write'), signal, Number.POSITIVE_INFINITY);
}

const never = () => new Promise<null>(() => undefined);
const done = () => Promise.resolve(null);

/** Uses a capability, and then never ends. */
const hangsAfter =
  (name: CapabilityName): Doing =>
  (use) => {
    use(name).catch(() => undefined);
    return new Promise(() => undefined);
  };
/** Uses a capability, and then ends with this. */
const endsAfter =
  (outcome: HandlerOutcome, name: CapabilityName = 'points.write'): Doing =>
  async (use) => {
    await use(name);
    return outcome;
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
  it('and is cut short by the runner after it began has an unknown outcome', async () => {
    for (const answer of [done, never])
      expect(await run('physical', answer, hangsAfter('points.write'))).toMatchObject({
        ok: false,
        code: 'OUTCOME_UNKNOWN',
        message: 'it had begun to act when it ended with TOOL_TIMEOUT: no answer within 1000 ms',
      });
  });

  it('and is cut short before it began has failed, which is certain', async () => {
    expect(await run('physical', done, hangsAfter('points.read'))).toMatchObject({ code: 'TOOL_TIMEOUT' });
  });

  it('and was refused for certain has failed too', async () => {
    const refused = () => Promise.reject(new EdgeError('WRITES_OFF', 'no'));
    expect(await run('physical', refused, hangsAfter('points.write'))).toMatchObject({
      code: 'TOOL_TIMEOUT',
    });
    const unknown = () => Promise.reject(new EdgeError('MODBUS_TIMEOUT', 'no', { retry: 'unknown-outcome' }));
    expect(await run('physical', unknown, hangsAfter('points.write'))).toMatchObject({
      code: 'OUTCOME_UNKNOWN',
    });
  });

  it('and whose sandbox fails, or whose result does not fit, has an unknown outcome', async () => {
    const bursts: Doing = async (use) => {
      await use('points.write');
      throw new Error('the sandbox is gone');
    };
    expect(await run('physical', done, bursts)).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    expect(await run('physical', done, endsAfter(good({ more: 1 })))).toMatchObject({
      code: 'OUTCOME_UNKNOWN',
    });
  });

  it.each(['TOOL_FAILED', 'TOOL_UNAVAILABLE', 'INPUT_INVALID', 'OUTCOME_UNKNOWN'] as const)(
    'is believed when the sandbox says %s: it knows what the handler had done',
    async (code) => {
      expect(await run('physical', done, endsAfter(bad(code)))).toMatchObject({ code });
    },
  );

  it('of no risk leaves nothing to be looked at', async () => {
    expect(await run('none', done, hangsAfter('files.save'))).toMatchObject({ code: 'TOOL_TIMEOUT' });
  });
});

describe('what a handler wants said of its failure', () => {
  const says = (phrase: string): HandlerOutcome => ({
    ok: false,
    code: 'TOOL_UNAVAILABLE',
    message: 'away',
    say: [{ phrase, values: {} }],
  });

  it('is kept when it is one of its phrases, and left out otherwise', async () => {
    expect(await run('none', done, endsAfter(says('away')))).toMatchObject({ say: [{ phrase: 'away' }] });
    expect(await run('none', done, endsAfter(says('other')))).toEqual(bad('TOOL_UNAVAILABLE', 'away'));
  });
});
