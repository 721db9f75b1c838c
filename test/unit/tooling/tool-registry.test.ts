import { describe, expect, it } from 'vitest';
import type { HandlerOutcome } from '../../../src/tooling/sandbox-port.ts';
import { bad, good, packOf, scriptedTools } from '../../support/scripted-tools.ts';
import { contractOf, described } from '../../support/tool-contract.ts';

const using = (name: string, ...needs: string[]) =>
  contractOf(name, { depends_on: needs, capabilities: ['tools.call'] });

async function loaded(setting: Parameters<typeof scriptedTools>[0]) {
  const tools = scriptedTools(setting);
  await tools.registry.start();
  for (const { name } of tools.registry.all()) await tools.registry.whenTested(name, 5000);
  return tools;
}

const states = ({ registry }: ReturnType<typeof scriptedTools>) =>
  Object.fromEntries(registry.all().map(({ name, state }) => [name, state]));

describe('loading tool packs', () => {
  it('uses those that fit and names the others with file and key', async () => {
    const wrong = contractOf('wrong', {
      schema: { parameters: { properties: {}, required: ['machine'] }, response: { properties: {} } },
    });
    const tools = await loaded({ packs: [packOf(contractOf('right')), packOf(wrong)] });
    expect(states(tools)).toEqual({ right: 'READY', wrong: 'UNHEALTHY' });
    expect(tools.registry.faults('wrong')).toEqual([
      'tools/wrong/tool.yaml:4:1 schema.parameters.required.0: "machine" is no declared property.',
    ]);
    expect(tools.registry.names()).toEqual(['right']);
    expect(tools.registry.health()).toMatchObject({
      status: 'degraded',
      detail: 'not used: wrong (see hermes-edge tools list)',
    });
  });

  it('keeps a pack that cannot be read from the others', async () => {
    const broken = packOf(contractOf('broken'), {
      content: { ok: false, faults: ['broken/tool.yaml:1:1 no'] },
    });
    const tools = await loaded({ packs: [broken, packOf(contractOf('right'))] });
    expect(states(tools)).toEqual({ broken: 'UNHEALTHY', right: 'READY' });
    expect(tools.registry.faults('broken')).toEqual(['broken/tool.yaml:1:1 no']);
  });

  it('wants the folder and the tool to have one name', async () => {
    const tools = await loaded({ packs: [packOf(contractOf('read'), { name: 'raed' })] });
    expect(tools.registry.faults('raed')).toEqual([
      'tools/read/tool.yaml:1:1 name: the folder is called "raed": give both one name',
    ]);
  });

  it('does not let a pack of the site take the place of a shipped one', async () => {
    const site = packOf(contractOf('read'), { origin: 'site', folder: '/srv/tools/read' });
    const tools = await loaded({ packs: [packOf(contractOf('read')), site] });
    expect(tools.registry.state('read')).toBe('READY');
    expect(tools.registry.pack('read')?.handler).toBe('/tools/read/handler.js');
    expect(tools.registry.all().find(({ origin }) => origin === 'site')).toMatchObject({
      state: 'UNHEALTHY',
      faults: ['/srv/tools/read: tools/read is a tool of that name: choose another'],
    });
  });

  it('rejects every member of a circle of dependencies and what depends on them', async () => {
    const packs = [using('a', 'b'), using('b', 'c'), using('c', 'a'), using('d', 'a'), contractOf('e')];
    const tools = await loaded({ packs: packs.map((contract) => packOf(contract)) });
    expect(states(tools)).toEqual({
      a: 'UNHEALTHY',
      b: 'UNHEALTHY',
      c: 'UNHEALTHY',
      d: 'UNHEALTHY',
      e: 'READY',
    });
    expect(tools.registry.faults('b')[0]).toMatch(/CycleDetected: .*a.* depend on each other/u);
    expect(tools.registry.faults('d')).toEqual(['tools/d/tool.yaml:1:1 depends_on: "a" is UNHEALTHY']);
  });

  it('rejects a tool whose dependency is not there', async () => {
    const tools = await loaded({ packs: [packOf(using('a', 'b'))] });
    expect(tools.registry.faults('a')).toEqual(['tools/a/tool.yaml:1:1 depends_on: there is no tool "b"']);
  });
});

