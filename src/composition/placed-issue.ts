import type { PlacedYaml } from '../config/load-yaml.ts';
import type { DeviceMap } from '../domain/plc/device-map-shape.ts';
import type { SettingsIssue } from '../domain/plc/point-settings-checks.ts';

/** An issue as `file:line:column key: what`; without the place where it is of no file. */
export function placedIssue(
  { path, message }: SettingsIssue,
  placed: PlacedYaml<DeviceMap> | undefined,
): string {
  const text = `${path.join('.')}: ${message}`;
  return placed === undefined ? text : `${placed.placeOf(path)} ${text}`;
}
