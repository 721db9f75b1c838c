import { afterEach, describe, expect, it } from 'vitest';
import type { ToolOutcome } from '../../../src/domain/tool/tool-call.ts';
import type { ToolEvent } from '../../../src/tooling/tool-observer.ts';
import { JumpingTime } from '../../support/jumping-time.ts';
import { bad, codeOf, good, packOf, scriptedTools } from '../../support/scripted-tools.ts';
import { contractOf, described, toolCall } from '../../support/tool-contract.ts';

const read = contractOf('read-value', {
  schema: {
    parameters: {
      properties: described({
        machine: { type: 'string' },
        limit: { type: 'number', unit: 'degC' },
        secret: { type: 'string' },
      }),
      required: ['machine'],
    },
    response: { properties: described({ value: { type: 'number' } }) },
  },
  observability: { redact: ['secret'] },
});
const cache = contractOf('read-cache', {
  schema: {
    parameters: { properties: described({ machine: { type: 'string' } }) },
    response: { properties: described({ value: { type: 'number' } }) },
  },
});
const security = (changes: object) => ({
  security: { access_level: 'INTERNAL', risk: 'none', data_scope: [], ...changes },
});
const call = (changes: Parameters<typeof toolCall>[1] = {}) =>
  toolCall('read-value', { args: { machine: 'kiln' }, ...changes });

let stop: () => Promise<void> = async () => undefined;
async function started(setting: Parameters<typeof scriptedTools>[0]) {
  const tools = scriptedTools(setting);
  await tools.registry.start();
  stop = async () => {
    tools.breakers.close();
    await tools.registry.stop();
  };
  return tools;
}
afterEach(() => stop());

const failed = (outcome: ToolOutcome) => {
  if (outcome.status === 'ok') throw new Error('it went well');
  return outcome;
};

describe('a call of a tool', () => {
  it('hands checked arguments in the units of the contract to the handler', async () => {
    const tools = await started({
      packs: [packOf(read)],
      handlers: { 'read-value': () => good({ value: 5 }) },
    });
    const outcome = await tools.runner.call(
      call({ args: { machine: 'kiln', limit: { value: 212, unit: 'degF' } } }),
    );
    expect(outcome).toMatchObject({ status: 'ok', tool: 'read-value', result: { value: 5 } });
    expect(tools.ran[0]?.args).toEqual({ machine: 'kiln', limit: 100 });
  });

  it('with wrong arguments never reaches the handler, and opens neither breaker nor ticket', async () => {
    const tools = await started({ packs: [packOf(read)] });
    for (let times = 0; times < 10; times += 1) {
      const outcome = await tools.runner.call(call({ args: { machin: 'kiln' } }));
      expect(failed(outcome).error).toMatchObject({ code: 'INPUT_INVALID', hint: 'did you mean "machine"?' });
    }
    expect(tools.ran).toEqual([]);
    expect(tools.tickets).toEqual([]);
    expect(tools.runner.state('read-value')).toBe('READY');
  });

  it('of an unknown tool names the nearest', async () => {
    const tools = await started({ packs: [packOf(read)] });
    expect(failed(await tools.runner.call(toolCall('raed-value'))).error).toMatchObject({
      code: 'UNKNOWN_TOOL',
      hint: 'Did you mean "read-value"?',
    });
  });

  it('of a tool that did not pass its checks is refused with the reason', async () => {
    const packs = [packOf(read, { content: { ok: false, faults: ['tool.yaml:3:1 no such key'] } })];
    const tools = await started({ packs });
    expect(tools.runner.contract('read-value')).toBeUndefined();
    expect(failed(await tools.runner.call(call())).error).toMatchObject({
      code: 'TOOL_UNAVAILABLE',
      hint: 'tool.yaml:3:1 no such key',
    });
  });

  it('waits for the verdict of the tests', async () => {
    let pass: () => void = () => undefined;
    const cases = [{ name: 'it works', args: { machine: 'kiln' }, expect: { ok: {} } }];
    const tools = await started({
      packs: [packOf(read, { cases })],
      tested: () => new Promise((resolve) => (pass = () => resolve(good()))),
    });
    const outcome = tools.runner.call(call());
    await new Promise((resolve) => setImmediate(resolve));
    expect(tools.runner.state('read-value')).toBe('TESTING');
    expect(tools.ran).toEqual([]);
    pass();
    expect(codeOf(await outcome)).toBe('ok');
  });

  it('whose tests do not end is refused in time', async () => {
    const cases = [{ name: 'it works', args: { machine: 'kiln' }, expect: { ok: {} } }];
    const time = new JumpingTime();
    const tools = await started({
      packs: [packOf(read, { cases })],
      tested: (_call, signal) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve(bad('CANCELLED')))),
      time,
    });
    const outcome = failed(await tools.runner.call(call()));
    expect(outcome.error).toMatchObject({
      code: 'TOOL_UNAVAILABLE',
      message: 'read-value is still being tested',
    });
    expect(outcome.durationMs).toBeLessThanOrEqual(10_000);
  });

  it.each([
    ['throws', () => Promise.reject(new Error('inside'))],
    ['throws a text', () => Promise.reject('inside')],
  ])('is answered when the sandbox %s', async (_what, handler) => {
    const tools = await started({ packs: [packOf(read)], handlers: { 'read-value': handler } });
    expect(codeOf(await tools.runner.call(call()))).toBe('TOOL_FAILED');
  });

  it('is answered when its arguments are nested without end', async () => {
    const tools = await started({ packs: [packOf(read)] });
    let nested = {};
    for (let depth = 0; depth < 20_000; depth += 1) nested = { a: nested };
    expect(codeOf(await tools.runner.call(call({ args: { machine: nested } })))).toBe('INPUT_INVALID');
  });

  it('whose result does not fit is OUTPUT_INVALID', async () => {
    const tools = await started({
      packs: [packOf(read)],
      handlers: { 'read-value': () => good({ value: 'x' }) },
    });
    expect(failed(await tools.runner.call(call())).error).toMatchObject({
      code: 'OUTPUT_INVALID',
      message: 'result.value: a number, not "x"',
    });
  });

  it('that fails leaves the others alone', async () => {
    const tools = await started({
      packs: [packOf(read), packOf(cache)],
      handlers: {
        'read-value': () => Promise.reject(new Error('inside')),
        'read-cache': () => good({ value: 1 }),
      },
    });
    const outcomes = await Promise.all([
      tools.runner.call(call()),
      tools.runner.call(toolCall('read-cache')),
    ]);
    expect(outcomes.map(codeOf)).toEqual(['TOOL_FAILED', 'ok']);
  });
});

