import { type HttpHandlers, HttpServer } from './adapters/http/http-server.ts';
import { MqttSurface } from './adapters/mqtt/mqtt-surface.ts';
import { MqttTicketSink } from './adapters/mqtt/mqtt-ticket-sink.ts';
import { ProcNodeGauge } from './adapters/proc/proc-node-gauge.ts';
import { clockState } from './adapters/systemd/clock-state.ts';
import { SystemdService } from './adapters/systemd/systemd-service.ts';
import { AlarmDesk } from './app/alarm-desk.ts';
import { Announcer, type SpokenOutcome } from './app/announcer.ts';
import { answerLine } from './app/answer.ts';
import type { FindPerson } from './app/badges.ts';
import { SessionReports } from './app/engine/session-reports.ts';
import { GrammarLoader } from './app/grammar-loader.ts';
import { LetterBox } from './app/letter-box.ts';
import { LockDesk } from './app/lock-desk.ts';
import { type NodeStatus, overallStatus } from './app/node-status.ts';
import type { Inbound } from './app/ports/inbound.ts';
import type { Microphone } from './app/ports/microphone.ts';
import type { PersonEraser } from './app/privacy/person-eraser.ts';
import { tellAloud } from './app/told.ts';
import type { TurnReport } from './app/turn-report.ts';
import { VOICE_STATION, VoiceLoop } from './app/voice-loop.ts';
import { composeAssistant } from './composition/assistant.ts';
import { composeField, composeWriting } from './composition/field.ts';
import { composeGuard } from './composition/gate.ts';
import { composeHistory } from './composition/history.ts';
import { composeMemoryReports } from './composition/memory-reports.ts';
import { composePlcLogs } from './composition/plc-log.ts';
import { composeEraser, namedPeople } from './composition/privacy.ts';
import { createRuntime, programVersion, type Runtime } from './composition/runtime.ts';
import { controlSocketOf, type Site } from './composition/site.ts';
import { openStorage } from './composition/storage.ts';
import { composeEngine, composeMicrophone, composeRecogniser } from './composition/voice.ts';
import type { AlarmMessage } from './domain/alarm/alarm-event.ts';
import { createEnvelope } from './domain/envelope.ts';
import { languageOf } from './domain/language/language.ts';
import { EdgeError, messageOf } from './runtime/edge-error.ts';
import { Lifecycle } from './runtime/lifecycle.ts';
import type { Service } from './runtime/service.ts';

/** Is told what happens, for a person who looks on. */
export interface Observer {
  turn(report: TurnReport): void;
  spoken(outcome: SpokenOutcome): void;
  /** An alarm event arrived; it may be one that was heard before. */
  alarm(source: string, name: string, message: AlarmMessage): void;
}

/** What differs from a daemon that finds everything at its site. */
export interface Surroundings {
  /** Instead of the configured microphone. */
  readonly microphone?: Microphone;
  /** False keeps spoken lines as files. */
  readonly speaker?: boolean;
  /** Started before and stopped after all others. */
  readonly before?: readonly Service[];
  /** Where a Modbus connection really is. */
  readonly endpointOf?: (connection: string) => { readonly host: string; readonly port: number } | undefined;
  readonly observer?: Observer;
  /** Who a badge belongs to; without it nobody is known. */
  readonly findPerson?: FindPerson;
  readonly runtime?: Runtime;
}

