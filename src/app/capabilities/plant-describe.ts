import { z } from 'zod';
import type { JsonObject } from '../../domain/json.ts';
import { findByName } from '../../domain/plc/find-by-name.ts';
import type { PlantMachine, PlantModel, PlantPoint } from '../../domain/plc/plant-model.ts';
import type { Capability } from '../../tooling/capability.ts';

const argsSchema = z.strictObject({ machine: z.string().max(100).optional() });

const MAX_MACHINES = 500;
const MAX_POINTS = 500;

/** The machines of the plant; of one machine, by its id or name, its points and logs too. */
export function plantDescribe(parts: {
  readonly plant: PlantModel;
  /** IANA name of the zone the site lives by. */
  readonly timeZone: string;
}): Capability<z.infer<typeof argsSchema>> {
  const { plant, timeZone } = parts;
  return {
    name: 'plant.describe',
    args: argsSchema,
    run: async ({ machine }) => {
      if (machine === undefined)
        return {
          time_zone: timeZone,
          machines: [...plant.machines.values()].slice(0, MAX_MACHINES).map((each) => described(each, [])),
        };
      const id = findByName(machine, plant.machineList(), 'machine');
      const found = plant.machine(id);
      const points = [...(found?.points.values() ?? [])].slice(0, MAX_POINTS);
      return { time_zone: timeZone, machines: found === undefined ? [] : [described(found, points)] };
    },
  };
}

function described({ id, names, logs }: PlantMachine, points: readonly PlantPoint[]): JsonObject {
  return { id, names, logs: [...logs.keys()], points: points.map(describedPoint) };
}

function describedPoint({ ref, names, unit, decimals, access, inStatus, enumTexts }: PlantPoint): JsonObject {
  return {
    id: ref.point,
    names,
    access,
    in_status: inStatus,
    unit: unit ?? null,
    decimals: decimals ?? null,
    texts: Object.fromEntries([...enumTexts].map(([raw, text]) => [String(raw), text])),
  };
}
