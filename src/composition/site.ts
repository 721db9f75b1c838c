import { join } from 'node:path';
import type { Config } from '../config/config-schema.ts';
import { loadYaml } from '../config/load-yaml.ts';
import { shipped } from '../config/shipped.ts';
import { compileSentences, type SentenceBook } from '../domain/intent/sentence-book.ts';
import { sentenceFileSchema } from '../domain/intent/sentence-file.ts';
import { LANGUAGES, type Language } from '../domain/language/language.ts';
import { createPhrasebook, type Phrasebook, phraseFileSchema } from '../domain/phrases/phrasebook.ts';
import { deviceMapSchema } from '../domain/plc/device-map.ts';
import { PlantModel } from '../domain/plc/plant-model.ts';
import { EdgeError } from '../runtime/edge-error.ts';

/** All the data of a site, read and checked: nothing in it opens a connection. */
export interface Site {
  readonly config: Config;
  readonly plant: PlantModel;
  readonly books: Readonly<Record<Language, SentenceBook>>;
  readonly phrases: Phrasebook;
}

/** Reads the plant, sentences and phrases a configuration points at. Throws EdgeErrors that name file and line. */
export function loadSite(config: Config, plant: PlantModel = loadPlant(config.plant)): Site {
  const book = (language: Language): SentenceBook => {
    const file = loadYaml(shipped(`config/sentences/${language}.yaml`), sentenceFileSchema);
    const named = (entries: ReturnType<PlantModel['machineList']>) =>
      entries.map(({ value, spoken }) => ({ value, spoken: spoken[language] }));
    return compileSentences(file, {
      machine: named(plant.machineList()),
      quantity: named(plant.quantityList()),
    });
  };
  const phraseFile = (language: Language) =>
    loadYaml(shipped(`config/phrases/${language}.yaml`), phraseFileSchema);
  const books = { en: book('en'), zh: book('zh') };
  refuseMisunderstoodNames(plant, books);
  return {
    config,
    plant,
    books,
    phrases: createPhrasebook({ en: phraseFile('en'), zh: phraseFile('zh') }),
  };
}

/**
 * A quantity called like a part of another sentence ("status") could never be asked for. Names that several machines or
 * quantities share are no fault: those are asked about.
 */
function refuseMisunderstoodNames(plant: PlantModel, books: Site['books']): void {
  const faults = plant.points().flatMap(({ ref, names }) =>
    LANGUAGES.flatMap((language) =>
      names[language].flatMap((name) => {
        const sentence = readSentence(plant.machineName(ref.machine)[language], name, language);
        const match = books[language].match(sentence);
        const meanings =
          match.kind === 'match' ? [match.meaning] : match.kind === 'tie' ? match.meanings : [];
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
  if (faults.length > 0) {
    throw new EdgeError('CONFIG_INVALID', faults.join('\n'), { hint: 'correct the names in the device map' });
  }
}

function readSentence(machine: string, quantity: string, language: Language): string {
  return language === 'zh' ? `读取${machine}的${quantity}` : `read the ${quantity} of ${machine}`;
}

export function loadPlant(files: readonly string[]): PlantModel {
  return new PlantModel(files.map((file) => loadYaml(file, deviceMapSchema)));
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