export interface Daemon {
  /** The names of its parts, as `/healthz` shows them. */
  readonly parts: readonly string[];
  readonly eraser: PersonEraser;
  /** Resolves when READY has been said. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

const STOP_DEADLINE_MS = 3000;

/** The whole daemon, wired by hand in the order of its start: database, HTTP, Modbus, MQTT, speech, voice, READY. */
export async function composeDaemon(site: Site, surroundings: Surroundings = {}): Promise<Daemon> {
  const { config, plant, phrases, books } = site;
  const runtime = surroundings.runtime ?? createRuntime(config.log.level);
  const { clocks, scheduler, logger } = runtime;
  const { language } = config;
  const startedAtMs = clocks.monotonicMs();
  const version = programVersion();

  const storage = await openStorage(config, runtime, namedPeople(site));
  const field = composeField(plant, runtime, surroundings.endpointOf);
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
      findPerson: surroundings.findPerson ?? personFinder(site),
    },
    runtime,
  );
  const history = composeHistory(config, plant, field.image, runtime);
  const plcLogs = await composePlcLogs(config, plant, field.bus, runtime);
  const { engine, service: speech } = composeEngine(config, runtime, surroundings.speaker ?? true);

  let voice: VoiceLoop | undefined;
  const announcer = new Announcer(engine, {
    clocks,
    scheduler,
    logger,
    floor: { busy: () => voice?.hearing ?? false },
  });
  const status = (): NodeStatus => {
    const parts = lifecycle.health();
    return {
      status: overallStatus(parts, lifecycle.ready, lifecycle.stopping),
      ready: lifecycle.ready,
      version,
      uptime_s: Math.round((clocks.monotonicMs() - startedAtMs) / 1000),
      parts,
    };
  };
  const node = new ProcNodeGauge(runtime);
  const letters = new LetterBox();
  const envelope = (schema: string) => createEnvelope(clocks, clockState(), schema);
  // What comes in over MQTT meets what is composed after it.
  const mqtt =
    config.mqtt === undefined
      ? undefined
      : composeMqtt(
          site,
          {
            alarm: (...given) => inbound.alarm(...given),
            command: (...given) => inbound.command(...given),
            unreadable: (...given) => inbound.unreadable(...given),
            badge: (...given) => inbound.badge(...given),
            say: (...given) => inbound.say(...given),
          },
          runtime,
        );
  const assistant = composeAssistant(
    {
      site,
      storage,
      field,
      writing,
      guard,
      history,
      plcLogs: plcLogs.store,
      status,
      node,
      silence: (which) => announcer.silence(which),
      tell: (station, text, spoken) =>
        isTyped(station)
          ? letters.keep(station, text)
          : tellAloud(announcer, { text, language: spoken, priority: 'answer' }),
      ears: (station, what) => {
        if (station === VOICE_STATION) voice?.[what]();
      },
      envelope,
      ticketSinks:
        mqtt === undefined ? [] : [new MqttTicketSink({ publish: (...message) => mqtt.publish(...message) })],
    },
    runtime,
  );
  const stations = assistant.engine;
  const alarms = new AlarmDesk({
    store: storage.alarms,
    announcer,
    phrases,
    clocks,
    scheduler,
    logger,
    language,
    onHeard: (text) => assistant.alarmHeard(text),
    capture: (event) => assistant.memory.captureAlarm(event),
    onCaptured: () => assistant.memory.feed.wake(),
  });
  const inbound: Inbound = {
    alarm: (source, name, message) => {
      surroundings.observer?.alarm(source, name, message);
      if (message.state !== 'cleared')
        assistant.engine.groundChanged({
          kind: 'alarm_raised',
          machine: plant.machine(source) === undefined ? undefined : source,
        });
      return alarms.receive(source, name, message);
    },
    command: ({ station, ...asked }) =>
      assistant.commands.call({
        ...asked,
        origin: 'mqtt',
        station: station === undefined ? 'mqtt' : `mqtt.${station}`,
      }),
    unreadable: (tool, ...what) => assistant.commands.unreadable({ tool, origin: 'mqtt' }, ...what),
    badge: async (message) => void (await guard.badges.badge(message)),
    say: (text, given) =>
      void announcer.announce({ text, language: given ?? languageOf(text), priority: 'message' }),
  };
  if (surroundings.observer !== undefined) {
    const { observer } = surroundings;
    announcer.onSpeaking((event) => {
      if (event.kind === 'ended') observer.spoken(event.outcome);
    });
  }

  const erasures = composeEraser({ site, storage, guard, stores: assistant.personal }, runtime);
  const handlers: HttpHandlers = {
    status,
    points: field.points,
    history: (machine: string, point: string | undefined, period: string) => {
      if (history === undefined) throw new EdgeError('HISTORY_OFF', 'history.enabled is false');
      return history.answers.over(machine, point, period);
    },
    ask: async (text, speak, station, turnId) => {
      const asked = languageOf(text);
      const report = await stations.answer({ station, text, language: asked, origin: 'ask', turnId });
      surroundings.observer?.turn(report);
      const line = speak ? answerLine(report, asked, { phrases, clocks }) : undefined;
      if (line !== undefined) void announcer.announce(line);
      const { lines: meanwhile, told: lettersTold } = letters.take(station);
      return {
        report: meanwhile.length === 0 ? report : { ...report, meanwhile },
        told: (told) => {
          stations.answerTold(station, report, told);
          lettersTold(told);
        },
      };
    },
    sessions: new SessionReports(storage.sessions, (text) => storage.pseudonyms.show(text)),
    tools: {
      tools: () => assistant.tools.summaries(),
      tickets: () => assistant.tickets.list(),
      ticket: (id) => assistant.tickets.show(id),
      acknowledge: (id, by) => assistant.tickets.acknowledge(id, by),
      resolve: (id, by, note) => assistant.tickets.resolve(id, by, note),
    },
    workflows: assistant.workflows,
    locks: new LockDesk({ locks: guard.locks, plant, people: site.people }),
    memory: composeMemoryReports({ site, storage, ...assistant, eraser: erasures.eraser }, runtime),
    say: (text: string, given: 'en' | 'zh' | undefined) =>
      announcer.announce({ text, language: given ?? languageOf(text), priority: 'answer' }),
  };
  const { host, port, token } = config.http;
  const http = new HttpServer({ kind: 'tcp', host, port, token }, handlers, logger);
  const control = new HttpServer({ kind: 'socket', path: controlSocketOf(config) }, handlers, logger);

  // What only one process may hold comes first: a second daemon must not disturb the first before it gives up.
  const services: Service[] = [
    ...(surroundings.before ?? []),
    storage.service,
    control,
    http,
    ...(history?.services ?? []),
    ...field.services,
    writing.service,
    ...plcLogs.services,
    node,
    ...assistant.services,
    erasures.service,
  ];
  if (mqtt !== undefined) services.push(mqtt);
  services.push(speech, announcer, alarms);
  if (config.microphone.enabled) {
    const microphone = surroundings.microphone ?? composeMicrophone(config, runtime);
    const recogniser = composeRecogniser(config, runtime);
    const grammar = new GrammarLoader({ recogniser, book: books[language], logger, scheduler });
    voice = new VoiceLoop({
      microphone,
      recogniser,
      announcer,
      stations,
      clocks,
      phrases,
      logger,
      language,
      onTurn: (report) => surroundings.observer?.turn(report),
    });
    services.push(recogniser, grammar, voice, microphone);
  }
  services.push(composeSystemd(() => storage.checkWrite(), runtime));
  const lifecycle = new Lifecycle(services, { stopDeadlineMs: STOP_DEADLINE_MS }, logger);

  return {
    parts: services.map(({ name }) => name),
    eraser: erasures.eraser,
    async start() {
      await lifecycle.start();
      await storage.audit.append('daemon.ready', { version });
      logger.info(
        { version, ready_ms: Math.round(process.uptime() * 1000), rss_mb: rssMb(), http_port: http.port },
        'ready',
      );
      await assistant.tools.begin();
      assistant.ready();
      if ((await history?.check()) === false) logger.error('history.db was damaged and is set aside');
      if (!(await assistant.memory.store.check())) logger.error('memory.db was damaged and is set aside');
    },
    async stop() {
      if (lifecycle.ready) {
        await storage.audit
          .append('daemon.stopping', {})
          .catch((error: unknown) =>
            logger.error({ error: messageOf(error) }, 'the audit could not be written'),
          );
      }
      await lifecycle.stop();
      logger.info('stopped');
    },
  };
}