describe('what would be refused is known before', () => {
  it('with arguments as the handler will get them, and the longest time it takes', async () => {
    const tools = await started({ packs: [packOf(read)] });
    expect(tools.runner.check(call({ args: { machine: 'kiln', limit: { value: 0, unit: 'K' } } }))).toEqual({
      ok: true,
      args: { machine: 'kiln', limit: -273.15 },
      estimateMs: 1000,
    });
    expect(tools.runner.check(call({ args: {} }))).toMatchObject({
      ok: false,
      error: { code: 'INPUT_INVALID' },
    });
    expect(tools.runner.check(call({ path: ['read-value'] }))).toMatchObject({
      error: { code: 'RECURSIVE_CALL' },
    });
  });

  it('and checking counts nothing', async () => {
    const tools = await started({ packs: [packOf(read)] });
    for (let times = 0; times < 20; times += 1) expect(tools.runner.check(call()).ok).toBe(true);
    expect(codeOf(await tools.runner.call(call()))).toBe('ok');
  });
});

describe('guards', () => {
  it('stop a tool at its second occurrence, and a fourth level', async () => {
    const tools = await started({ packs: [packOf(read)] });
    expect(codeOf(await tools.runner.call(call({ path: ['report', 'read-value'] })))).toBe('RECURSIVE_CALL');
    expect(codeOf(await tools.runner.call(call({ path: ['a', 'b', 'c'] })))).toBe('CALL_DEPTH_EXCEEDED');
    expect(tools.ran).toEqual([]);
  });

  it('block the third identical call of one turn, in whatever unit it is asked', async () => {
    const tools = await started({ packs: [packOf(read)] });
    const asked = (limit: number | { value: number; unit: string }) =>
      tools.runner.call(call({ args: { machine: 'kiln', limit } }));
    expect(codeOf(await asked(0))).toBe('ok');
    expect(codeOf(await asked({ value: 273.15, unit: 'K' }))).toBe('ok');
    expect(codeOf(await asked({ value: 32, unit: 'degF' }))).toBe('REPEATED_CALL');
    expect(codeOf(await asked(1))).toBe('ok');
    const { caller } = call();
    expect(
      codeOf(
        await tools.runner.call(
          call({ args: { machine: 'kiln', limit: 0 }, caller: { ...caller, turnId: 'tr_2' } }),
        ),
      ),
    ).toBe('ok');
  });
});

