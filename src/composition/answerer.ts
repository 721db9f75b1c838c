import { ModbusPlcBus } from '../adapters/modbus/modbus-plc-bus.ts';
import { clockState } from '../adapters/systemd/clock-state.ts';
import { PointReader } from '../app/plc/point-reader.ts';
import type { TurnReport } from '../app/turn-report.ts';
import { createEnvelope } from '../domain/envelope.ts';
import { languageOf } from '../domain/language/language.ts';
import type { Service } from '../runtime/service.ts';
import { composeAssistant } from './assistant.ts';
import { composeWriting } from './field.ts';
import { composeGuard } from './gate.ts';
import { namedPeople } from './privacy.ts';
import { createRuntime, programVersion } from './runtime.ts';
import type { Site } from './site.ts';
import { openStorage } from './storage.ts';

/** Answers typed commands without a daemon: the PLC, the sessions and the tools, no voice. */
export interface Answerer {
  start(): Promise<void>;
  /** As `Utterance` has them. */
  ask(text: string, station: string, turnId: string | undefined): Promise<TurnReport>;
  stop(): Promise<void>;
}

const STOP_DEADLINE_MS = 2000;

export async function composeAnswerer(site: Site): Promise<Answerer> {
  const { config, plant } = site;
  const runtime = createRuntime('silent');
  const storage = await openStorage(config, runtime, namedPeople(site));
  const bus = new ModbusPlcBus({ plant }, runtime);
  const reader = new PointReader({ plant, bus, clocks: runtime.clocks });
  const writing = composeWriting(
    plant,
    { bus },
    { writes: config.plant.writes, audit: storage.audit },
    runtime,
  );
  const guard = await composeGuard(config, { plant, storage, findPerson: async () => undefined }, runtime);
  const assistant = composeAssistant(
    {
      site,
      storage,
      field: { reader },
      writing,
      guard,
      history: undefined,
      plcLogs: undefined,
      status: () => ({
        status: 'ok',
        ready: true,
        version: programVersion(),
        uptime_s: 0,
        parts: [{ name: bus.name, ...bus.health() }],
      }),
      // One sentence is answered and the process ends: there is no time to measure anything.
      node: { figures: () => ({}) },
      silence: () => undefined,
      tell: async () => ({ heard: false, why: 'nobody listens here' }),
      ears: () => undefined,
      envelope: (schema) => createEnvelope(runtime.clocks, clockState(), schema),
      ticketSinks: [],
    },
    runtime,
  );
  const services: readonly Service[] = [bus, ...assistant.services];
  return {
    async start() {
      const { signal } = new AbortController();
      for (const service of services) await service.start(signal);
      await assistant.tools.begin();
    },
    ask: async (text, station, turnId) => {
      const { engine } = assistant;
      const report = await engine.answer({
        station,
        text,
        language: languageOf(text),
        origin: 'ask',
        turnId,
      });
      engine.answerTold(station, report, { heard: true });
      return report;
    },
    async stop() {
      for (const service of [...services].reverse()) await service.stop(STOP_DEADLINE_MS);
      await storage.service.stop(STOP_DEADLINE_MS);
    },
  };
}
