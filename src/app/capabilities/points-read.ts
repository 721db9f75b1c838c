import { z } from 'zod';
import { findByName } from '../../domain/plc/find-by-name.ts';
import type { PlantModel } from '../../domain/plc/plant-model.ts';
import type { Clocks } from '../../runtime/clocks.ts';
import type { Capability } from '../../tooling/capability.ts';
import type { PlcReader } from '../ports/plc-reader.ts';
import { readPoints } from '../read-value.ts';
import { asJson } from './as-json.ts';

const name = z.string().min(1).max(100);
const argsSchema = z.strictObject({
  points: z
    .array(z.strictObject({ machine: name, point: name }))
    .min(1)
    .max(64),
});

/** Reads points live, by id or name, each with its quality: `{ readings }` in the order they were asked for. */
export function pointsRead(parts: {
  readonly plant: PlantModel;
  readonly reader: PlcReader;
  readonly clocks: Clocks;
}): Capability<z.infer<typeof argsSchema>> {
  const { plant } = parts;
  return {
    name: 'points.read',
    args: argsSchema,
    run: async ({ points }) => {
      const refs = points.map(({ machine, point }) => {
        const id = findByName(machine, plant.machineList(), 'machine');
        return { machine: id, point: findByName(point, plant.pointList(id), `point of ${id}`) };
      });
      const results = await readPoints(refs, parts);
      return { readings: results.map(({ report }) => asJson(report)) };
    },
  };
}
