import { didYouMean } from '../../../runtime/nearest.ts';
import type { DeviceMap, MachineSettings } from '../device-map-shape.ts';
import type { SettingsIssue } from '../point-settings-checks.ts';

/** What is wrong with the commands of a machine; paths start at the machine. */
export function checkCommands(machine: MachineSettings, map: DeviceMap): readonly SettingsIssue[] {
  return Object.entries(machine.commands ?? {}).flatMap(([command, settings]) => {
    if (settings === undefined) return [];
    const at = ['commands', command];
    const point = machine.points[settings.point];
    if (point === undefined) {
      const known = Object.keys(machine.points);
      const message = `no point is called ${settings.point}.${didYouMean(settings.point, known)}`;
      return [{ path: [...at, 'point'], message }];
    }
    if (point.access === 'read')
      return [
        { path: [...at, 'point'], message: `${settings.point} has access: read, so nothing can be written` },
      ];
    return map.devices[point.device ?? machine.device] === undefined
      ? []
      : checkValue(settings.value, point, at);
  });
}

function checkValue(
  value: string | number | boolean,
  point: MachineSettings['points'][string],
  at: readonly string[],
): readonly SettingsIssue[] {
  const issue = (message: string) => [{ path: [...at, 'value'], message }];
  const texts = Object.values(point.enum ?? {}).flatMap(({ en, zh }) => [en, zh]);
  if (typeof value === 'string' && point.type !== 'string')
    return texts.includes(value)
      ? []
      : issue(
          texts.length === 0
            ? `"${value}" is a text, and the point has no enum`
            : `"${value}" is no text of the point's enum: ${texts.join(', ')}.${didYouMean(value, texts)}`,
        );
  if ((typeof value === 'boolean') !== (point.type === 'bool'))
    return issue(`a ${point.type} does not take ${JSON.stringify(value)}`);
  if (typeof value !== 'number') return [];
  if (point.write_min !== undefined && value < point.write_min)
    return issue(`${value} is below write_min ${point.write_min}`);
  return point.write_max !== undefined && value > point.write_max
    ? issue(`${value} is above write_max ${point.write_max}`)
    : [];
}
