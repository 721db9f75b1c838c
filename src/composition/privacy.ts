import type { Person } from '../domain/people/person.ts';
import type { PlantModel } from '../domain/plc/plant-model.ts';
import type { Site } from './site.ts';

/** Whom the records are not to name, and the words that only look as if they did: what the site calls its machines. */
export function namedPeople({ people, plant }: Pick<Site, 'people' | 'plant'>): {
  readonly people: readonly Person[];
  readonly keep: readonly string[];
} {
  return { people: people.people, keep: wordsOf(plant) };
}

function wordsOf(plant: PlantModel): readonly string[] {
  const listed = [...plant.machineList(), ...plant.quantityList()];
  return [
    ...listed.flatMap(({ value, spoken }) => [String(value), ...spoken.en, ...spoken.zh]),
    ...plant.points().map(({ ref }) => ref.point),
  ];
}
