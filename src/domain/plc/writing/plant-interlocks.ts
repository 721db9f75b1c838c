import { EdgeError } from '../../../runtime/edge-error.ts';
import type { PlantModel, PlantPoint } from '../plant-model.ts';
import { checkInterlock, type Interlock, type InterlockScope } from './check-interlock.ts';

/** The conditions of every point that has some. Throws EdgeError PLANT_CONFLICT for one that the plant cannot answer. */
export function plantInterlocks(plant: PlantModel): ReadonlyMap<PlantPoint, readonly Interlock[]> {
  const scope: InterlockScope = new Map(
    [...plant.machines].map(([id, machine]) => [
      id,
      new Map(
        [...machine.points].map(([key, { encoding, enumTexts, access }]) => [
          key,
          { type: encoding.type, texts: enumTexts, isReadable: access !== 'write' },
        ]),
      ),
    ]),
  );
  return new Map(
    plant
      .points()
      .filter(({ writeWhen }) => writeWhen.length > 0)
      .map((point) => [point, point.writeWhen.map((text) => interlockOf(text, point, scope))]),
  );
}

function interlockOf(text: string, { ref }: PlantPoint, scope: InterlockScope): Interlock {
  const checked = checkInterlock(text, ref.machine, scope);
  if (checked.ok) return checked.interlock;
  const { at, message } = checked.fault;
  throw new EdgeError('PLANT_CONFLICT', `${ref.machine}.${ref.point}: ${text}: column ${at}: ${message}`);
}