function composeMqtt(site: Site, inbound: Inbound, runtime: Runtime): MqttSurface {
  const { mqtt, site: siteName, node } = site.config;
  if (mqtt === undefined) throw new Error('composeMqtt is for configurations with mqtt');
  const { url, username, password, ca_file: caFile, reply_prefixes: replyPrefixes } = mqtt;
  const envelope = (schema: string) => createEnvelope(runtime.clocks, clockState(), schema);
  return new MqttSurface(
    { url, username, password, caFile, replyPrefixes, site: siteName, node },
    { ...runtime, inbound, envelope },
  );
}

/** Stations whose people read: nobody in the hall waits for what they are told. */
function isTyped(station: string): boolean {
  return station === 'ask' || station.startsWith('ask-');
}

function composeSystemd(progress: () => Promise<void>, runtime: Runtime): SystemdService {
  const watchdogUs = Number(process.env['WATCHDOG_USEC'] ?? Number.NaN);
  return new SystemdService(
    {
      notifySocket: process.env['NOTIFY_SOCKET'],
      watchdogMs: Number.isFinite(watchdogUs) ? watchdogUs / 1000 : undefined,
    },
    { ...runtime, progress },
  );
}

function rssMb(): number {
  return Math.round(process.memoryUsage.rss() / 1e6);
}

/** Badges and logins name people by id or badge number. */
function personFinder({ people }: Site): FindPerson {
  return async (by) => {
    const person = 'id' in by ? people.person(by.id) : people.withBadge(by.badge);
    return person === undefined ? undefined : { id: person.id, name: person.names.en, role: person.role };
  };
}
