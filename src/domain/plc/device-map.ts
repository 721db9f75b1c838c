import { checkDeviceMap } from './device-map-checks.ts';
import { deviceMapShape } from './device-map-shape.ts';

/**
 * A plant file: the connections of a site, the machines behind them and their points, in the words of a PLC manual.
 * Unknown keys are refused, so that a misspelt one is never silently without effect; every issue carries its path.
 */
export const deviceMapSchema = deviceMapShape.superRefine((map, context) => {
  for (const { path, message } of checkDeviceMap(map))
    context.addIssue({ code: 'custom', path: [...path], message });
});
