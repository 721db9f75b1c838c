import { describe, expect, it } from 'vitest';
import { CapabilityUses } from '../../../../src/adapters/sandbox/capability-uses.ts';
import { EdgeError } from '../../../../src/runtime/edge-error.ts';
import type { CapabilityHost } from '../../../../src/tooling/capability.ts';
import { callOf, hostilePack, type Limits } from '../../../support/tool-pack.ts';

function usesOf(limits: Limits, host: CapabilityHost): CapabilityUses {
  return new CapabilityUses(hostilePack('good', limits), callOf('good'), host);
}

const forEver = () => new Promise<never>(() => undefined);
const rejecting =
  (error: Error): CapabilityHost =>
  () =>
    Promise.reject(error);

describe('the uses of capabilities by a call', () => {
  it('are those that the contract lists, on behalf of the caller', async () => {
    const uses = usesOf({ capabilities: ['plant.describe'] }, async (name, args, { call }) => ({
      name,
      args: JSON.stringify(args),
      station: call.caller.station,
    }));
    expect(await uses.use(0, 'plant.describe', { a: 1 })).toEqual({
      ok: true,
      value: { name: 'plant.describe', args: '{"a":1}', station: 'line-1' },
    });
    expect(await uses.use(1, 'points.write', {})).toMatchObject({ ok: false, code: 'DENIED' });
    expect(await uses.use(2, 'no.such', {})).toMatchObject({ ok: false, code: 'DENIED' });
  });

  it('are at most 32 at a time', async () => {
    const uses = usesOf({}, forEver);
    for (let i = 0; i < 32; i++) void uses.use(i, 'plant.describe', {});
    expect(await uses.use(32, 'plant.describe', {})).toMatchObject({ ok: false, code: 'TOOL_FAILED' });
  });

  it('are at most 1000 in all', async () => {
    const uses = usesOf({}, async () => null);
    for (let i = 0; i < 1000; i++) await uses.use(i, 'plant.describe', {});
    expect(uses.exhausted).toBe(false);
    await uses.use(1000, 'plant.describe', {});
    expect(uses.exhausted).toBe(true);
  });

  it('open as many connections at a time as the contract allows; the others wait', async () => {
    let open = 0;
    let most = 0;
    const close: (() => void)[] = [];
    const uses = usesOf({ capabilities: ['http.request'], sandbox: { connections: 2 } }, async () => {
      open += 1;
      most = Math.max(most, open);
      await new Promise<void>((resolve) => close.push(resolve));
      open -= 1;
      return null;
    });
    const all = Promise.all(Array.from({ length: 5 }, (_, i) => uses.use(i, 'http.request', {})));
    for (let closed = 0; closed < 5; ) {
      await Promise.resolve();
      for (const end of close.splice(0)) {
        end();
        closed += 1;
      }
    }
    await all;
    expect(most).toBe(2);
  });

  it('open none where the contract allows none', async () => {
    const uses = usesOf({ capabilities: ['http.request'], sandbox: { connections: 0 } }, async () => null);
    expect(await uses.use(0, 'http.request', {})).toMatchObject({ ok: false, code: 'DENIED' });
  });

  it('tell the handler the code of what went wrong, and keep what a call that lets it through comes to', async () => {
    const cases = [
      [new EdgeError('MODBUS_TIMEOUT', 'no answer'), 'MODBUS_TIMEOUT', 'TOOL_UNAVAILABLE'],
      [new EdgeError('INPUT_INVALID', 'no such point', { hint: 'x' }), 'INPUT_INVALID', 'INPUT_INVALID'],
      [new EdgeError('DENIED', 'not you'), 'DENIED', 'DENIED'],
      [
        new EdgeError('MODBUS_TIMEOUT', 'sent', { retry: 'unknown-outcome' }),
        'MODBUS_TIMEOUT',
        'OUTCOME_UNKNOWN',
      ],
      [new TypeError('a slip of ours'), 'TOOL_FAILED', 'TOOL_FAILED'],
    ] as const;
    for (const [error, told, kept] of cases) {
      const uses = usesOf({}, rejecting(error));
      expect(await uses.use(7, 'plant.describe', {})).toMatchObject({ ok: false, code: told });
      expect(uses.refusal(7)).toMatchObject({ code: kept, message: error.message });
    }
  });

  it('end with the call: what is under way is cancelled', async () => {
    const signals: AbortSignal[] = [];
    const uses = usesOf({}, (_name, _args, { signal }) => {
      signals.push(signal);
      return forEver();
    });
    void uses.use(0, 'plant.describe', {});
    uses.end();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it('may have acted once something that stays done was begun, unless it was refused', async () => {
    const writing: Limits = { capabilities: ['points.write', 'points.read'], risk: 'physical' };
    const reading = usesOf(writing, async () => null);
    await reading.use(0, 'points.read', {});
    expect(reading.mayHaveActed).toBe(false);
    await reading.use(1, 'points.write', {});
    expect(reading.mayHaveActed).toBe(true);

    const hanging = usesOf(writing, forEver);
    void hanging.use(0, 'points.write', {});
    expect(hanging.mayHaveActed).toBe(true);

    const refused = usesOf(writing, rejecting(new EdgeError('DENIED', 'locked')));
    await refused.use(0, 'points.write', {});
    expect(refused.mayHaveActed).toBe(false);

    const lost = usesOf(writing, rejecting(new EdgeError('X', 'sent', { retry: 'unknown-outcome' })));
    await lost.use(0, 'points.write', {});
    expect(lost.mayHaveActed).toBe(true);
  });
});
