import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { SqliteAudit } from '../../src/adapters/sqlite/sqlite-audit.ts';
import { Announcer } from '../../src/app/announcer.ts';
import { answerLine } from '../../src/app/answer.ts';
import { SessionContext } from '../../src/app/engine/session-context.ts';
import type { NodeGauge } from '../../src/app/ports/node-gauge.ts';
import type { Transcript } from '../../src/app/ports/recogniser.ts';
import { tellAloud } from '../../src/app/told.ts';
import type { TurnReport } from '../../src/app/turn-report.ts';
import { type Assistant, composeAssistant } from '../../src/composition/assistant.ts';
import { composeField, composeWriting, type Field } from '../../src/composition/field.ts';
import { composeGuard, type Guard } from '../../src/composition/gate.ts';
import { composeHistory } from '../../src/composition/history.ts';
import { namedPeople } from '../../src/composition/privacy.ts';
import { loadSite, type Site } from '../../src/composition/site.ts';
import { openStorage, type Storage } from '../../src/composition/storage.ts';
import { configSchema } from '../../src/config/config-schema.ts';
import { createEnvelope } from '../../src/domain/envelope.ts';
import type { KnownPerson } from '../../src/domain/gate/role.ts';
import { jsonObjectSchema } from '../../src/domain/json.ts';
import { type Language, languageOf } from '../../src/domain/language/language.ts';
import { deviceMapSchema } from '../../src/domain/plc/device-map.ts';
import { PlantModel } from '../../src/domain/plc/plant-model.ts';
import { type Clocks, type Scheduler, systemClocks, systemScheduler } from '../../src/runtime/clocks.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import type { Service } from '../../src/runtime/service.ts';
import { eventually } from './eventually.ts';
import { SteeredVoice } from './steered-voice.ts';

/** A whole assistant over a real PLC, with its real tools in their sandbox; people type, or are heard as a recogniser would. */
export interface Conversation {
  readonly site: Site;
  readonly storage: Storage;
  readonly assistant: Assistant;
  readonly guard: Guard;
  readonly field: Field;
  /** What was silenced so far. */
  readonly silenced: string[];
  /** What was told without being asked. */
  readonly told: string[];
  /** What sessions wanted of the microphones of their stations. */
  readonly ears: string[];
  /** What speaks at the microphone: there each answer is heard to its end at once, unless it holds. */
  readonly voice: SteeredVoice;
  readonly announcer: Announcer;
  ask(text: string, station?: string, turnId?: string): Promise<TurnReport>;
  hear(text: string, more?: Partial<Transcript>, language?: Language): Promise<TurnReport | undefined>;
  audited(kind: Parameters<SqliteAudit['entries']>[0]): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Ends it as a daemon would; `keep` leaves its state for another one. */
  stop(keep?: boolean): Promise<void>;
}

export interface ConversationOptions {
  readonly plant: string;
  /** Of the configuration, beside the plant. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Of one that was stopped before. */
  readonly directory?: string;
  readonly clocks?: Clocks;
  /** Hears of each tool that asks for the state of the node. */
  readonly onStatus?: () => void;
  readonly scheduler?: Scheduler;
  readonly people?: readonly KnownPerson[];
  /** Hears of what is told without being asked, at once. */
  readonly onTold?: (text: string) => void;
  /** Tool packs as they were built, in place of those that are shipped. */
  readonly packs?: string;
  /** Begins while the tools are still being tested, as a daemon does: a call waits for the verdict on its tool. */
  readonly isUntested?: boolean;
  /** A box of which nothing is known unless given: how busy the machine of the tests is must not matter. */
  readonly node?: NodeGauge;
}

/** What the build makes: a worker that need not be translated starts in a fraction of the time. */
const BUILT = {
  worker: fileURLToPath(new URL('../../dist/adapters/sandbox/worker/worker.js', import.meta.url)),
  packs: fileURLToPath(new URL('../../dist/packs', import.meta.url)),
};

