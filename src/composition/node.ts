import { existsSync } from 'node:fs';
import { createConnection } from 'node:net';
import { demoConfig, demoStateDir } from '../config/demo-config.ts';
import { loadConfig } from '../config/load-config.ts';
import { LANGUAGES } from '../domain/language/language.ts';
import { EdgeError } from '../runtime/edge-error.ts';
import { controlSocketOf, loadSite, type Site } from './site.ts';

const SYSTEM_CONFIG = '/etc/hermes-edge/hermes-edge.yaml';

/** The site of a configuration file, or of the system's own. Throws EdgeErrors that name file and line. */
export function loadNode(file: string | undefined): Site {
  if (file !== undefined) return loadSite(loadConfig(file));
  if (existsSync(SYSTEM_CONFIG)) return loadSite(loadConfig(SYSTEM_CONFIG));
  throw new EdgeError('CONFIG_UNREADABLE', `no configuration: ${SYSTEM_CONFIG} does not exist`, {
    hint: 'give --config FILE or set HERMES_EDGE_CONFIG; to try everything out: hermes-edge run --demo',
  });
}

/** As `loadNode`; without any configuration the demo that runs in another terminal. */
export async function loadNodeOrDemo(file: string | undefined): Promise<Site> {
  if (file !== undefined || existsSync(SYSTEM_CONFIG)) return loadNode(file);
  for (const language of LANGUAGES) {
    const stateDir = demoStateDir(language);
    if (await isAnswered(controlSocketOf({ state_dir: stateDir })))
      return loadSite(demoConfig({ language, stateDir, mqttPort: undefined, httpPort: 0 }));
  }
  return loadNode(file);
}

/** A killed daemon leaves its socket file behind, so that the file alone proves nothing. */
function isAnswered(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createConnection(socketPath);
    probe.once('connect', () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', () => resolve(false));
  });
}

/** A line for each file that the configuration names and that is not there. */
export function missingFiles({ config }: Site): readonly string[] {
  const { model, libvosk } = config.voice;
  const named = [
    ['voice.model', model, 'fetch one with scripts/fetch-voice-model, or leave the key out'],
    [
      'voice.libvosk',
      libvosk === 'auto' ? undefined : libvosk,
      'fetch it with scripts/fetch-voice-model, or set auto',
    ],
    ['mqtt.ca_file', config.mqtt?.ca_file, 'give the path seen from the configuration file'],
    ['mail.ca_file', config.mail?.ca_file, 'give the path seen from the configuration file'],
  ] as const;
  return named.flatMap(([key, file, mend]) =>
    file === undefined || existsSync(file) ? [] : [`${key}: ${file} does not exist; ${mend}`],
  );
}