describe('the tests of a pack', () => {
  const measure = contractOf('measure', {
    schema: {
      parameters: { properties: described({ machine: { type: 'string' } }), required: ['machine'] },
      response: { properties: described({ value: { type: 'number' }, parts: { type: 'array' } }) },
    },
    phrases: { told: { en: 'told', zh: '说了' } },
  });
  const tested = async (cases: unknown, outcome: HandlerOutcome) => {
    const tools = await loaded({ packs: [packOf(measure, { cases })], tested: () => outcome });
    return tools.registry.faults('measure')[0] ?? 'READY';
  };
  const saying = (phrase: string): HandlerOutcome => ({
    ok: true,
    result: {},
    say: [{ phrase, values: {} }],
  });
  const called = (expected: object) => [{ name: 'it works', args: { machine: 'kiln' }, expect: expected }];

  it('pass when the result has what is expected, and more', async () => {
    const result = { value: 5, parts: [{ a: 1, b: 2 }] };
    expect(await tested(called({ ok: { value: 5, parts: [{ a: 1 }] } }), good(result))).toBe('READY');
    expect(
      await tested(called({ ok: {}, say: ['told'] }), {
        ok: true,
        result,
        say: [{ phrase: 'told', values: {} }],
      }),
    ).toBe('READY');
  });

  it.each([
    [called({ ok: { value: 6 } }), good({ value: 5 }), 'came to {"value":5}, not to {"value":6}'],
    [
      called({ ok: { parts: [1] } }),
      good({ parts: [1, 2] }),
      'came to {"parts":[1,2]}, not to {"parts":[1]}',
    ],
    [called({ ok: {} }), bad('TOOL_OOM', 'too much'), 'came to TOOL_OOM (too much), not to a result'],
    [called({ code: 'TOOL_UNAVAILABLE' }), good({}), 'came to {}, not to TOOL_UNAVAILABLE'],
    [called({ ok: {}, say: ['told'] }), good({}), 'says [], not ["told"]'],
    [
      called({ ok: {} }),
      good({ secret: 1 }),
      'came to OUTPUT_INVALID (result.secret is not declared in schema.response), not to a result',
    ],
    [
      called({ ok: {} }),
      saying('other'),
      `came to OUTPUT_INVALID (say: "other" is none of the tool's phrases), not to a result`,
    ],
    [
      [{ name: 'it works', args: {}, expect: { ok: {} } }],
      good({}),
      'came to INPUT_INVALID (machine is missing: the machine), not to a result',
    ],
  ])('fail with what came instead: %j', async (cases, outcome, message) => {
    expect(await tested(cases, outcome)).toBe(`tools/measure: test "it works": ${message}`);
  });

  it('may expect that arguments are refused', async () => {
    expect(await tested([{ name: 'none', expect: { code: 'INPUT_INVALID' } }], good())).toBe('READY');
  });

  it('take the tools with them that depend on the one that failed', async () => {
    const tools = await loaded({
      packs: [packOf(using('report', 'measure')), packOf(measure, { cases: called({ ok: { value: 1 } }) })],
      tested: ({ tool }) => (tool === 'measure' ? good({ value: 2 }) : bad('INPUT_INVALID')),
    });
    expect(states(tools)).toEqual({ report: 'UNHEALTHY', measure: 'UNHEALTHY' });
  });

  it('run again when no worker was free', async () => {
    let runs = 0;
    const tools = await loaded({
      packs: [packOf(measure, { cases: called({ ok: {} }) })],
      tested: () => {
        runs += 1;
        return runs === 1 ? bad('TOOL_BUSY') : good();
      },
    });
    expect(states(tools)).toEqual({ measure: 'READY' });
  });

  it('end when the daemon stops while they run', async () => {
    const tools = scriptedTools({
      packs: [packOf(measure, { cases: called({ ok: {} }) })],
      tested: (_call, signal) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve(bad('CANCELLED')))),
    });
    await tools.registry.start();
    expect(tools.registry.health().status).toBe('starting');
    await tools.registry.stop();
    expect(tools.registry.state('measure')).toBe('TESTING');
  });
});