describe('admission', () => {
  it('is asked with checked arguments at the last moment, and nothing runs without it', async () => {
    const asked: unknown[] = [];
    const tools = await started({
      packs: [packOf(read)],
      admit: ({ args }, { name }) => {
        asked.push({ args, name });
        return { ok: false, code: 'NOT_CONFIRMED', message: 'nobody said yes' };
      },
    });
    const outcome = failed(
      await tools.runner.call(call({ args: { machine: 'kiln', limit: { value: 0, unit: 'K' } } })),
    );
    expect(outcome.error.code).toBe('NOT_CONFIRMED');
    expect(outcome.ticketId).toBeUndefined();
    expect(asked).toEqual([{ args: { machine: 'kiln', limit: -273.15 }, name: 'read-value' }]);
    expect(tools.ran).toEqual([]);
  });

  it('that cannot be found out is a refusal', async () => {
    const tools = await started({ packs: [packOf(read)], admit: () => Promise.reject(new Error('disk')) });
    expect(codeOf(await tools.runner.call(call()))).toBe('DENIED');
    expect(tools.ran).toEqual([]);
  });

  it('is asked again for the tool that stands in, without the consent that was given to another', async () => {
    const consent = { confirmationId: 'c', by: 'Wang', ground: [] };
    const asked: unknown[] = [];
    const tools = await started({
      packs: [packOf(contractOf('read-value', { ...read, fallback_tool: 'read-cache' })), packOf(cache)],
      handlers: { 'read-value': () => bad('TOOL_TIMEOUT') },
      admit: (given, { name }) => {
        asked.push([name, given.consent?.by]);
        return name === 'read-cache' ? { ok: false, code: 'DENIED', message: 'no' } : { ok: true };
      },
    });
    expect(codeOf(await tools.runner.call(call({ consent })))).toBe('TOOL_TIMEOUT');
    expect(asked).toEqual([
      ['read-value', 'Wang'],
      ['read-cache', undefined],
    ]);
    expect(tools.ran.map(({ tool }) => tool)).toEqual(['read-value']);
  });
});

