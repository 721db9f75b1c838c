import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { openKeyedHash } from '../adapters/files/keyed-hash.ts';
import { ReportScrub } from '../adapters/files/report-scrub.ts';
import { SetAsideFiles } from '../adapters/files/set-aside-files.ts';
import { SpokenFiles } from '../adapters/speech/spoken-files.ts';
import { SqliteErasureLedger } from '../adapters/sqlite/sqlite-erasure-ledger.ts';
import { StateScrub } from '../adapters/sqlite/state-scrub.ts';
import type { PersonalStore } from '../app/ports/personal-store.ts';
import { PersonEraser } from '../app/privacy/person-eraser.ts';
import type { Person } from '../domain/people/person.ts';
import type { PlantModel } from '../domain/plc/plant-model.ts';
import type { Service } from '../runtime/service.ts';
import type { Guard } from './gate.ts';
import type { Runtime } from './runtime.ts';
import type { Site } from './site.ts';
import type { Storage } from './storage.ts';

/** Whom the records are not to name, and the words that only look as if they did: what the site calls its machines. */
export function namedPeople({ people, plant }: Pick<Site, 'people' | 'plant'>): {
  readonly people: readonly Person[];
  readonly keep: readonly string[];
} {
  return { people: people.people, keep: wordsOf(plant) };
}

function wordsOf(plant: PlantModel): readonly string[] {
  const listed = [...plant.machineList(), ...plant.quantityList()];
  return [
    ...listed.flatMap(({ value, spoken }) => [String(value), ...spoken.en, ...spoken.zh]),
    ...plant.points().map(({ ref }) => ref.point),
  ];
}

interface Parts {
  readonly site: Site;
  readonly storage: Storage;
  readonly guard: Pick<Guard, 'badges' | 'locks'>;
  /** Whatever else is kept of people, what is in memory first. */
  readonly stores: readonly PersonalStore[];
}

/** What this program does not reach. */
const OUTSIDE = [
  'the journal of the system (journalctl) may name the person: it ends by its own age',
  'mails, tickets and work orders that were delivered are with those who got them',
  'backups that were made before have the person until they are replaced',
];

/** Erases people, and goes on at the start with what a restart has cut off. Throws EdgeError MEMORY_KEY_FAILED. */
export function composeEraser(
  { site, storage, guard, stores }: Parts,
  { clocks, logger }: Pick<Runtime, 'clocks' | 'logger'>,
): { readonly eraser: PersonEraser; readonly service: Service } {
  const { config, people } = site;
  const { database, audit, erased, pseudonyms } = storage;
  const stateDirectory = config.state_dir;
  const badges: PersonalStore = {
    name: 'badges',
    erase: async ({ person }) => ({ count: guard.badges.forget(person.id) }),
  };
  const eraser = new PersonEraser({
    people,
    pseudonyms,
    ledger: new SqliteErasureLedger({ database, audit, clocks }),
    stores: [
      badges,
      ...stores,
      guard.locks,
      new StateScrub(database, erased, () => clocks.wall()),
      new ReportScrub(config.reports.dir ?? join(stateDirectory, 'reports')),
      new SpokenFiles(join(stateDirectory, 'spoken')),
      new SetAsideFiles(stateDirectory),
    ],
    hash: openKeyedHash({ stateDirectory, credentialsDirectory: process.env['CREDENTIALS_DIRECTORY'] }),
    keep: namedPeople(site).keep,
    outside: OUTSIDE,
    newId: randomUUID,
    logger,
  });
  let resuming: Promise<unknown> = Promise.resolve();
  const service: Service = {
    name: 'erasures',
    start: async () => {
      resuming = eraser.resume();
    },
    stop: async () => void (await resuming),
    health: () => ({ status: 'ok', detail: 'people are erased when it is asked for' }),
  };
  return { eraser, service };
}