export async function startConversation(
  options: ConversationOptions,
): Promise<Conversation & { readonly directory: string }> {
  const directory = options.directory ?? mkdtempSync(join(tmpdir(), 'hermes-conversation-'));
  const plant = new PlantModel([deviceMapSchema.parse(parse(options.plant))]);
  const config = configSchema.parse({ state_dir: directory, ...options.config });
  const site = loadSite(config, plant);
  const runtime = {
    clocks: options.clocks ?? systemClocks(),
    scheduler: options.scheduler ?? systemScheduler,
    logger: silentLogger(),
    context: new SessionContext(),
  };
  const storage = await openStorage(config, runtime, namedPeople(site));
  const field = composeField(plant, runtime);
  const history = composeHistory(config, plant, field.image, runtime);
  const writing = composeWriting(
    plant,
    field,
    { writes: config.plant.writes, audit: storage.audit },
    runtime,
  );
  const guard = await composeGuard(
    config,
    {
      plant,
      storage,
      onLocked: ({ machine }) => assistant.engine.groundChanged({ kind: 'machine_locked', machine }),
      findPerson: async (by) => options.people?.find(({ id }) => 'id' in by && id === by.id),
    },
    runtime,
  );
  const silenced: string[] = [];
  const told: string[] = [];
  const ears: string[] = [];
  const voice = new SteeredVoice();
  const announcer = new Announcer(voice, { ...runtime, floor: { busy: () => false } });
  const assistant = composeAssistant(
    {
      site,
      storage,
      field,
      writing,
      guard,
      history,
      plcLogs: undefined,
      status: () => {
        options.onStatus?.();
        return {
          status: 'ok',
          ready: true,
          version: '1',
          uptime_s: 1,
          parts: [{ name: 'mqtt', status: 'down', detail: '' }],
        };
      },
      node: options.node ?? { figures: () => ({}) },
      silence: (which) => {
        silenced.push(which);
        announcer.silence(which);
      },
      tell: (_station, text, language) => {
        told.push(text);
        options.onTold?.(text);
        return tellAloud(announcer, { text, language, priority: 'answer' });
      },
      ears: (station, what) => void ears.push(`${station} ${what}`),
      envelope: (schema) => createEnvelope(runtime.clocks, 'synced', schema),
      ticketSinks: [],
      built: { ...BUILT, ...(options.packs === undefined ? {} : { packs: options.packs }) },
    },
    runtime,
  );
  const services: readonly Service[] = [
    ...(history?.services ?? []),
    ...field.services,
    writing.service,
    ...assistant.services,
  ];
  const { signal } = new AbortController();
  for (const service of services) await service.start(signal);
  await assistant.tools.begin();
  if (options.isUntested !== true)
    await eventually(
      'the tools have passed their tests',
      () => assistant.tools.registry.all().every(({ state }) => state !== 'TESTING'),
      60_000,
    );
  return {
    directory,
    site,
    storage,
    assistant,
    guard,
    field,
    silenced,
    told,
    ears,
    voice,
    announcer,
    ask: async (text, station = 'ask', turnId) => {
      const report = await assistant.engine.answer({
        station,
        text,
        language: languageOf(text),
        origin: 'ask',
        ...(turnId === undefined ? {} : { turnId }),
      });
      assistant.engine.answerTold(station, report, { heard: true });
      return report;
    },
    hear: async (text, more = {}, language = 'en') => {
      const report = await assistant.engine.handle({
        station: 'microphone',
        text,
        language,
        origin: 'voice',
        transcript: {
          text,
          words: text.split(' ').map((word, index) => ({
            text: word,
            startMs: index * 300,
            endMs: index * 300 + 280,
            confidence: 1,
          })),
          audioLost: false,
          cut: false,
          snrDb: 25,
          endpointAtMs: runtime.clocks.monotonicMs() + 60_000,
          ...more,
        },
      });
      const line =
        report === undefined
          ? undefined
          : answerLine(report, language, { phrases: site.phrases, clocks: runtime.clocks });
      if (report === undefined || line === undefined) return report;
      const told = tellAloud(announcer, line).then((became) =>
        assistant.engine.answerTold('microphone', report, became),
      );
      if (!voice.holds) await told;
      return report;
    },
    audited: async (kind) =>
      (await storage.audit.entries(kind, 1000)).map(({ detail }) => jsonObjectSchema.parse(detail)),
    async stop(keep = false) {
      for (const service of [...services].reverse()) await service.stop(2000);
      await storage.service.stop(1000);
      if (!keep) rmSync(directory, { recursive: true });
    },
  };
}
