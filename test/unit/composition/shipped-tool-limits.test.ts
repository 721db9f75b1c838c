import { describe, expect, it } from 'vitest';
import { MAIL_WAIT_MS } from '../../../src/app/capabilities/mail-send.ts';
import { READ_DEADLINE_MS } from '../../../src/app/read-value.ts';
import { WORK_ORDER_WAIT_MS } from '../../../src/app/work-orders.ts';
import { toolPacks } from '../../../src/composition/tool-packs.ts';
import type { CapabilityName } from '../../../src/domain/tool/tool-contract.ts';

/** How long a use of a capability may keep its tool waiting for somebody outside, milliseconds. */
const WAITS: Partial<Record<CapabilityName, number>> = {
  'points.read': READ_DEADLINE_MS,
  'mail.send': MAIL_WAIT_MS,
  'work_orders.create': WORK_ORDER_WAIT_MS,
  'work_orders.close': WORK_ORDER_WAIT_MS,
};

const contracts = toolPacks(undefined)
  .read()
  .flatMap(({ content }) => (content.ok ? [content.pack.contract] : []));

describe('the limits of the shipped tools', () => {
  it.each(contracts.map((contract) => [contract.name, contract] as const))(
    '%s outlasts what it waits for by a fifth, so that it can say itself what went wrong',
    (_name, { capabilities, sla }) => {
      for (const capability of capabilities)
        expect((WAITS[capability] ?? 0) * 1.2).toBeLessThanOrEqual(sla.max_execution_time_ms);
    },
  );
});
