import type { PeopleDirectory } from '../../people/directory.ts';
import type { NamedEntry, PlantModel } from '../../plc/plant-model.ts';
import type { AnchorKind } from '../mention.ts';
import type { SiteName } from './name-index.ts';

/** Everything of a site that has a name: its machines, lines and quantities, and its people. */
export function siteNames(
  plant: Pick<PlantModel, 'machineList' | 'lineList' | 'quantityList'>,
  people: Pick<PeopleDirectory, 'spokenList'>,
): readonly SiteName[] {
  return [
    ...named('machine', plant.machineList()),
    ...named('line', plant.lineList()),
    ...named('person', people.spokenList()),
    ...named('point', plant.quantityList()),
  ];
}

/** The id of a thing with its kind in front, as facts and episodes hold it. */
export function anchorId(kind: AnchorKind, id: string): string {
  return `${kind}:${id}`;
}

function named(kind: AnchorKind, entries: readonly NamedEntry[]): readonly SiteName[] {
  return entries.map(({ value, spoken }) => ({ id: anchorId(kind, value), kind, names: spoken }));
}
