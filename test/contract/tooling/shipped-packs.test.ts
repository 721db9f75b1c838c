import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shippedPacks, toolPacks } from '../../../src/composition/tool-packs.ts';
import { composeTools, type Tools } from '../../../src/composition/tools.ts';
import { CAPABILITIES } from '../../../src/domain/tool/tool-contract.ts';
import { systemClocks, systemScheduler } from '../../../src/runtime/clocks.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';

let tools: Tools;

beforeAll(async () => {
  tools = composeTools(
    {
      packs: toolPacks(undefined),
      siteDirectory: undefined,
      capabilities: [],
      admit: () => ({ ok: true }),
      tickets: { open: async () => 'tk_1' },
      stateHash: () => undefined,
      names: () => undefined,
    },
    { clocks: systemClocks(), scheduler: systemScheduler, logger: silentLogger() },
  );
  for (const service of tools.services) await service.start(new AbortController().signal);
}, 10_000);

afterAll(async () => {
  for (const service of tools.services.toReversed()) await service.stop(5000);
});

describe('the shipped tool packs', () => {
  it.each(
    toolPacks(undefined)
      .read()
      .map(({ name }) => name),
  )('%s fits the others and passes its tests in the sandbox', { timeout: 300_000 }, async (name) => {
    const state = await tools.registry.whenTested(name, 290_000);
    expect({ state, faults: tools.registry.faults(name) }).toEqual({ state: 'READY', faults: [] });
  });

  it('use only capabilities that there are, and at least those that a site cannot do without', () => {
    const used = new Set(tools.registry.all().flatMap(({ contract }) => contract?.capabilities ?? []));
    expect(CAPABILITIES).toEqual(expect.arrayContaining([...used]));
    expect([...used]).toEqual(expect.arrayContaining(['points.read', 'caller.describe']));
    expect(shippedPacks()).toMatch(/tools$/u);
  });
});
