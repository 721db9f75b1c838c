import { z } from 'zod';
import type { JsonObject } from '../../domain/json.ts';
import type { PeopleDirectory } from '../../domain/people/directory.ts';
import type { Person } from '../../domain/people/person.ts';
import type { Capability } from '../../tooling/capability.ts';

const argsSchema = z.strictObject({ name: z.string().trim().min(1).max(100) });

/**
 * Who is meant by an id or a spoken name: `{ found: one, exact, person }`, `{ found: many, people }` or
 * `{ found: none, nearest }`. Addresses and badges stay here.
 */
export function peopleFind(parts: {
  readonly people: PeopleDirectory;
}): Capability<z.infer<typeof argsSchema>> {
  return {
    name: 'people.find',
    args: argsSchema,
    run: async ({ name }) => {
      const found = parts.people.find(name);
      switch (found.kind) {
        case 'one':
          return { found: 'one', exact: found.exact, person: shown(found.person) };
        case 'many':
          return { found: 'many', people: found.candidates.map(shown) };
        case 'none':
          return { found: 'none', nearest: found.nearest ?? null };
      }
    },
  };
}

function shown({ id, names, email }: Person): JsonObject {
  return { id, names, has_email: email !== undefined };
}
