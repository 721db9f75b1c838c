import { z } from 'zod';
import { localTime } from '../domain/history/local-time.ts';
import { isoDay } from '../domain/history/shift-calendar.ts';
import { type JsonValue, jsonObjectSchema } from '../domain/json.ts';
import { LANGUAGES, type Language } from '../domain/language/language.ts';
import {
  type DiagnosisReport,
  diagnosisReportSchema,
  type ReportText,
} from '../domain/memory/diagnosis-report.ts';
import type { Clocks } from '../runtime/clocks.ts';
import type { OutboxDelivery } from './outbox-delivery.ts';
import type { OutboxStore } from './ports/session-store.ts';
import { REPORT_CHANNEL } from './report-delivery.ts';

interface Parts {
  readonly outbox: Pick<OutboxStore, 'add'>;
  readonly delivery: Pick<OutboxDelivery, 'wake'>;
  readonly clocks: Pick<Clocks, 'wall'>;
  /** IANA name of the zone the site lives by. */
  readonly timeZone: string;
}

/** A diagnosis that a person has agreed with, and what is done about it. */
export interface ConfirmedDiagnosis {
  /** Of the action: equal for repeats of one confirmation. */
  readonly key: string;
  readonly machine: string;
  /** As the diagnosing tool gave it. */
  readonly diagnosis: JsonValue | undefined;
  readonly done: Readonly<Record<Language, string>>;
  readonly sessionId: string;
  readonly confirmedBy: string;
}

const foundSchema = z.object({
  machine: z.string(),
  findings: z
    .array(z.object({ en: z.string().nullable().optional(), zh: z.string().nullable().optional() }))
    .min(1),
});

/** Puts confirmed diagnoses into the outbox: what is there survives a crash, and waits for a repository that cannot be written. */
export class DiagnosisReports {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Resolves when it is on the disk; false for a diagnosis without findings, or of another machine. Rejects as the outbox does. */
  async record(confirmed: ConfirmedDiagnosis): Promise<boolean> {
    const report = reportOf(confirmed, this.#parts.clocks.wall(), this.#parts.timeZone);
    if (report === undefined) return false;
    await this.#parts.outbox.add({
      id: `${confirmed.key}:report`,
      channel: REPORT_CHANNEL,
      body: { report: jsonObjectSchema.parse(JSON.parse(JSON.stringify(report))) },
    });
    this.#parts.delivery.wake(REPORT_CHANNEL);
    return true;
  }
}

function reportOf(
  { key, machine, diagnosis, done, sessionId, confirmedBy }: ConfirmedDiagnosis,
  at: Date,
  timeZone: string,
): DiagnosisReport | undefined {
  const found = foundSchema.safeParse(diagnosis);
  if (!found.success || found.data.machine !== machine) return undefined;
  const texts = LANGUAGES.flatMap((language): [Language, ReportText][] => {
    const cause = found.data.findings.flatMap((finding) => finding[language] ?? []).join('; ');
    return cause.trim() === '' ? [] : [[language, { cause: cause.slice(0, 2000), done: [done[language]] }]];
  });
  return diagnosisReportSchema.safeParse({
    id: plainId(key),
    machine,
    day: isoDay(localTime(at.getTime(), timeZone)),
    at: at.toISOString(),
    session: sessionId,
    confirmedBy,
    texts: Object.fromEntries(texts),
  }).data;
}

/** As files are called. The end of a key is what tells it from others. */
function plainId(key: string): string {
  return key
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .slice(-80)
    .replace(/^-+/u, '');
}
