import { z } from 'zod';
import type { Period } from '../../domain/history/period.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { Language } from '../../domain/language/language.ts';
import { findByName } from '../../domain/plc/find-by-name.ts';
import { describeRecord } from '../../domain/plc/log/describe-entry.ts';
import type { PlantModel } from '../../domain/plc/plant-model.ts';
import { EdgeError } from '../../runtime/edge-error.ts';
import type { Capability } from '../../tooling/capability.ts';
import type { PlcLogEntry, PlcLogStore } from '../ports/plc-log-store.ts';

const name = z.string().min(1).max(100);
const argsSchema = z.strictObject({
  machine: name.optional(),
  log: name.optional(),
  /** Words for a period; the newest of all times without it. */
  period: z.string().trim().min(1).max(200).optional(),
  limit: z.int().min(1).max(200).default(20),
});

/** The newest records of the event logs of PLCs, oldest first: `{ records }`. A gap stands among them as what it is. */
export function plcLogRecords(parts: {
  readonly plant: PlantModel;
  /** Undefined where no log is followed. */
  readonly store: Pick<PlcLogStore, 'latest'> | undefined;
  /** Throws EdgeError INPUT_INVALID. */
  readonly periodOf: (words: string) => Period;
}): Capability<z.infer<typeof argsSchema>> {
  const { plant, store, periodOf } = parts;
  return {
    name: 'plclog.records',
    args: argsSchema,
    run: async ({ machine, log, period, limit }) => {
      if (store === undefined)
        throw new EdgeError('TOOL_UNAVAILABLE', 'no event log of a PLC is followed at this site', {
          hint: 'describe the logs of the machines in the plant file',
        });
      const id = machine === undefined ? undefined : findByName(machine, plant.machineList(), 'machine');
      const logId = log === undefined ? undefined : findByName(log, plant.logList(id), 'log');
      if (id !== undefined && plant.machine(id)?.logs.size === 0)
        throw new EdgeError('INPUT_INVALID', `machine: ${id} has no event log`);
      const range = period === undefined ? undefined : periodOf(period);
      const entries = await store.latest({
        machine: id,
        log: logId,
        fromMs: range?.fromMs,
        toMs: range === undefined ? undefined : range.toMs - 1,
        limit,
      });
      return { records: entries.map((entry) => jsonOf(entry, plant)) };
    },
  };
}

function jsonOf(entry: PlcLogEntry, plant: PlantModel): JsonObject {
  const base = { kind: entry.kind, ...entry.ref, at: new Date(entry.atMs).toISOString() };
  if (entry.kind !== 'record') return { ...base, lost: entry.lost, exact: entry.exact };
  const log = plant.machine(entry.ref.machine)?.logs.get(entry.ref.log);
  const known = entry.code === null ? undefined : log?.codes.get(entry.code);
  const text = (language: Language): string => describeRecord(entry, log, language);
  return {
    ...base,
    /** By which clock: that of the PLC set right, that of the PLC as it stands, or arrival here. */
    at_source: entry.atSource,
    code: entry.code,
    severity: known?.severity ?? null,
    event: known?.event ?? null,
    en: text('en'),
    zh: text('zh'),
    values: entry.values,
  };
}
