import { join } from 'node:path';
import { readProcedures } from '../adapters/files/procedure-files.ts';
import type { Config } from '../config/config-schema.ts';
import { loadPlacedYaml, loadYaml } from '../config/load-yaml.ts';
import { shipped } from '../config/shipped.ts';
import type { MatchOutcome, Meaning } from '../domain/intent/meaning.ts';
import { compileSentences, type SentenceBook } from '../domain/intent/sentence-book.ts';
import { type SentenceFile, type SiteLists, sentenceFileSchema } from '../domain/intent/sentence-file.ts';
import { LANGUAGES, type Language } from '../domain/language/language.ts';
import type { PeopleDirectory } from '../domain/people/directory.ts';
import { createPhrasebook, type Phrasebook, phraseFileSchema } from '../domain/phrases/phrasebook.ts';
import { deviceMapSchema } from '../domain/plc/device-map.ts';
import { type NamedEntry, PlantModel } from '../domain/plc/plant-model.ts';
import { plantConflicts } from '../domain/plc/review/plant-conflicts.ts';
import { ProcedureLibrary } from '../domain/procedures/procedure-library.ts';
import { EdgeError } from '../runtime/edge-error.ts';
import { loadPeople } from './people.ts';
import { placedIssue } from './placed-issue.ts';

/** All the data of a site, read and checked: nothing in it opens a connection. */
export interface Site {
  readonly config: Config;
  readonly plant: PlantModel;
  readonly books: Readonly<Record<Language, SentenceBook>>;
  readonly phrases: Phrasebook;
  readonly people: PeopleDirectory;
  readonly procedures: ProcedureLibrary;
  /** Names of machines, people and the like, as the sentences know them. */
  readonly lists: Readonly<Record<Language, SiteLists>>;
  readonly sentences: Readonly<Record<Language, SentenceFile>>;
}

/** Reads the plant, sentences and phrases a configuration points at. Throws EdgeErrors that name file and line. */
export function loadSite(config: Config, plant: PlantModel = loadPlant(config.plant.maps)): Site {
  const people = loadPeople(config);
  const procedures = new ProcedureLibrary(
    config.procedures === undefined ? [] : readProcedures(config.procedures),
  );
  const listsOf = (language: Language): SiteLists => {
    const named = (entries: readonly NamedEntry[]) =>
      entries.flatMap(({ value, spoken }) =>
        spoken[language].length === 0 ? [] : [{ value, spoken: spoken[language] }],
      );
    return {
      machine: named(plant.machineList()),
      quantity: named(plant.quantityList()),
      person: named(people.spokenList()),
      procedure: named(procedures.spokenList()),
    };
  };
  const lists = { en: listsOf('en'), zh: listsOf('zh') };
  const sentenceFile = (language: Language) =>
    loadYaml(shipped(`config/sentences/${language}.yaml`), sentenceFileSchema);
  const sentences = { en: sentenceFile('en'), zh: sentenceFile('zh') };
  const phraseFile = (language: Language) =>
    loadYaml(shipped(`config/phrases/${language}.yaml`), phraseFileSchema);
  const books = {
    en: compileSentences(sentences.en, lists.en),
    zh: compileSentences(sentences.zh, lists.zh),
  };
  refuseNames([...namesNotUnderstood(plant, books), ...namesInTheWay(plant, books)]);
  return {
    config,
    plant,
    books,
    people,
    procedures,
    lists,
    sentences,
    phrases: createPhrasebook({ en: phraseFile('en'), zh: phraseFile('zh') }),
  };
}

/**
 * A quantity called like a part of another sentence ("status") could never be asked for. Names that several machines or
 * quantities share are no fault: those are asked about.
 */