describe('when a tool fails', () => {
  const sla = (attempts: number, changes: object = {}) => ({
    sla: {
      max_execution_time_ms: 1000,
      retry_policy: { attempts, delay_ms: 50 },
      idempotent: true,
      ...changes,
    },
  });

  it('an idempotent read is repeated as its contract says', async () => {
    let runs = 0;
    const tools = await started({
      packs: [packOf(contractOf('read-value', { ...read, ...sla(2) }))],
      handlers: {
        'read-value': () => {
          runs += 1;
          return runs < 3 ? bad('TOOL_TIMEOUT') : good({ value: 1 });
        },
      },
      time: new JumpingTime(),
    });
    const outcome = await tools.runner.call(call());
    expect([codeOf(outcome), runs, outcome.degradedBy]).toEqual(['ok', 3, undefined]);
  });

  it.each(['INPUT_INVALID', 'OUTPUT_INVALID', 'OUTCOME_UNKNOWN', 'TOOL_OOM', 'CANCELLED'] as const)(
    '%s is not repeated: it would come to the same, or is not safe',
    async (code) => {
      const tools = await started({
        packs: [packOf(contractOf('read-value', { ...read, ...sla(2) }))],
        handlers: { 'read-value': () => bad(code) },
        time: new JumpingTime(),
      });
      expect(codeOf(await tools.runner.call(call()))).toBe(code);
      expect(tools.ran.length).toBe(1);
    },
  );

  it('it is not repeated when the step has no time left for it', async () => {
    const time = new JumpingTime();
    const tools = await started({
      packs: [packOf(contractOf('read-value', { ...read, ...sla(3, { max_execution_time_ms: 4000 }) }))],
      handlers: {
        'read-value': () => {
          time.pass(4000);
          return bad('TOOL_TIMEOUT');
        },
      },
      time,
    });
    expect(failed(await tools.runner.call(call())).durationMs).toBeLessThan(10_000);
    expect(tools.ran.length).toBe(2);
  });

  it('the tool that it names stands in, and the answer says so', async () => {
    const tools = await started({
      packs: [packOf(contractOf('read-value', { ...read, fallback_tool: 'read-cache' })), packOf(cache)],
      handlers: { 'read-value': () => bad('TOOL_UNAVAILABLE'), 'read-cache': () => good({ value: 4 }) },
    });
    const outcome = await tools.runner.call(call({ args: { machine: 'kiln', limit: 5 } }));
    expect(outcome).toMatchObject({
      status: 'ok',
      tool: 'read-value',
      result: { value: 4 },
      degradedBy: 'tool',
    });
    expect(tools.ran.at(-1)).toMatchObject({ tool: 'read-cache', args: { machine: 'kiln' } });
    expect(tools.tickets).toEqual([]);
  });

  it('nothing of higher access or with a risk stands in, whatever the contracts became', async () => {
    const main = contractOf('read-value', { ...read, fallback_tool: 'read-cache' });
    for (const changes of [
      security({ access_level: 'CRITICAL' }),
      security({ risk: 'reversible', access_level: 'PUBLIC' }),
    ]) {
      const tools = await started({
        packs: [packOf(main), packOf(contractOf('read-cache', { ...cache, ...changes }))],
        handlers: { 'read-value': () => bad('TOOL_UNAVAILABLE') },
      });
      await tools.runner.call(call());
      expect(tools.ran.map(({ tool }) => tool)).not.toContain('read-cache');
      await stop();
    }
  });

  it('and nothing stands in, a canned answer and a ticket without secrets remain', async () => {
    const tools = await started({
      packs: [packOf(read)],
      handlers: { 'read-value': () => bad('TOOL_OOM', 'used 80 MB') },
    });
    const outcome = await tools.runner.call(
      call({ args: { machine: 'kiln', secret: '4711' }, path: ['report'] }),
    );
    expect(outcome).toMatchObject({ status: 'failed', degradedBy: 'canned', ticketId: 'tk_1' });
    expect(tools.tickets).toEqual([
      {
        tool: 'read-value',
        code: 'TOOL_OOM',
        message: 'used 80 MB',
        input: { machine: 'kiln', secret: '[redacted]' },
        path: ['report', 'read-value'],
        sessionId: 'session-1',
        turnId: 'tr_1',
        stateHash: 'hash',
        safety: false,
      },
    ]);
  });

  it('with an unknown outcome, nothing is tried and a person has to look at it', async () => {
    const write = contractOf('write-value', security({ risk: 'physical' }));
    const tools = await started({
      packs: [packOf(write)],
      handlers: { 'write-value': () => bad('OUTCOME_UNKNOWN') },
    });
    const outcome = failed(await tools.runner.call(toolCall('write-value')));
    expect(outcome).toMatchObject({ error: { code: 'OUTCOME_UNKNOWN' }, ticketId: 'tk_1' });
    expect(tools.tickets[0]?.safety).toBe(true);
    expect(tools.ran.length).toBe(1);
  });

  it('for want of a free worker, it is not the tool that failed: no breaker opens, and nobody is called', async () => {
    const tools = await started({
      packs: [packOf(read)],
      handlers: { 'read-value': () => bad('TOOL_BUSY') },
    });
    for (let turn = 0; turn < 20; turn += 1) {
      const outcome = await tools.runner.call(call({ caller: { ...call().caller, turnId: `tr_${turn}` } }));
      expect(outcome).toMatchObject({ status: 'failed', error: { code: 'TOOL_BUSY' } });
      expect(outcome).not.toHaveProperty('ticketId');
    }
    expect(tools.runner.state('read-value')).toBe('READY');
  });

  it('three times in a row by time, it is left alone until its cooldown is over', async () => {
    const time = new JumpingTime();
    let isBack = false;
    const tools = await started({
      packs: [packOf(read)],
      handlers: { 'read-value': () => (isBack ? good({ value: 1 }) : bad('TOOL_TIMEOUT')) },
      time,
    });
    await tools.registry.whenTested('read-value', 1000);
    const asked = (turn: number) =>
      tools.runner.call(call({ caller: { ...call().caller, turnId: `tr_${turn}` } }));
    const codes = [];
    for (let turn = 0; turn < 3; turn += 1) codes.push(codeOf(await asked(turn)));
    expect(codes).toEqual(['TOOL_TIMEOUT', 'TOOL_TIMEOUT', 'TOOL_TIMEOUT']);
    expect(tools.runner.state('read-value')).toBe('OPEN');
    expect(codeOf(await asked(4))).toBe('TOOL_UNAVAILABLE');
    expect(tools.ran.length).toBe(3);
    isBack = true;
    while (tools.runner.state('read-value') === 'OPEN') await new Promise((resolve) => setImmediate(resolve));
    expect(tools.runner.state('read-value')).toBe('HALF_OPEN');
    expect(time.monotonicMs()).toBeGreaterThanOrEqual(600_000);
    expect(codeOf(await asked(5))).toBe('ok');
    expect(tools.runner.state('read-value')).toBe('READY');
  });
});

