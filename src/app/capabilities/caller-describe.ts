import { z } from 'zod';
import type { Capability } from '../../tooling/capability.ts';

const argsSchema = z.strictObject({});

/** Who asks, as the session knows it: `{ origin, station, role, person }`. */
export function callerDescribe(): Capability<z.infer<typeof argsSchema>> {
  return {
    name: 'caller.describe',
    args: argsSchema,
    run: async (_args, { call }) => {
      const { origin, station, role, person } = call.caller;
      return {
        origin,
        station,
        role,
        person: person === undefined ? null : { id: person.id, name: person.name },
      };
    },
  };
}