function namesNotUnderstood(plant: PlantModel, books: Site['books']): readonly string[] {
  return plant.points().flatMap(({ ref, names }) =>
    LANGUAGES.flatMap((language) =>
      names[language].flatMap((name) => {
        const sentence = readSentence(plant.machineName(ref.machine)[language], name, language);
        const meanings = meaningsOf(books[language].match(sentence));
        const other = meanings.find(({ intent }) => intent !== 'read_point');
        if (meanings.length > 0 && other === undefined) return [];
        const why =
          other === undefined ? 'is not understood' : `can also mean "${other.intent.replaceAll('_', ' ')}"`;
        return [
          `machines.${ref.machine}.points.${ref.point}: "${sentence}" ${why}; give the point another name than "${name}"`,
        ];
      }),
    ),
  );
}

/**
 * A machine called "stop" would take the command of that name away, and "emergency" with a point "stop" the one that
 * matters most: every sentence that names nothing of the plant has to keep its meaning, whatever the plant is called.
 */
function namesInTheWay(plant: PlantModel, books: Site['books']): readonly string[] {
  const faults = LANGUAGES.flatMap((language) =>
    books[language].fixedSentences().flatMap(({ intent, text }) =>
      meaningsOf(books[language].match(text))
        .filter((meaning) => meaning.intent !== intent)
        .map(({ slots }) => {
          const machine = slots['machine'];
          const quantity = slots['quantity'];
          const owner = plant
            .points()
            .find(
              ({ ref, names }) =>
                (machine === undefined || ref.machine === machine.value) &&
                quantity !== undefined &&
                names[language].some((name) => sameWords(name, quantity.spoken)),
            );
          const place =
            owner === undefined
              ? `machines.${machine?.value ?? '?'}`
              : `machines.${owner.ref.machine}.points.${owner.ref.point}`;
          const names = [machine, quantity].flatMap((slot) =>
            slot === undefined ? [] : [`"${slot.spoken}"`],
          );
          return `${place}: "${text}" would no longer mean "${intent.replaceAll('_', ' ')}" alone; give another name than ${names.join(' with ')}`;
        }),
    ),
  );
  return [...new Set(faults)];
}

function meaningsOf(match: MatchOutcome): readonly Meaning[] {
  if (match.kind === 'none') return [];
  return match.kind === 'match' ? [match.meaning] : match.meanings;
}

function sameWords(a: string, b: string): boolean {
  const words = (text: string) => text.toLowerCase().replace(/\s+/gu, '');
  return words(a) === words(b);
}

function refuseNames(faults: readonly string[]): void {
  if (faults.length === 0) return;
  throw new EdgeError('CONFIG_INVALID', faults.join('\n'), { hint: 'correct the names in the device map' });
}

function readSentence(machine: string, quantity: string, language: Language): string {
  return language === 'zh' ? `读取${machine}的${quantity}` : `read the ${quantity} of ${machine}`;
}

/** Throws EdgeErrors that name file and line, also for what only shows when the files are taken together. */
export function loadPlant(files: readonly string[]): PlantModel {
  const placed = files.map((file) => loadPlacedYaml(file, deviceMapSchema));
  const maps = placed.map(({ value }) => value);
  const faults = plantConflicts(maps).map((issue) => placedIssue(issue, placed[issue.map]));
  if (faults.length > 0)
    throw new EdgeError('CONFIG_INVALID', faults.join('\n'), { hint: 'correct the lines above' });
  return new PlantModel(maps);
}

/** Sentences that this site answers, to show a newcomer and to say as help: two machines and one status. */
export function exampleSentences(plant: PlantModel, language: Language, count = 3): readonly string[] {
  const machines = [...plant.machines.values()];
  return machines.slice(0, count).flatMap((machine, index) => {
    const name = machine.names[language][0];
    const point = [...machine.points.values()][index % Math.max(1, machine.points.size)]?.names[language][0];
    if (name === undefined || point === undefined) return [];
    if (index === count - 1) return [language === 'zh' ? `查询${name}状态` : `check the status of ${name}`];
    return [readSentence(name, point, language)];
  });
}

/** The control socket of the daemon with this state directory. */
export function controlSocketOf(config: Pick<Config, 'state_dir'>): string {
  return join(config.state_dir, 'control.sock');
}

/** The zone whose days and shifts count at the site: its own, or else the system's. */
export function timeZoneOf(config: Pick<Config, 'time_zone'>): string {
  return config.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}
