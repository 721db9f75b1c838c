import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Capability } from '../../../src/tooling/capability.ts';
import { createCapabilityHost } from '../../../src/tooling/capability-host.ts';
import { toolCall } from '../../support/tool-contract.ts';

const describePlant: Capability<{ machine: string }> = {
  name: 'plant.describe',
  args: z.strictObject({ machine: z.string() }),
  run: async ({ machine }, { call }) => ({ machine, for: call.caller.station }),
};
const context = { call: toolCall('read'), signal: new AbortController().signal };

describe('the capabilities of the daemon', () => {
  const host = createCapabilityHost([describePlant]);

  it('know on whose behalf they are used', async () => {
    expect(await host('plant.describe', { machine: 'kiln' }, context)).toEqual({
      machine: 'kiln',
      for: 'ask',
    });
  });

  it('do not trust what comes out of the sandbox', async () => {
    await expect(host('plant.describe', { machine: 5 }, context)).rejects.toMatchObject({
      code: 'INPUT_INVALID',
    });
    await expect(host('plant.describe', { machine: 'a', more: 1 }, context)).rejects.toMatchObject({
      code: 'INPUT_INVALID',
    });
  });

  it('that are not there are refused with their name', async () => {
    await expect(host('mail.send', {}, context)).rejects.toMatchObject({
      code: 'TOOL_UNAVAILABLE',
      message: 'mail.send is not switched on at this site',
    });
  });

  it('are not used for a call that has been called off', async () => {
    await expect(
      host('plant.describe', { machine: 'kiln' }, { ...context, signal: AbortSignal.abort() }),
    ).rejects.toThrow();
  });
});
