import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { deviceMapSchema } from '../../src/domain/plc/device-map.ts';
import { PlantModel } from '../../src/domain/plc/plant-model.ts';

/** The plant of YAML text, as the daemon would load it. */
export function plantOf(...yaml: readonly string[]): PlantModel {
  return new PlantModel(yaml.map((text) => deviceMapSchema.parse(parse(text))));
}

export function demoPlant(): PlantModel {
  return plantOf(readFileSync(new URL('../../config/plant/demo.yaml', import.meta.url), 'utf8'));
}
