import { ModbusPlcBus } from '../adapters/modbus/modbus-plc-bus.ts';
import { PointReader } from '../app/plc/point-reader.ts';
import { Stations } from '../app/stations.ts';
import type { TurnReport } from '../app/turn-report.ts';
import { languageOf } from '../domain/language/language.ts';
import { createRuntime, programVersion } from './runtime.ts';
import { exampleSentences, type Site } from './site.ts';
import { openStorage } from './storage.ts';

/** Answers typed commands without a daemon: the PLC and the session, no voice. */
export interface Answerer {
  start(): Promise<void>;
  ask(text: string): Promise<TurnReport>;
  stop(): Promise<void>;
}

export async function composeAnswerer(site: Site): Promise<Answerer> {
  const { config, plant, phrases, books } = site;
  const runtime = createRuntime('silent');
  const storage = await openStorage(config, runtime);
  const bus = new ModbusPlcBus({ plant }, runtime);
  const reader = new PointReader({ plant, bus, clocks: runtime.clocks });
  const stations = new Stations({
    ...runtime,
    plant,
    reader,
    phrases,
    audit: storage.audit,
    understanding: books,
    silence: () => undefined,
    status: () => ({
      status: 'ok',
      ready: true,
      version: programVersion(),
      uptime_s: 0,
      parts: [{ name: bus.name, ...bus.health() }],
    }),
    examples: { en: exampleSentences(plant, 'en'), zh: exampleSentences(plant, 'zh') },
  });
  return {
    start: () => bus.start(new AbortController().signal),
    ask: (text) => stations.answer({ station: 'ask', text, language: languageOf(text) }),
    async stop() {
      stations.close();
      await bus.stop(1000);
      await storage.service.stop(1000);
    },
  };
}
