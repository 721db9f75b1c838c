import { existsSync } from 'node:fs';
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
    hint: 'give one with --config FILE, or try everything out with: hermes-edge run --demo',
  });
}

/** As `loadNode`; without any configuration the demo that runs in another terminal. */
export function loadNodeOrDemo(file: string | undefined): Site {
  if (file !== undefined || existsSync(SYSTEM_CONFIG)) return loadNode(file);
  const running = LANGUAGES.map((language) => demoStateDir(language)).find((stateDir) =>
    existsSync(controlSocketOf({ state_dir: stateDir })),
  );
  if (running === undefined) return loadNode(file);
  const language = LANGUAGES.find((each) => demoStateDir(each) === running) ?? 'en';
  return loadSite(demoConfig({ language, stateDir: running, mqttPort: 0, httpPort: 0 }));
}
