import { z } from 'zod';
import type { JsonObject } from '../../domain/json.ts';
import { findByName } from '../../domain/plc/find-by-name.ts';
import type { PlantModel } from '../../domain/plc/plant-model.ts';
import type { Caller } from '../../domain/tool/tool-call.ts';
import { EdgeError } from '../../runtime/edge-error.ts';
import type { Capability } from '../../tooling/capability.ts';
import type { DiagnosisReports } from '../diagnosis-reports.ts';
import { WORK_ORDER_PRIORITIES } from '../ports/work-order-store.ts';
import type { WorkOrderDesk, WorkOrderReceipt } from '../work-orders.ts';

interface Parts {
  /** Undefined where no work order system is configured. */
  readonly desk: Pick<WorkOrderDesk, 'create' | 'close'> | undefined;
}

interface CreateParts extends Parts {
  readonly plant: PlantModel;
  readonly reports: Pick<DiagnosisReports, 'record'>;
}

const createSchema = z.strictObject({
  machine: z.string().min(1).max(100).optional(),
  title: z.string().trim().min(1).max(500),
  priority: z.enum(WORK_ORDER_PRIORITIES).default('normal'),
});

/**
 * A new work order: `{ number, state, remote }`; `waiting` until the far side can be told. The diagnosis that a person agreed to have
 * mended is kept with what was done about it.
 */
export function workOrdersCreate({
  desk,
  plant,
  reports,
}: CreateParts): Capability<z.infer<typeof createSchema>> {
  return {
    name: 'work_orders.create',
    args: createSchema,
    run: async ({ machine: named, title, priority }, { call }) => {
      const to = configured(desk);
      const machine = named === undefined ? undefined : findByName(named, plant.machineList(), 'machine');
      const { idempotencyKey: key, caller, consent } = call;
      // Before the order: of both, it is the one that a repeat would not bring back.
      if (consent !== undefined && machine !== undefined)
        await reports.record({
          key,
          machine,
          diagnosis: call.args['diagnosis'],
          done: { en: `Work order: ${title}`, zh: `工单：${title}` },
          sessionId: caller.sessionId,
          confirmedBy: consent.by,
        });
      return receiptJson(await to.create({ key, machine, title, priority, createdBy: nameOf(caller) }));
    },
  };
}

const closeSchema = z.strictObject({
  number: z.int().min(1),
  note: z.string().trim().max(500).default(''),
});

/** Closes a work order by its number: `{ number, state, remote }`; `closing` until the far side can be told. */
export function workOrdersClose({ desk }: Parts): Capability<z.infer<typeof closeSchema>> {
  return {
    name: 'work_orders.close',
    args: closeSchema,
    run: async ({ number, note }, { call }) =>
      receiptJson(await configured(desk).close(number, note, nameOf(call.caller))),
  };
}

function configured<T>(desk: T | undefined): T {
  if (desk !== undefined) return desk;
  throw new EdgeError('TOOL_UNAVAILABLE', 'no work order system is configured', {
    hint: 'set work_orders.url in the configuration',
  });
}

function nameOf({ person, station }: Caller): string {
  return person?.name ?? station;
}

function receiptJson({ number, state, remote, why }: WorkOrderReceipt): JsonObject {
  return { number, state, remote: remote ?? null, why: why ?? null };
}
