import type { DeviceMap, MachineSettings } from '../device-map-shape.ts';
import type { SettingsIssue } from '../point-settings-checks.ts';
import { checkInterlock, type InterlockPoint, type InterlockScope } from './check-interlock.ts';
import type { Expression } from './interlock-expression.ts';
import { parseInterlock } from './parse-interlock.ts';

/**
 * The faults of all write conditions, with their columns. `isWhole` says whether the maps are the whole plant: in one file
 * alone a condition that names a machine of another file is checked for its form only, and again with the plant.
 */
export function checkInterlocks(maps: readonly DeviceMap[], isWhole: boolean): SettingsIssue[] {
  const scope = scopeOf(maps);
  const issues: SettingsIssue[] = [];
  for (const map of maps)
    for (const [machine, settings] of Object.entries(map.machines))
      for (const [key, point] of Object.entries(settings.points))
        for (const [index, text] of (point.write_when ?? []).entries()) {
          if (!isWhole && namesOtherFile(text, scope)) continue;
          const checked = checkInterlock(text, machine, scope);
          if (!checked.ok)
            issues.push({
              path: ['machines', machine, 'points', key, 'write_when', index],
              message: `column ${checked.fault.at}: ${checked.fault.message}`,
            });
        }
  return issues;
}

function scopeOf(maps: readonly DeviceMap[]): InterlockScope {
  return new Map(
    maps.flatMap((map) =>
      Object.entries(map.machines).map(([id, machine]) => [id, pointsOf(machine)] as const),
    ),
  );
}

function pointsOf(machine: MachineSettings): ReadonlyMap<string, InterlockPoint> {
  return new Map(
    Object.entries(machine.points).map(([key, point]) => [
      key,
      {
        type: point.type,
        texts: new Map(Object.entries(point.enum ?? {}).map(([raw, text]) => [Number(raw), text])),
        isReadable: point.access !== 'write',
      },
    ]),
  );
}

function namesOtherFile(text: string, scope: InterlockScope): boolean {
  const parsed = parseInterlock(text);
  return parsed.ok && machinesOf(parsed.expression).some((machine) => !scope.has(machine));
}

function machinesOf(expression: Expression): string[] {
  switch (expression.kind) {
    case 'point':
      return expression.machine === undefined ? [] : [expression.machine];
    case 'not':
    case 'negative':
      return machinesOf(expression.operand);
    case 'binary':
      return [...machinesOf(expression.left), ...machinesOf(expression.right)];
    default:
      return [];
  }
}
