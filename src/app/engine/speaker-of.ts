import type { Caller } from '../../domain/tool/tool-call.ts';

/** The person where one is known, else whoever stands there. */
export function speakerOf({ person, station }: Pick<Caller, 'person' | 'station'>): string {
  return person === undefined ? `station ${station}` : `person ${person.id}`;
}
