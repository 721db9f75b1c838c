import { configSchema } from '../config/config-schema.ts';
import { loadPlacedYaml, type PlacedYaml } from '../config/load-yaml.ts';
import { deviceMapSchema } from '../domain/plc/device-map.ts';
import type { DeviceMap } from '../domain/plc/device-map-shape.ts';
import { PlantModel } from '../domain/plc/plant-model.ts';
import type { SettingsIssue } from '../domain/plc/point-settings-checks.ts';
import { plantConflicts } from '../domain/plc/review/plant-conflicts.ts';
import { type PlantSummary, plantSummary } from '../domain/plc/review/plant-summary.ts';
import { plantWarnings } from '../domain/plc/review/plant-warnings.ts';
import { EdgeError, isEdgeError } from '../runtime/edge-error.ts';
import { placedIssue } from './placed-issue.ts';
import { loadSite } from './site.ts';

export interface PlantCheck {
  /** Each `file:line:column key: what, and how to mend it`, in the order of the files. */
  readonly faults: readonly string[];
  /** As faults, of what is legal and mostly not meant; empty where there are faults. */
  readonly warnings: readonly string[];
  /** Undefined where there are faults. */
  readonly summary: PlantSummary | undefined;
}

type Placed = PlacedYaml<DeviceMap>;

/** Checks plant files as the daemon would load them, all together, and says what polling them will need. */
export function checkPlant(files: readonly string[]): PlantCheck {
  const faults: string[] = [];
  const placed: Placed[] = [];
  for (const file of files) {
    try {
      placed.push(loadPlacedYaml(file, deviceMapSchema));
    } catch (error) {
      if (!isEdgeError(error)) throw error;
      faults.push(...error.message.split('\n'));
    }
  }
  const maps = placed.map(({ value }) => value);
  faults.push(...plantConflicts(maps).map((issue) => placedIssue(issue, placed[issue.map])));
  if (faults.length > 0) return { faults, warnings: [], summary: undefined };

  const plant = new PlantModel(maps);
  const badNames = nameFaults(plant, placed);
  if (badNames.length > 0) return { faults: badNames, warnings: [], summary: undefined };
  const warnings = plantWarnings(plant, maps).map((issue) => placedIssue(issue, fileOf(issue.path, placed)));
  return { faults: [], warnings: inFileOrder(warnings), summary: plantSummary(plant, maps) };
}

function nameFaults(plant: PlantModel, placed: readonly Placed[]): string[] {
  return spokenNameIssues(plant).map((issue) => placedIssue(issue, fileOf(issue.path, placed)));
}

/** Names that nobody could say, or that take the words of another command away. */
export function spokenNameIssues(plant: PlantModel): SettingsIssue[] {
  try {
    loadSite(configSchema.parse({}), plant);
    return [];
  } catch (error) {
    if (!(error instanceof EdgeError)) throw error;
    return error.message.split('\n').map((line) => {
      const [, key, message] = /^(machines\.\S+): (.*)$/u.exec(line) ?? [];
      return key === undefined || message === undefined
        ? { path: ['machines'], message: line }
        : { path: key.split('.'), message };
    });
  }
}

/** The file that has the section and id a path begins with. */
function fileOf([section, id]: SettingsIssue['path'], placed: readonly Placed[]): Placed | undefined {
  return placed.find(({ value: { connections, devices, machines } }) => {
    const sections: Readonly<Record<string, object>> = { connections, devices, machines };
    return Object.hasOwn(sections[String(section)] ?? {}, String(id));
  });
}

function inFileOrder(lines: readonly string[]): string[] {
  return lines.toSorted((one, other) => {
    const [, file = '', line = '0', column = '0'] = /^(.*?):(\d+):(\d+) /u.exec(one) ?? [];
    const [, otherFile = '', otherLine = '0', otherColumn = '0'] = /^(.*?):(\d+):(\d+) /u.exec(other) ?? [];
    if (file !== otherFile) return 0;
    return Number(line) - Number(otherLine) || Number(column) - Number(otherColumn);
  });
}
