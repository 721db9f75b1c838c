import { checkQuantities } from '../device-map-checks.ts';
import type { DeviceMap } from '../device-map-shape.ts';
import { checkConnections } from '../device-settings-checks.ts';
import { checkLines } from '../line-checks.ts';
import type { SettingsIssue } from '../point-settings-checks.ts';
import { checkInterlocks } from '../writing/interlock-checks.ts';

/** A fault that only shows when several plant files are taken together. */
export interface PlantConflict extends SettingsIssue {
  /** The file it is in, as its place in the list. */
  readonly map: number;
}

/** All that would keep `PlantModel` from taking these maps together; each map is sound by itself. */
export function plantConflicts(maps: readonly DeviceMap[]): PlantConflict[] {
  const together = [
    ...checkQuantities(maps),
    ...checkConnections(maps),
    ...checkLines(maps),
    ...checkInterlocks(maps, true),
  ].map((issue) => ({
    ...issue,
    // The later of two is complained about.
    map: maps.findLastIndex((map) => hasPath(map, issue.path)),
  }));
  return [...idConflicts(maps), ...together];
}

function idConflicts(maps: readonly DeviceMap[]): PlantConflict[] {
  return (['connections', 'devices', 'machines'] as const).flatMap((section) => {
    const owner = new Map<string, number>();
    return maps.flatMap((map, index) =>
      Object.keys(map[section]).flatMap((id) => {
        if (!owner.has(id)) {
          owner.set(id, index);
          return [];
        }
        const kind = section.slice(0, -1);
        return [
          {
            map: index,
            path: [section, id],
            message: `another plant file has a ${kind} called ${id} as well; rename it in one of them`,
          },
        ];
      }),
    );
  });
}

function hasPath(map: DeviceMap, path: readonly (string | number)[]): boolean {
  let at: unknown = map;
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !(key in at)) return false;
    at = Reflect.get(at, key);
  }
  return true;
}
