import { clockState } from '../adapters/systemd/clock-state.ts';
import { CommandIntake } from '../app/engine/command-intake.ts';
import { ConversationLog } from '../app/engine/conversation-log.ts';
import { Engine } from '../app/engine/engine.ts';
import type { EngineParts } from '../app/engine/engine-parts.ts';
import { Gatekeeper } from '../app/engine/gatekeeper.ts';
import { HandlingDesk } from '../app/engine/handling-desk.ts';
import type { LiveSession } from '../app/engine/live-session.ts';
import { SessionEffects } from '../app/engine/session-effects.ts';
import { SessionHouse } from '../app/engine/session-house.ts';
import { SessionHousekeeping } from '../app/engine/session-housekeeping.ts';
import type { NodeStatus } from '../app/node-status.ts';
import type { NodeGauge } from '../app/ports/node-gauge.ts';
import type { PersonalStore } from '../app/ports/personal-store.ts';
import type { PlcLogStore } from '../app/ports/plc-log-store.ts';
import type { ProcedureRepository } from '../app/ports/procedure-repository.ts';
import type { TicketSink } from '../app/ports/ticket-sink.ts';
import { REPORT_CHANNEL } from '../app/report-delivery.ts';
import { sayResult } from '../app/say-result.ts';
import { TICKET_CHANNEL, type Tickets } from '../app/tickets.ts';
import { VOICE_STATION } from '../app/voice-loop.ts';
import type { Envelope } from '../domain/envelope.ts';
import { isDeclaredOutput } from '../domain/gate/gate.ts';

import { snapshotOf, stateHash } from '../domain/session/state-hash.ts';
import type { NameLookup } from '../domain/tool/check-arguments.ts';
import type { Service, Unsubscribe } from '../runtime/service.ts';
import type { Admit } from '../tooling/admission.ts';
import type { WorkflowReports } from '../tooling/workflow/workflow-reports.ts';
import { composeCapabilities } from './capabilities.ts';
import type { Field, Writing } from './field.ts';
import type { Guard } from './gate.ts';
import type { History } from './history.ts';
import { composeMemory, type Memory } from './memory.ts';
import { composeProcedures, pseudonymReports } from './procedures.ts';
import { composeRouting } from './routing.ts';
import type { Runtime } from './runtime.ts';
import { exampleSentences, type Site, timeZoneOf } from './site.ts';
import { partsLacking } from './site-parts.ts';
import type { Storage } from './storage.ts';
import { composeTickets } from './tickets.ts';
import { toolPacks } from './tool-packs.ts';
import { type BuiltTools, composeTools, type Tools } from './tools.ts';
import { composeTurns } from './turns.ts';
import { composeWorkflows } from './workflows.ts';

/** Channels of which nobody waits to hear. */
const UNTOLD: ReadonlySet<string> = new Set([TICKET_CHANNEL, REPORT_CHANNEL]);

/** What has ended is kept for so long, milliseconds: 30 days. */
const KEPT_MS = 30 * 86_400_000;

interface Parts {
  readonly site: Site;
  readonly storage: Storage;
  /** Without an image nothing is polled: a value that changes is found when it is read before a write. */
  readonly field: Pick<Field, 'reader'> & Partial<Pick<Field, 'image'>>;
  readonly writing: Writing;
  readonly guard: Guard;
  readonly history: History | undefined;
  readonly plcLogs: PlcLogStore | undefined;
  readonly status: () => NodeStatus;
  readonly node: NodeGauge;
  readonly silence: EngineParts['silence'];
  readonly tell: EngineParts['tell'];
  /** What a station's session wants of its microphone. */
  readonly ears: (station: string, what: 'sleep' | 'cut') => void;
  readonly envelope: (schema: string) => Envelope;
  /** Tools that were built, where the program is not. */
  readonly built?: BuiltTools | undefined;
  /** Where people see tickets, beside the configured webhook. */
  readonly ticketSinks: readonly TicketSink[];
}

/** Everything between what people and machines ask for and what is done about it. */
export interface Assistant {
  readonly engine: Engine;
  readonly commands: CommandIntake;
  readonly tools: Tools;
  readonly tickets: Tickets;
  /** An alarm was said aloud, and heard by whoever stands at the microphone. */
  alarmHeard(text: string): void;
  readonly workflows: WorkflowReports;
  readonly memory: Memory;
  readonly procedures: ProcedureRepository;
  /** What is held in memory of people. */
  readonly personal: readonly PersonalStore[];
  /** Does what READY need not wait for. */
  ready(): void;
  /** In the order of their start, after the field's. */
  readonly services: readonly Service[];
}