describe('calling off', () => {
  it('before it began runs nothing', async () => {
    const tools = await started({ packs: [packOf(read)] });
    expect(codeOf(await tools.runner.call(call(), AbortSignal.abort()))).toBe('CANCELLED');
    expect(tools.ran).toEqual([]);
  });

  it('reaches the handler, and ends the call even when the sandbox is silent', async () => {
    const time = new JumpingTime();
    let reached = false;
    const controller = new AbortController();
    const tools = await started({
      packs: [packOf(read)],
      handlers: {
        'read-value': (_call, signal) => {
          signal.addEventListener('abort', () => {
            reached = true;
          });
          controller.abort();
          return new Promise(() => undefined);
        },
      },
      time,
    });
    expect(codeOf(await tools.runner.call(call(), controller.signal))).toBe('CANCELLED');
    expect(reached).toBe(true);
  });
});

describe('observers', () => {
  it('are told of start and end with the duration, a digest of the input and the code, and of nothing secret', async () => {
    const told: [string, ToolEvent][] = [];
    const observer = {
      onStart: (event: ToolEvent) => void told.push(['start', event]),
      onSuccess: (event: ToolEvent) => void told.push(['success', event]),
      onFailure: (event: ToolEvent) => void told.push(['failure', event]),
    };
    let isFine = true;
    const tools = await started({
      packs: [packOf(read)],
      handlers: { 'read-value': () => (isFine ? good() : bad('TOOL_CPU')) },
      observers: [observer],
    });
    await tools.runner.call(call({ args: { machine: 'kiln', secret: '4711' } }));
    isFine = false;
    await tools.runner.call(call({ args: { machine: 'kiln', secret: '4712' } }));
    expect(told.map(([kind]) => kind)).toEqual(['start', 'success', 'start', 'failure']);
    expect(told[1]?.[1]).toMatchObject({
      tool: 'read-value',
      turnId: 'tr_1',
      durationMs: expect.any(Number),
    });
    expect(told[3]?.[1]).toMatchObject({ code: 'TOOL_CPU' });
    expect(told[0]?.[1].inputDigest).toMatch(/^[0-9a-f]{12}$/u);
    expect(told[0]?.[1].inputDigest).toBe(told[2]?.[1].inputDigest);
    // A duration has digits of its own.
    const words = told.map(([kind, event]) => [kind, { ...event, durationMs: 0 }]);
    expect(JSON.stringify(words)).not.toContain('471');
  });

  it('that fail change nothing', async () => {
    const fail = () => {
      throw new Error('inside');
    };
    const tools = await started({
      packs: [packOf(read)],
      observers: [{ onStart: fail, onSuccess: fail, onFailure: fail }],
    });
    expect(codeOf(await tools.runner.call(call()))).toBe('ok');
  });

  it('count calls, failures and the 95th percentile with the limit that follows from it', async () => {
    const time = new JumpingTime();
    const tools = await started({
      packs: [packOf(read)],
      handlers: {
        'read-value': () => {
          time.pass(100);
          return good();
        },
      },
      time,
    });
    for (let turn = 0; turn < 20; turn += 1)
      await tools.runner.call(call({ caller: { ...call().caller, turnId: `tr_${turn}` } }));
    expect(tools.figures.of('read-value')).toEqual({
      calls: 20,
      failures: {},
      running: 0,
      p95Ms: 100,
      limitMs: 130,
    });
    expect(tools.runner.check(call())).toMatchObject({ estimateMs: 100 });
  });
});
