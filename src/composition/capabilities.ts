import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ReportDirectory } from '../adapters/files/report-directory.ts';
import { FetchHttpClient } from '../adapters/http-client/fetch-http-client.ts';
import { SmtpMailer } from '../adapters/mail/smtp-mailer.ts';
import { clockState } from '../adapters/systemd/clock-state.ts';
import { callerDescribe } from '../app/capabilities/caller-describe.ts';
import { historyOver } from '../app/capabilities/history-over.ts';
import { httpRequest } from '../app/capabilities/http-request.ts';
import { mailSend } from '../app/capabilities/mail-send.ts';
import { memoryForget, memoryRemember } from '../app/capabilities/memory-notes.ts';
import { memoryAbout, memoryHappened, memoryRecall } from '../app/capabilities/memory-recall.ts';
import { memoryReview } from '../app/capabilities/memory-review.ts';
import { nodeStatus } from '../app/capabilities/node-status.ts';
import { peopleFind } from '../app/capabilities/people-find.ts';
import { plantDescribe } from '../app/capabilities/plant-describe.ts';
import { plcLogRecords } from '../app/capabilities/plclog-records.ts';
import { pointsRead } from '../app/capabilities/points-read.ts';
import { pointsWrite } from '../app/capabilities/points-write.ts';
import { proceduresFind } from '../app/capabilities/procedures-find.ts';
import { filesRead, filesRemove, filesSave, periodArgument } from '../app/capabilities/reports.ts';
import { workOrdersClose, workOrdersCreate } from '../app/capabilities/work-orders.ts';
import { DiagnosisReports } from '../app/diagnosis-reports.ts';
import type { HistoryAnswers } from '../app/history/history-answers.ts';
import { MailDeliverer } from '../app/mail-delivery.ts';
import type { MemoryDesk } from '../app/memory/memory-desk.ts';
import type { NodeStatus } from '../app/node-status.ts';
import { OutboxDelivery } from '../app/outbox-delivery.ts';
import type { OutboxDeliverer } from '../app/ports/outbox-deliverer.ts';
import type { PlcLogStore } from '../app/ports/plc-log-store.ts';
import type { PlcReader } from '../app/ports/plc-reader.ts';
import type { ProcedureRepository } from '../app/ports/procedure-repository.ts';
import type { ReportStore } from '../app/ports/report-store.ts';
import type { OutboxStore } from '../app/ports/session-store.ts';
import type { WorkOrderStore } from '../app/ports/work-order-store.ts';
import { ReportDeliverer } from '../app/report-delivery.ts';
import { WorkOrderDeliverer } from '../app/work-order-delivery.ts';
import { WorkOrderDesk } from '../app/work-orders.ts';
import type { Config } from '../config/config-schema.ts';
import { parsePeriod } from '../domain/history/parse-period.ts';
import { shiftCalendarOf } from '../domain/history/shift-calendar.ts';
import type { PeopleDirectory } from '../domain/people/directory.ts';
import type { Phrasebook } from '../domain/phrases/phrasebook.ts';
import type { PlantModel } from '../domain/plc/plant-model.ts';
import type { WriteOrder, WriteOutcome } from '../domain/plc/writing/write-order.ts';
import type { ProcedureLibrary } from '../domain/procedures/procedure-library.ts';
import type { ToolCall } from '../domain/tool/tool-call.ts';
import { EdgeError, messageOf } from '../runtime/edge-error.ts';
import { readFault } from '../runtime/read-fault.ts';
import type { Service } from '../runtime/service.ts';
import type { Capability } from '../tooling/capability.ts';
import type { Runtime } from './runtime.ts';
import { timeZoneOf } from './site.ts';

/** What the capabilities are made of. */
export interface CapabilityParts {
  readonly config: Config;
  readonly plant: PlantModel;
  readonly phrases: Phrasebook;
  readonly people: PeopleDirectory;
  readonly procedures: ProcedureLibrary;
  readonly procedureRepository: ProcedureRepository;
  readonly reader: PlcReader;
  readonly writer: { write(order: WriteOrder, signal?: AbortSignal): Promise<WriteOutcome> };
  /** Undefined where history is switched off, and where no log is followed. */
  readonly history: HistoryAnswers | undefined;
  readonly plcLogs: PlcLogStore | undefined;
  readonly outbox: OutboxStore;
  readonly workOrders: WorkOrderStore;
  /** Undefined where nothing is remembered. */
  readonly memory: MemoryDesk | undefined;
  readonly status: () => NodeStatus;
  /** Whether a call is an output that the site declared to be automatic. */
  readonly isAutomatic: (call: ToolCall) => boolean;
  /** Of channels that others put messages into, such as tickets. */
  readonly deliverers?: readonly OutboxDeliverer[];
}

