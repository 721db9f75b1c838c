import { dirname, isAbsolute, resolve } from 'node:path';
import { type Config, configSchema } from './config-schema.ts';
import { type Environment, loadYaml } from './load-yaml.ts';

/** Reads a node's configuration; paths in it become absolute, seen from the file's own directory. */
export function loadConfig(file: string, environment: Environment = process.env): Config {
  const config = loadYaml(file, configSchema, environment);
  const from = dirname(resolve(file));
  const absolute = (path: string): string => (isAbsolute(path) ? path : resolve(from, path));
  const { model, libvosk } = config.voice;
  return {
    ...config,
    state_dir: absolute(config.state_dir),
    plant: config.plant.map(absolute),
    tools: {
      ...config.tools,
      ...(config.tools.directory === undefined ? {} : { directory: absolute(config.tools.directory) }),
    },
    voice: {
      ...config.voice,
      ...(model === undefined ? {} : { model: absolute(model) }),
      libvosk: libvosk === 'auto' ? libvosk : absolute(libvosk),
    },
    ...(config.mqtt === undefined
      ? {}
      : {
          mqtt: {
            ...config.mqtt,
            ...(config.mqtt.ca_file === undefined ? {} : { ca_file: absolute(config.mqtt.ca_file) }),
          },
        }),
  };
}
