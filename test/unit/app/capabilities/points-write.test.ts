import { describe, expect, it } from 'vitest';
import { pointsWrite } from '../../../../src/app/capabilities/points-write.ts';
import type { WriteOrder, WriteOutcome } from '../../../../src/domain/plc/writing/write-order.ts';
import type { Consent, ToolCall } from '../../../../src/domain/tool/tool-call.ts';
import { demoPlant } from '../../../support/plant-file.ts';

const ground = [{ machine: 'machine-12', point: 'setpoint', value: 1450 }];
const consent: Consent = { confirmationId: 'c-1', by: 'Wang', ground };
const args = { machine: 'machine-12', point: 'setpoint', value: 1500 };

function call(more: Partial<ToolCall> = {}): ToolCall {
  return {
    callId: 'call-1',
    tool: 'write-value',
    args,
    caller: {
      origin: 'voice',
      station: 'line-1',
      sessionId: 's',
      turnId: 't',
      role: 'operator',
      person: undefined,
    },
    path: [],
    idempotencyKey: 'key-1',
    consent,
    ...more,
  };
}

function capability(isAutomatic = false) {
  const orders: WriteOrder[] = [];
  const made = pointsWrite({
    plant: demoPlant(),
    isAutomatic: () => isAutomatic,
    writer: {
      write: async (order): Promise<WriteOutcome> => {
        orders.push(order);
        return {
          status: 'verified',
          reason: 'as_asked',
          id: 'b-1',
          ref: order.ref,
          detail: 'as asked',
          asked: order.value,
          written: order.value,
          isRounded: false,
          before: { quality: 'good', value: 1450 },
          isRecorded: true,
        };
      },
    },
  });
  const use = (given: typeof args | Record<string, string | number | boolean>, of: ToolCall) =>
    made.run(made.args.parse(given), { call: of, signal: new AbortController().signal });
  return { orders, use };
}

describe('writing a point for a tool', () => {
  it('expects the value that was read back, and names who confirmed', async () => {
    const { orders, use } = capability();
    await expect(use(args, call())).resolves.toMatchObject({ status: 'verified', before: 1450 });
    expect(orders).toEqual([
      {
        ref: { machine: 'machine-12', point: 'setpoint' },
        value: 1500,
        expected: 1450,
        by: 'Wang',
        because: 'write-value call-1',
      },
    ]);
  });

  it('is refused without a confirmation', async () => {
    const { orders, use } = capability();
    await expect(use(args, call({ consent: undefined }))).rejects.toMatchObject({ code: 'NOT_CONFIRMED' });
    expect(orders).toEqual([]);
  });

  it('is refused for a point whose value nobody heard', async () => {
    const { orders, use } = capability();
    const other = { ...args, machine: 'oven-1' };
    await expect(use(other, call({ args: other }))).rejects.toMatchObject({ code: 'NOT_CONFIRMED' });
    await expect(use(args, call({ consent: { ...consent, ground: [] } }))).rejects.toMatchObject({
      code: 'NOT_CONFIRMED',
    });
    expect(orders).toEqual([]);
  });

  it('is refused for a value that is not the confirmed one, whatever the handler makes of it', async () => {
    const { orders, use } = capability();
    await expect(use({ ...args, value: 1900 }, call())).rejects.toMatchObject({ code: 'NOT_CONFIRMED' });
    expect(orders).toEqual([]);
  });

  it('needs no confirmation for an output that the site declared to be automatic', async () => {
    const { orders, use } = capability(true);
    await use(args, call({ consent: undefined }));
    expect(orders).toMatchObject([{ value: 1500, by: 'line-1' }]);
    expect(orders[0]).not.toHaveProperty('expected');
  });

  it('names the nearest of a machine or point that there is not', async () => {
    const { use } = capability();
    const wrong = { ...args, point: 'setpiont' };
    await expect(use(wrong, call({ args: wrong }))).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      message: expect.stringContaining('Did you mean "setpoint"?'),
    });
  });
});
