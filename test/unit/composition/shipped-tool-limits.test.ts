import { describe, expect, it } from 'vitest';
import { HTTP_WAIT_MS } from '../../../src/app/capabilities/http-request.ts';
import { MAIL_WAIT_MS } from '../../../src/app/capabilities/mail-send.ts';
import { WRITE_WAIT_MS } from '../../../src/app/plc/point-writer.ts';
import { READ_DEADLINE_MS } from '../../../src/app/read-value.ts';
import { WORK_ORDER_WAIT_MS } from '../../../src/app/work-orders.ts';
import { toolPacks } from '../../../src/composition/tool-packs.ts';
import {
  CAPABILITIES,
  type CapabilityName,
  type ToolContract,
} from '../../../src/domain/tool/tool-contract.ts';

/** What is answered from memory still crosses to a daemon that may be busy, milliseconds. */
const MEMORY_MS = 500;
/** An SD card that puts its own house in order stalls for so long, milliseconds. */
const DISK_MS = 2_000;

/** How long a use of a capability may keep its tool waiting, milliseconds; that of `tools.call` depends on the tool. */
const WAITS: Readonly<Record<Exclude<CapabilityName, 'tools.call'>, number>> = {
  'plant.describe': MEMORY_MS,
  'procedures.find': MEMORY_MS,
  'people.find': MEMORY_MS,
  'node.status': MEMORY_MS,
  'caller.describe': MEMORY_MS,
  'history.over': DISK_MS,
  'plclog.records': DISK_MS,
  'memory.remember': DISK_MS,
  'memory.recall': DISK_MS,
  'memory.about': DISK_MS,
  'memory.happened': DISK_MS,
  'memory.forget': DISK_MS,
  'memory.review': DISK_MS,
  'files.save': DISK_MS,
  'files.remove': DISK_MS,
  'files.read': DISK_MS,
  'points.read': READ_DEADLINE_MS,
  'points.write': WRITE_WAIT_MS,
  'http.request': HTTP_WAIT_MS,
  'mail.send': MAIL_WAIT_MS,
  'work_orders.create': WORK_ORDER_WAIT_MS,
  'work_orders.close': WORK_ORDER_WAIT_MS,
};

const contracts = toolPacks(undefined)
  .read()
  .flatMap(({ content }) => (content.ok ? [content.pack.contract] : []));

function waitOf(capability: CapabilityName, { depends_on }: ToolContract): number {
  if (capability !== 'tools.call') return WAITS[capability];
  const inner = contracts.filter(({ name }) => depends_on.includes(name));
  return Math.max(...inner.map(({ sla }) => sla.max_execution_time_ms));
}

describe('the limits of the shipped tools', () => {
  it('are held against the wait of every capability that there is', () => {
    expect([...Object.keys(WAITS), 'tools.call'].sort()).toEqual([...CAPABILITIES].sort());
    for (const [capability, waitMs] of Object.entries(WAITS))
      expect([capability, waitMs]).toEqual([capability, expect.toSatisfy((ms) => ms > 0)]);
  });

  it.each(contracts.map((contract) => [contract.name, contract] as const))(
    '%s outlasts what it waits for by a fifth, so that it can say itself what went wrong',
    (_name, contract) => {
      expect(contract.capabilities).not.toEqual([]);
      for (const capability of contract.capabilities)
        expect(waitOf(capability, contract) * 1.2).toBeLessThanOrEqual(contract.sla.max_execution_time_ms);
    },
  );
});
