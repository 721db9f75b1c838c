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
    plant: { ...config.plant, maps: config.plant.maps.map(absolute) },
    voice: {
      ...config.voice,
      ...(model === undefined ? {} : { model: absolute(model) }),
      libvosk: libvosk === 'auto' ? libvosk : absolute(libvosk),
    },
    ...(config.rules === undefined ? {} : { rules: absolute(config.rules) }),
    ...(config.mqtt === undefined
      ? {}
      : {
          mqtt: {
            ...config.mqtt,
            ...(config.mqtt.ca_file === undefined ? {} : { ca_file: absolute(config.mqtt.ca_file) }),
          },
        }),
    ...(config.mail === undefined
      ? {}
      : {
          mail: {
            ...config.mail,
            ...(config.mail.ca_file === undefined ? {} : { ca_file: absolute(config.mail.ca_file) }),
          },
        }),
    reports: {
      ...config.reports,
      ...(config.reports.dir === undefined ? {} : { dir: absolute(config.reports.dir) }),
    },
    ...(config.rules === undefined ? {} : { rules: absolute(config.rules) }),
    tools: {
      ...config.tools,
      ...(config.tools.directory === undefined ? {} : { directory: absolute(config.tools.directory) }),
    },
    ...(config.people === undefined ? {} : { people: absolute(config.people) }),
    ...(config.procedures === undefined ? {} : { procedures: absolute(config.procedures) }),
    memory: {
      ...config.memory,
      ...(config.memory.glossary === undefined ? {} : { glossary: absolute(config.memory.glossary) }),
      procedures: {
        ...config.memory.procedures,
        ...(config.memory.procedures.key_file === undefined
          ? {}
          : { key_file: absolute(config.memory.procedures.key_file) }),
      },
    },
    ...(config.workflows === undefined ? {} : { workflows: absolute(config.workflows) }),
  };
}