/** Throws EdgeErrors for files that the configuration names. */
export function composeAssistant(parts: Parts, runtime: Runtime): Assistant {
  const { site, storage, guard } = parts;
  const { config, plant, phrases, people, books } = site;
  const { clocks, logger } = runtime;
  const { language } = config;
  const timeZone = timeZoneOf(config);

  const memory = composeMemory(
    {
      site,
      storage,
      reader: parts.field.reader,
      tell: (text, spoken) => void parts.tell(VOICE_STATION, text, spoken),
    },
    runtime,
  );
  const lacking = partsLacking(config, plant);
  const gatekeeper = new Gatekeeper({
    plant,
    lacking,
    writes: guard.writes,
    locks: () => guard.locks.view,
    declaredOutputs: guard.declaredOutputs,
    reachOf: (id) => people.person(id)?.scope,
  });
  const { tickets, deliverer } = composeTickets(
    config,
    {
      database: storage.database,
      erased: storage.erased,
      outbox: storage.outbox,
      envelope: parts.envelope,
      sinks: parts.ticketSinks,
      wake: () => capabilities.delivery.wake(TICKET_CHANNEL),
    },
    runtime,
  );
  const procedures = composeProcedures(config, pseudonymReports(storage.pseudonyms), runtime);
  const capabilities = composeCapabilities(
    {
      config,
      plant,
      phrases,
      people,
      procedures: site.procedures,
      procedureRepository: procedures,
      reader: parts.field.reader,
      writer: parts.writing.writer,
      history: parts.history?.answers,
      plcLogs: parts.plcLogs,
      outbox: storage.outbox,
      workOrders: storage.workOrders,
      memory: memory.desk,
      status: parts.status,
      isAutomatic: ({ tool, args }) => isDeclaredOutput(tool, args, guard.declaredOutputs),
      deliverers: [deliverer],
    },
    runtime,
  );
  const admit: Admit = (call, contract) => gatekeeper.admit(call, contract);
  const names: NameLookup = (format, args) => namesOf(format, args, site);
  const hashOf = (sessionId: string): string | undefined => {
    const session = house.byId(sessionId);
    return session === undefined ? undefined : stateHash(snapshotOf(session.record, session.actions));
  };
  const tools = composeTools(
    {
      packs: toolPacks(config.tools.directory, parts.built?.packs),
      built: parts.built,
      siteDirectory: config.tools.directory,
      capabilities: capabilities.list,
      admit,
      tickets,
      stateHash: hashOf,
      names,
      workers: config.tools.workers,
      lacking,
    },
    runtime,
  );
  const workflows = composeWorkflows(
    {
      siteDirectory: config.workflows,
      tools: tools.runner,
      registry: tools.registry,
      store: storage.workflows,
      audit: storage.audit,
      tickets,
      stateHash: hashOf,
      admit,
      names,
      declaredOutputs: guard.declaredOutputs,
      busy: { en: phrases.say('en', 'busy'), zh: phrases.say('zh', 'busy') },
    },
    runtime,
  );
  const { book, router, planner, keywords } = composeRouting(
    {
      site,
      audit: storage.audit,
      reader: parts.field.reader,
      node: parts.node,
      runner: workflows.runner,
      registry: tools.registry,
      workflowParameters: workflows.parameters,
      facts: memory.facts,
      lacking,
    },
    runtime,
  );

  const log = new ConversationLog({
    store: storage.sessions,
    language,
    clocks,
    logger,
    capture: memory.capture,
    onCaptured: () => memory.feed.wake(),
    names: [...plant.machineList(), ...plant.quantityList(), ...people.spokenList()].flatMap(({ spoken }) => [
      ...spoken.en,
      ...spoken.zh,
    ]),
  });
  const escalate = (session: LiveSession, turnId: string, failures: number): Promise<string | undefined> =>
    tickets
      .open({
        tool: 'session',
        code: 'TOOL_FAILED',
        message: `a task failed ${failures} times`,
        input: {},
        path: [],
        sessionId: session.id,
        turnId,
        stateHash: stateHash(snapshotOf(session.record, session.actions)),
        safety: false,
      })
      .catch((error: unknown) => {
        logger.error({ error: String(error) }, 'a ticket could not be opened');
        return undefined;
      });
  const effects = new SessionEffects({
    phrases,
    log,
    language,
    tell: parts.tell,
    rollBack: (session, turnId) => void turns.rollBack.carryOut(session, turnId),
    ears: parts.ears,
    escalate,
  });
  const house = new SessionHouse({
    ...runtime,
    store: storage.sessions,
    audit: storage.audit,
    onEffect: (session, effect) => effects.handle(session, effect),
  });
  const common: EngineParts = {
    ...runtime,
    plant,
    phrases,
    reader: parts.field.reader,
    people: { nameOf: (id, spoken) => people.person(id)?.names[spoken] ?? id },
    audit: storage.audit,
    store: storage.sessions,
    tools: workflows.runner,
    understanding: books,
    router,
    keywords: keywords.match,
    asksForMemory: (text) => memory.desk.asksForMemory(text),
    planner: planner === undefined ? undefined : planner.plan.bind(planner),
    openTickets: () => tickets.live(),
    handling: new HandlingDesk({ node: parts.node }),
    standing: (station) => guard.badges.standingAt(standingStation(station)),
    words: (say, contract, spoken) =>
      sayResult(say, contract.phrases, { phrases, plant, clocks, timeZone }, spoken),
    examples: { en: exampleSentences(plant, 'en'), zh: exampleSentences(plant, 'zh') },
    silence: parts.silence,
    tell: parts.tell,
  };
  const turns = composeTurns(common, { gatekeeper, writes: guard.writes, language, log, escalate });
  const engine = new Engine({ ...common, ...turns, house, log });
  const commands = new CommandIntake({
    ...common,
    house,
    gatekeeper,
    runner: turns.runner,
    between: (station, work) => engine.between(station, work),
    log,
    language,
    // A question that cannot be said aloud there can be consented to by nobody.
    proposeAt: config.microphone.enabled && config.speech.enabled ? VOICE_STATION : undefined,
  });
  let unwatch: Unsubscribe | undefined;
  const sessions: Service = {
    name: 'sessions',
    start: async () => {
      await house.restore();
      for (const session of house.all()) turns.rollBack.offer(session);
      unwatch = parts.field.image?.onReadings((readings) =>
        engine.groundChanged({ kind: 'readings', readings }),
      );
    },
    stop: async () => {
      unwatch?.();
      engine.close();
    },
    health: () => ({
      status: 'ok',
      detail: `${house.all().length} live`,
      figures: { live: house.all().length },
    }),
  };
  const housekeeping = new SessionHousekeeping({
    ...runtime,
    stores: [storage.sessions, storage.outbox, storage.workflows, { prune: () => memory.pruneArchive() }],
    isClockSet: () => clockState() === 'synced',
    keepMs: KEPT_MS,
  });
  let forget = (): void => undefined;
  // What waited for its far side and will not be delivered any more is told: nobody thinks that it was.
  const waitedFor: Service = {
    name: 'outbox ends',
    start: async () => {
      forget = capabilities.delivery.onEnd(({ message, end }) => {
        if (end === 'delivered' || UNTOLD.has(message.channel)) return;
        const what = phrases.say(language, message.channel === 'mail' ? 'mail_not_sent' : 'order_not_sent');
        void parts.tell(VOICE_STATION, what, language);
      });
    },
    stop: async () => forget(),
    health: () => ({ status: 'ok', detail: 'what is not delivered is told' }),
  };
  return {
    engine,
    commands,
    tools,
    tickets,
    alarmHeard: (text) => {
      if (!config.microphone.enabled) return;
      try {
        log.alarm(house.beside(VOICE_STATION), text);
      } catch (error) {
        logger.error({ error: String(error) }, 'an alarm could not be put into the conversation');
      }
    },
    workflows: workflows.reports,
    memory,
    procedures,
    personal: [
      {
        name: 'conversations',
        erase: async ({ names }) => ({
          count: house.endThose(
            (memory) => names.inValue(memory) !== memory,
            (station, work) => engine.between(station, work),
          ),
        }),
      },
      { name: 'open tickets', erase: (erasure) => tickets.erase(erasure) },
      ...memory.personal(procedures),
    ],
    ready: () => {
      workflows.begin();
      keywords.prepare();
      memory.ready();
    },
    services: [
      ...capabilities.services,
      procedures,
      tickets,
      ...tools.services,
      ...memory.services,
      book,
      sessions,
      // Stopped before the sessions, which would call it off: it goes on after the next start.
      workflows.service,
      housekeeping,
      waitedFor,
    ],
  };
}

/** Each terminal and each sender over MQTT has a station of its own, and the role of all of its kind. */
function standingStation(station: string): string {
  if (station.startsWith('ask-')) return 'ask';
  return station.startsWith('mqtt.') ? 'mqtt' : station;
}

/** What a format's values may be, for the nearest valid word in an error. */
function namesOf(
  format: string,
  args: Readonly<Record<string, unknown>>,
  { plant, people }: Site,
): readonly string[] | undefined {
  const { machine } = args;
  switch (format) {
    case 'machine':
      return [...plant.machines.keys()];
    case 'point':
      return typeof machine === 'string' ? [...(plant.machine(machine)?.points.keys() ?? [])] : undefined;
    case 'person':
      return people.people.map(({ id }) => id);
    default:
      return undefined;
  }
}
