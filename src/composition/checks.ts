import { accessSync, constants, mkdirSync, readFileSync, statfsSync } from 'node:fs';
import { connectAsync } from 'mqtt';
import { ModbusPlcBus } from '../adapters/modbus/modbus-plc-bus.ts';
import { GrammarLoader } from '../app/grammar-loader.ts';
import { PointReader } from '../app/plc/point-reader.ts';
import { readPoints } from '../app/read-value.ts';
import type { Config } from '../config/config-schema.ts';
import type { PlantMachine, PlantModel } from '../domain/plc/plant-model.ts';
import type { WriteMode } from '../domain/plc/writing/write-order.ts';
import { messageOf } from '../runtime/edge-error.ts';
import { bad, type Check, failed, good } from './check.ts';
import { checkMemory } from './memory-checks.ts';
import { counted, type FilesRead, notSetUpLines, readNamedFiles } from './named-files.ts';
import { createRuntime, type Runtime } from './runtime.ts';
import type { Site } from './site.ts';
import { composeRecogniser, probeAudio } from './voice.ts';

const MIN_FREE_BYTES = 500e6;
const MQTT_WITHIN_MS = 4000;

/** Looks at every part a site uses, one after another, and calls `report` with each result as it comes. */
export async function runChecks(site: Site, report: (check: Check) => void): Promise<void> {
  const runtime = createRuntime('silent');
  const { config } = site;
  report(checkStateDir(config));
  for (const files of await readNamedFiles(site)) report(checkFiles(files));
  report(good('people', peopleKnown(site)));
  report(good('procedures', counted(site.procedures.procedures.length, 'procedure')));
  for (const check of await checkMemory(config, runtime)) report(check);
  report(good('writes', WRITES[config.plant.writes]));
  const audio = await probeAudio(config, runtime);
  if (config.microphone.enabled) {
    report(checkDevice('microphone', config.microphone.device, audio.microphone));
    await checkRecogniser(site, runtime, report);
  }
  if (config.speech.enabled) report(checkDevice('speaker', config.speech.device, audio.speaker));
  await checkPlcs(site, runtime, report);
  report(await checkBroker(config));
}

/** What becomes of the wish to write a value, by `plant.writes`. */
const WRITES: Readonly<Record<WriteMode, string>> = {
  off: 'off: no value is written to a PLC',
  commissioning: 'commissioning: everything is done but sending the value',
  on: 'on: values are written to PLCs after they were confirmed',
};

/** What is wrong with the files of one kind: the first fault, and how many more there are. */
function checkFiles(files: FilesRead): Check {
  const { part, detail, faults, warnings } = files;
  const [first, ...more] = [...faults, ...warnings];
  if (first === undefined) return good(part, [detail, ...notSetUpLines(files)].join('; '));
  const rest = more.length === 0 ? '' : `; and ${more.length} more`;
  return bad(part, `${first}${rest}`, 'hermes-edge config check names every fault');
}

function checkDevice(part: 'microphone' | 'speaker', device: string, opens: boolean): Check {
  if (opens) return good(part, `"${device}" ${part === 'microphone' ? 'records' : 'plays'}`);
  const [lister, key] =
    part === 'microphone' ? ['arecord -l', 'microphone.device'] : ['aplay -l', 'speech.device'];
  const fix = `${lister} lists what is there; set ${key} to plughw:CARD=NAME; the user must be in the group audio`;
  return bad(
    part,
    `"${device}" cannot be opened`,
    `${fix}; without alsa-utils: sudo apt-get install alsa-utils`,
  );
}

function peopleKnown({ config, people }: Site): string {
  return config.people === undefined ? 'nobody: no file is configured' : `${people.people.length} known`;
}

function checkStateDir({ state_dir }: Config): Check {
  try {
    mkdirSync(state_dir, { recursive: true });
    accessSync(state_dir, constants.W_OK);
    const { bavail, bsize } = statfsSync(state_dir);
    const free = bavail * bsize;
    const detail = `${state_dir}, ${(free / 1e9).toFixed(1)} GB free`;
    return free < MIN_FREE_BYTES
      ? bad('state', detail, 'make room: at least 0.5 GB is needed')
      : good('state', detail);
  } catch (error) {
    return bad('state', messageOf(error), `make ${state_dir} writable for this user, or set state_dir`);
  }
}

