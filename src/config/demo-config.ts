import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Language } from '../domain/language/language.ts';
import { type Config, configSchema } from './config-schema.ts';
import { shipped } from './shipped.ts';

/** Where the demo keeps its state: `$XDG_STATE_HOME/hermes-edge/demo-LANGUAGE`, by the XDG base directory specification. */
export function demoStateDir(
  language: Language,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const given = environment['XDG_STATE_HOME'];
  const base = given?.startsWith('/') ? given : join(homedir(), '.local', 'state');
  return join(base, 'hermes-edge', `demo-${language}`);
}

/** Defaults for all that a site would bring; ports are those that were free. */
export function demoConfig(demo: {
  readonly language: Language;
  readonly stateDir: string;
  /** Where the demo's own broker listens; undefined where only the data of the demo are wanted. */
  readonly mqttPort: number | undefined;
  readonly httpPort: number;
}): Config {
  return configSchema.parse({
    site: 'demo',
    node: 'edge-1',
    language: demo.language,
    state_dir: demo.stateDir,
    plant: { maps: [shipped('config/plant/demo.yaml')], writes: 'on' },
    people: shipped('config/people.csv'),
    procedures: shipped('config/procedures'),
    shifts: ['06:00', '14:00', '22:00'],
    log: { level: 'warn' },
    ...(demo.mqttPort === undefined ? {} : { mqtt: { url: `mqtt://127.0.0.1:${demo.mqttPort}` } }),
    http: { port: demo.httpPort },
  });
}
