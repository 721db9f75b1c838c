import { readFileSync } from 'node:fs';
import type { SiteName } from '../../src/domain/memory/anchors/name-index.ts';
import { siteNames } from '../../src/domain/memory/anchors/site-names.ts';
import { PeopleDirectory } from '../../src/domain/people/directory.ts';
import { parsePeople } from '../../src/domain/people/people-file.ts';
import { demoPlant } from './plant-file.ts';

/** The names of the demo site: its machines, lines, quantities and people. */
export function demoNames(): readonly SiteName[] {
  const file = new URL('../../config/people.csv', import.meta.url);
  return siteNames(demoPlant(), new PeopleDirectory(parsePeople(readFileSync(file, 'utf8'), 'people.csv')));
}

export function machine(id: string, en: readonly string[], zh: readonly string[]): SiteName {
  return { id: `machine:${id}`, kind: 'machine', names: { en, zh } };
}

export function line(id: string, en: readonly string[], zh: readonly string[]): SiteName {
  return { id: `line:${id}`, kind: 'line', names: { en, zh } };
}

export function person(id: string, en: readonly string[], zh: readonly string[]): SiteName {
  return { id: `person:${id}`, kind: 'person', names: { en, zh } };
}
