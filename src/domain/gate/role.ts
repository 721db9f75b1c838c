import { type Caller, type Origin, ROLES, type Role } from '../tool/tool-call.ts';
import type { AccessLevel, DataScope } from '../tool/tool-contract.ts';

/** Origins behind which a person stands who can hear a question and answer it. */
const PERSON_ORIGINS: readonly Origin[] = ['voice', 'ask', 'panel'];

export function isPersonOrigin(origin: Origin): boolean {
  return PERSON_ORIGINS.includes(origin);
}

/** Each role includes those before it. */
export function hasRole(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** Who may: the least role, and whether a person has to be known by name. */
export interface AccessNeed {
  readonly role: Role;
  readonly isNamed: boolean;
}

export const ACCESS_NEEDS: Readonly<Record<AccessLevel, AccessNeed>> = {
  PUBLIC: { role: 'guest', isNamed: false },
  INTERNAL: { role: 'operator', isNamed: false },
  CRITICAL: { role: 'operator', isNamed: true },
};

export function mayUse(access: AccessLevel, who: Pick<Caller, 'role' | 'person'>): boolean {
  const { role, isNamed } = ACCESS_NEEDS[access];
  return hasRole(who.role, role) && (!isNamed || who.person !== undefined);
}

/** What of a tool's data lies beyond what somebody may reach; nothing where no `reach` is set. */
export function beyondReach(
  data: readonly DataScope[],
  reach: readonly DataScope[] | undefined,
): readonly DataScope[] {
  return reach === undefined ? [] : data.filter((scope) => !reach.includes(scope));
}

/** A person as the site's directory knows them. */
export interface KnownPerson {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
}

/**
 * What a person who is known at a station may do there. Somebody whose own role is below the station's is nobody in
 * particular: the station's role is that of whoever stands there, and must not become a name that CRITICAL asks for.
 */
export function standingOf(
  stationRole: Role,
  person: KnownPerson | undefined,
): Pick<Caller, 'role' | 'person'> {
  if (person === undefined || !hasRole(person.role, stationRole))
    return { role: stationRole, person: undefined };
  return { role: person.role, person: { id: person.id, name: person.name } };
}
