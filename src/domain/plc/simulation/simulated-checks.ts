import { didYouMean } from '../../../runtime/nearest.ts';
import type { MachineSettings } from '../device-map-shape.ts';
import type { SettingsIssue } from '../point-settings-checks.ts';
import { namedPoints } from './simulated-behaviour.ts';

/** The points that `simulated` sections name have to be simulated points of the same machine. */
export function checkSimulatedMachine(machine: MachineSettings): SettingsIssue[] {
  const simulated = Object.entries(machine.points).filter(([, point]) => point.simulated !== undefined);
  const keys = simulated.map(([key]) => key);
  return simulated.flatMap(([key, { simulated: behaviour }]) =>
    behaviour === undefined
      ? []
      : namedPoints(behaviour).flatMap(({ point, path, behaviour: wanted }) => {
          const at = ['points', key, 'simulated', ...path];
          const found = machine.points[point]?.simulated;
          if (found === undefined)
            return [
              {
                path: at,
                message: `no simulated point of this machine is called ${point}.${didYouMean(point, keys)}`,
              },
            ];
          if (wanted === undefined || found.behaviour === wanted) return [];
          return [{ path: at, message: `${point} has behaviour ${found.behaviour}; this needs ${wanted}` }];
        }),
  );
}