async function checkRecogniser(site: Site, runtime: Runtime, report: (check: Check) => void): Promise<void> {
  const recogniser = composeRecogniser(site.config, runtime);
  const grammar = new GrammarLoader({ ...runtime, recogniser, book: site.books[site.config.language] });
  try {
    await recogniser.start(new AbortController().signal);
    const health = recogniser.health();
    report(
      health.status === 'ok'
        ? good('recogniser', health.detail)
        : bad('recogniser', health.detail, 'check voice.model and voice.libvosk'),
    );
    await grammar.start();
    const words = grammar.health();
    report(
      words.status === 'ok'
        ? good('grammar', words.detail)
        : bad('grammar', words.detail, 'use other names in the device map, or a larger voice model'),
    );
  } catch (error) {
    report(failed('recogniser', error));
  } finally {
    await grammar.stop();
    await recogniser.stop(2000);
  }
}

async function checkPlcs(site: Site, runtime: Runtime, report: (check: Check) => void): Promise<void> {
  const { plant } = site;
  if (plant.machines.size === 0) {
    report(
      bad(
        'plant',
        'no machine is described',
        'name a device map under plant:, for example a copy of config/plant/demo.yaml',
      ),
    );
    return;
  }
  const bus = new ModbusPlcBus({ plant }, runtime);
  const reader = new PointReader({ plant, bus, clocks: runtime.clocks });
  await bus.start(new AbortController().signal);
  const unreachable = new Set<string>();
  for (const machine of plant.machines.values()) {
    const refs = [...machine.points.keys()].map((point) => ({ machine: machine.id, point }));
    const results = await readPoints(refs, { reader, plant, clocks: runtime.clocks });
    const broken = results.flatMap(({ reading }) =>
      reading.quality === 'bad' ? [`${reading.ref.point}: ${reading.detail}`] : [],
    );
    const [first] = broken;
    const part = `plc ${machine.id}`;
    const silent = results.every(
      ({ reading }) => reading.quality === 'bad' && reading.reason === 'unreachable',
    );
    if (silent && first !== undefined) {
      // Said once a connection: nothing can be known of the machines behind it.
      const connection = connectionOf(machine, plant);
      if (!unreachable.has(connection))
        report(
          bad(
            `connection ${connection}`,
            first,
            'check host and port in the device map, that the PLC is on, and that it lets this box connect',
          ),
        );
      unreachable.add(connection);
    } else if (first === undefined) report(good(part, `${refs.length} points read`));
    else
      report(
        bad(
          part,
          `${broken.length} of ${refs.length} points cannot be read; ${first}`,
          'check address, unit_id and register of the point',
        ),
      );
  }
  await bus.stop(1000);
}

/** Of its first point. */
function connectionOf(machine: PlantMachine, plant: PlantModel): string {
  const [point] = machine.points.values();
  return plant.device(point?.device ?? '')?.connection ?? '?';
}

async function checkBroker({ mqtt }: Config): Promise<Check> {
  if (mqtt === undefined) return good('mqtt', 'not configured');
  try {
    const { username, password, ca_file: caFile } = mqtt;
    const client = await connectAsync(
      mqtt.url,
      {
        reconnectPeriod: 0,
        connectTimeout: MQTT_WITHIN_MS,
        ...(username === undefined ? {} : { username }),
        ...(password === undefined ? {} : { password }),
        ...(caFile === undefined ? {} : { ca: readFileSync(caFile) }),
      },
      false,
    );
    await client.endAsync(true);
    return good('mqtt', `${mqtt.url} accepts this node`);
  } catch (error) {
    return bad(
      'mqtt',
      `${mqtt.url}: ${messageOf(error) || 'no answer'}`,
      'check mqtt.url, username, password and ca_file, and that the broker runs',
    );
  }
}