/** What handlers may use of the daemon, and what keeps it going. */
export interface Capabilities {
  readonly list: readonly Capability[];
  readonly delivery: OutboxDelivery;
  readonly reports: ReportStore;
  /** To be started after the database. */
  readonly services: readonly Service[];
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** All capabilities but that of nested calls. Throws EdgeErrors for files that the configuration names. */
export function composeCapabilities(parts: CapabilityParts, runtime: Runtime): Capabilities {
  const { config, plant, people, outbox } = parts;
  const { clocks } = runtime;
  const timeZone = timeZoneOf(config);
  const shifts = shiftCalendarOf(config.shifts);
  const reports = new ReportDirectory(
    {
      directory: config.reports.dir ?? join(config.state_dir, 'reports'),
      keepMs: config.reports.keep_days * DAY_MS,
      maxBytes: config.reports.max_size_mb * 1e6,
      timeZone,
    },
    runtime,
  );
  const periodOf = periodArgument((words) =>
    parsePeriod(words, { nowMs: clocks.wall().getTime(), timeZone, shifts }),
  );
  const delivery = new OutboxDelivery(
    [
      ...mailDeliverers(config, people, reports),
      ...workOrderDeliverers(parts),
      new ReportDeliverer(parts.procedureRepository),
      ...(parts.deliverers ?? []),
    ],
    { ...runtime, outbox, clockState },
  );
  const desk =
    config.work_orders === undefined
      ? undefined
      : new WorkOrderDesk({
          store: parts.workOrders,
          outbox,
          delivery,
          clocks,
          clockState,
          keepMs: config.work_orders.keep_hours * HOUR_MS,
        });
  const mail = {
    delivery: config.mail === undefined ? undefined : delivery,
    keepMs: (config.mail?.keep_hours ?? 0) * HOUR_MS,
    people,
    reports,
    clocks,
    clockState,
  };
  return {
    delivery,
    reports,
    services: [delivery, ...(desk === undefined ? [] : [workOrderService(desk, delivery, runtime)])],
    list: [
      plantDescribe({ plant, timeZone }),
      pointsRead({ ...parts, clocks }),
      pointsWrite(parts),
      historyOver({ answers: parts.history }),
      plcLogRecords({ plant, store: parts.plcLogs, periodOf }),
      proceduresFind({ library: parts.procedures, repository: parts.procedureRepository }),
      filesSave({ reports, logger: runtime.logger }),
      filesRemove({ reports }),
      filesRead({ reports, periodOf }),
      peopleFind({ people }),
      mailSend(mail),
      workOrdersCreate({
        desk,
        plant,
        reports: new DiagnosisReports({ outbox, delivery, clocks, timeZone }),
      }),
      workOrdersClose({ desk }),
      httpRequest({ http: new FetchHttpClient({ allowedHosts: config.http_tools.allowed_hosts }) }),
      memoryRemember({ ...parts, clocks }),
      memoryRecall({ ...parts, clocks }),
      memoryAbout({ ...parts, clocks }),
      memoryHappened({ ...parts, clocks, periodOf }),
      memoryForget({ ...parts, clocks }),
      memoryReview({ ...parts, clocks }),
      nodeStatus(parts),
      callerDescribe(),
    ],
  };
}

function mailDeliverers(
  { mail }: Config,
  people: PeopleDirectory,
  reports: ReportStore,
): readonly OutboxDeliverer[] {
  if (mail === undefined) return [];
  const ca = mail.ca_file === undefined ? undefined : pemText(mail.ca_file);
  return [
    new MailDeliverer({
      mailer: new SmtpMailer({ ...mail, ca }),
      people,
      reports,
      domain: mail.from.slice(mail.from.indexOf('@') + 1),
    }),
  ];
}

function pemText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new EdgeError('CONFIG_UNREADABLE', `mail.ca_file: ${file}: ${readFault(error)}`, { cause: error });
  }
}

function workOrderDeliverers({ config, workOrders }: CapabilityParts): readonly OutboxDeliverer[] {
  const site = config.work_orders;
  if (site === undefined) return [];
  const http = new FetchHttpClient({ allowedHosts: [new URL(site.url).host] });
  return [new WorkOrderDeliverer(site, http, workOrders)];
}

/** Keeps the state of the orders in step with what becomes of their messages. */
function workOrderService(desk: WorkOrderDesk, delivery: OutboxDelivery, { logger }: Runtime): Service {
  let trouble: string | undefined;
  const attempt = async (work: Promise<void>): Promise<void> => {
    try {
      await work;
      trouble = undefined;
    } catch (error) {
      trouble = messageOf(error);
      logger.error({ error: trouble }, 'the work orders could not be brought up to date');
    }
  };
  let forget = (): void => undefined;
  return {
    name: 'work orders',
    start: async () => {
      forget = delivery.onEnd((ended) => void attempt(desk.ended(ended)));
      await attempt(desk.recover());
    },
    stop: async () => forget(),
    health: () =>
      trouble === undefined
        ? { status: 'ok', detail: 'kept and numbered' }
        : { status: 'degraded', detail: trouble },
  };
}
