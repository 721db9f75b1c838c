import { describe, expect, it } from 'vitest';
import { nestedCallCapability } from '../../../src/tooling/nested-call.ts';
import { JumpingTime } from '../../support/jumping-time.ts';
import { bad, good, packOf, scriptedTools } from '../../support/scripted-tools.ts';
import { contractOf, described, toolCall } from '../../support/tool-contract.ts';

const response = { properties: described({ value: { type: 'number' } }) };
const read = contractOf('read', { schema: { parameters: { properties: {} }, response } });
const report = contractOf('report', { depends_on: ['read'], capabilities: ['tools.call'] });

async function setting(handler = () => good({ value: 3 })) {
  const tools = scriptedTools({
    packs: [packOf(read), packOf(report), packOf(contractOf('other'))],
    handlers: { read: handler },
  });
  await tools.registry.start();
  const capability = nestedCallCapability({ runner: () => tools.runner, clocks: new JumpingTime() });
  const outer = toolCall('report', {
    path: ['plan'],
    consent: { confirmationId: 'c', by: 'Wang', ground: [] },
  });
  const use = (tool: string) =>
    capability.run({ tool, args: {} }, { call: outer, signal: new AbortController().signal });
  return { tools, use };
}

describe('a tool that uses another', () => {
  it('does so for whoever asked, one level deeper and without the consent given to itself', async () => {
    const { tools, use } = await setting();
    expect(await use('read')).toEqual({ result: { value: 3 } });
    expect(tools.ran[0]).toMatchObject({
      tool: 'read',
      path: ['plan', 'report'],
      caller: { turnId: 'tr_1', role: 'operator' },
      consent: undefined,
    });
  });

  it('gives a repeat the same key, so that nothing is done twice', async () => {
    const { tools, use } = await setting();
    await use('read');
    await use('read');
    const keys = tools.ran.map(({ idempotencyKey }) => idempotencyKey);
    expect(keys[0]).toBe(keys[1]);
    expect(tools.ran[0]?.callId).not.toBe(tools.ran[1]?.callId);
  });

  it('names it under depends_on, or is refused', async () => {
    const { tools, use } = await setting();
    await expect(use('other')).rejects.toMatchObject({
      code: 'DENIED',
      message: 'report does not declare "other" under depends_on',
    });
    expect(tools.ran).toEqual([]);
  });

  it('gets the code of what went wrong', async () => {
    const failing = await setting(() => bad('TOOL_OOM', 'too much'));
    await expect(failing.use('read')).rejects.toMatchObject({ code: 'TOOL_OOM', message: 'read: too much' });
    const unknown = await setting(() => bad('OUTCOME_UNKNOWN'));
    await expect(unknown.use('read')).rejects.toMatchObject({ retry: 'unknown-outcome' });
  });
});
