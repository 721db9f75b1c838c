import { LANGUAGES } from '../language/language.ts';
import type { DeviceMap, LineSettings } from './device-map-shape.ts';
import type { SettingsIssue } from './point-settings-checks.ts';

/** A line with more than one PLC may stand in each of their plant files, but only under the same names. */
export function checkLines(maps: readonly DeviceMap[]): SettingsIssue[] {
  const known = new Map<string, string>();
  return maps
    .flatMap(({ lines }) => Object.entries(lines ?? {}))
    .flatMap(([id, line]) => {
      const names = namesOf(line);
      const first = known.get(id);
      if (first === undefined) known.set(id, names);
      if (first === undefined || first === names) return [];
      return [
        {
          path: ['lines', id],
          message: `another plant file calls the line ${id} by other names: give it the same in both, or another id here`,
        },
      ];
    });
}

function namesOf({ names }: LineSettings): string {
  return JSON.stringify(LANGUAGES.map((language) => names[language]));
}
