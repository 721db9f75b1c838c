import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The environment of a person at a machine without a sound card, with a home of their own. */
export interface QuietMachine {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  remove(): void;
}

export function quietMachine(): QuietMachine {
  const home = mkdtempSync(join(tmpdir(), 'hermes-home-'));
  const alsa = join(home, 'empty-asound.conf');
  writeFileSync(alsa, '');
  const state = join(home, 'state');
  mkdirSync(state);
  const { PULSE_SERVER: _server, HERMES_EDGE_CONFIG: _config, ...rest } = process.env;
  return {
    home,
    env: { ...rest, HOME: home, XDG_STATE_HOME: state, ALSA_CONFIG_PATH: alsa },
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}
