import { join } from 'node:path';
import type { Config } from '../config/config-schema.ts';
import { loadYaml } from '../config/load-yaml.ts';
import { shipped } from '../config/shipped.ts';
import { compileSentences, type SentenceBook } from '../domain/intent/sentence-book.ts';
import { sentenceFileSchema } from '../domain/intent/sentence-file.ts';
import type { Language } from '../domain/language/language.ts';
import { createPhrasebook, type Phrasebook, phraseFileSchema } from '../domain/phrases/phrasebook.ts';
import { deviceMapSchema } from '../domain/plc/device-map.ts';
import { PlantModel } from '../domain/plc/plant-model.ts';

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
  return {
    config,
    plant,
    books: { en: book('en'), zh: book('zh') },
    phrases: createPhrasebook({ en: phraseFile('en'), zh: phraseFile('zh') }),
  };
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
    return [language === 'zh' ? `读取${name}的${point}` : `read the ${point} of ${name}`];
  });
}

/** The control socket of the daemon with this state directory. */
export function controlSocketOf(config: Pick<Config, 'state_dir'>): string {
  return join(config.state_dir, 'control.sock');
}
