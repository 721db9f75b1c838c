import type { DeviceMap } from '../device-map-shape.ts';
import { hasHan } from '../import/list-names.ts';
import { PLACEHOLDER_HOST } from '../import/plant-file-text.ts';
import type { PlantModel } from '../plant-model.ts';
import type { SettingsIssue } from '../point-settings-checks.ts';

/** What an import leaves for a person to complete, and nobody has. */
export function unfinishedWarnings(plant: PlantModel, maps: readonly DeviceMap[]): SettingsIssue[] {
  return [...hostWarnings(plant), ...maps.flatMap(nameWarnings)];
}

function hostWarnings(plant: PlantModel): SettingsIssue[] {
  return [...plant.connections].flatMap(([id, connection]) =>
    connection.transport !== 'rtu' && connection.host === PLACEHOLDER_HOST
      ? [
          {
            path: ['connections', id, 'host'],
            message: `host ${PLACEHOLDER_HOST} is still the placeholder of plant import: put in the PLC's address`,
          },
        ]
      : [],
  );
}

const SHOWN = 3;

/** Names of one language only: whoever speaks the other cannot ask for them, and hears them read wrongly. */
function nameWarnings({ machines }: DeviceMap): SettingsIssue[] {
  return Object.entries(machines).flatMap(([id, machine]) => {
    const same = Object.entries(machine.points).filter(([, { names }]) => isSame(names));
    return [true, false].flatMap((isChinese) => {
      const found = same.filter(([, { names }]) => hasHan(names.en[0] ?? '') === isChinese);
      if (found.length === 0) return [];
      const keys = found.slice(0, SHOWN).map(([key]) => key);
      const listed = found.length > SHOWN ? `${keys.join(', ')} and others` : keys.join(', ');
      return [
        {
          path: ['machines', id],
          message: `${found.length} ${found.length === 1 ? 'point' : 'points'}: the ${isChinese ? 'en name is the zh one' : 'zh name is the en one'} (${listed})`,
        },
      ];
    });
  });
}

/** Names without a word, such as "A1" or "pH", may well be alike in both. */
function isSame({ en, zh }: { readonly en: readonly string[]; readonly zh: readonly string[] }): boolean {
  const [first] = en;
  return first !== undefined && first === zh[0] && (hasHan(first) || /\p{L}{3}/u.test(first));
}
