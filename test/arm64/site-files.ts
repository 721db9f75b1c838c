import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';

interface SiteOptions {
  /** Where the program is installed; its demo plant is the one that is used. */
  readonly app: string;
  readonly stateFolder: string;
  readonly modbusPort: number;
  readonly httpPort: number;
  /** Turns listening on, with this setting of `voice.libvosk`. */
  readonly libvosk?: string;
}

/** Writes the configuration of a site without microphone, speaker and broker, and its device map. */
export function writeSite(
  folder: string,
  { app, stateFolder, modbusPort, httpPort, libvosk }: SiteOptions,
): { readonly config: string; readonly plant: string } {
  mkdirSync(folder, { recursive: true });
  const plant = join(folder, 'plant.yaml');
  const map = parse(readFileSync(join(app, 'config/plant/demo.yaml'), 'utf8'));
  map.connections['line-1'].port = modbusPort;
  writeFileSync(plant, stringify(map));

  const config = join(folder, 'hermes-edge.yaml');
  const settings = {
    state_dir: stateFolder,
    plant: [plant],
    log: { level: 'warn' },
    microphone: { enabled: libvosk !== undefined },
    ...(libvosk === undefined ? {} : { voice: { libvosk } }),
    speech: { enabled: false },
    http: { port: httpPort },
  };
  writeFileSync(config, stringify(settings));
  return { config, plant };
}
