import type { PeopleDirectory } from '../domain/people/directory.ts';
import type { Person } from '../domain/people/person.ts';
import { EdgeError } from '../runtime/edge-error.ts';

/**
 * Whoever is meant by an id or a name of the people file; a name that is only like one is nobody's. Throws EdgeError INPUT_INVALID that names
 * the likeliest.
 */
export function personNamed(written: string, people: Pick<PeopleDirectory, 'find'>, hint: string): Person {
  const found = people.find(written);
  if (found.kind === 'one' && found.exact) return found.person;
  const meant =
    found.kind === 'many'
      ? `It can be ${found.candidates.map(({ id }) => id).join(' or ')}.`
      : suggestion(found.kind === 'one' ? found.person.id : found.nearest);
  throw new EdgeError('INPUT_INVALID', `it is not known who "${written}" is. ${meant}`.trimEnd(), { hint });
}

function suggestion(name: string | undefined): string {
  return name === undefined ? '' : `Did you mean "${name}"?`;
}
