import { z } from 'zod';
import { diagnosisReportSchema } from '../domain/memory/diagnosis-report.ts';
import { messageOf } from '../runtime/edge-error.ts';
import type { Delivery, OutboxDeliverer } from './ports/outbox-deliverer.ts';
import type { ProcedureRepository } from './ports/procedure-repository.ts';
import type { OutboxMessage } from './ports/session-store.ts';

export const REPORT_CHANNEL = 'report';

const bodySchema = z.object({ report: diagnosisReportSchema });

/** Takes confirmed diagnoses into the repository of procedures, where a repeat changes nothing. */
export class ReportDeliverer implements OutboxDeliverer {
  readonly channel = REPORT_CHANNEL;
  readonly #repository: Pick<ProcedureRepository, 'commitReport'>;

  constructor(repository: Pick<ProcedureRepository, 'commitReport'>) {
    this.#repository = repository;
  }

  async deliver({ body }: OutboxMessage): Promise<Delivery> {
    const read = bodySchema.safeParse(body);
    if (!read.success) return { kind: 'never', why: 'the report cannot be read' };
    try {
      const { version } = await this.#repository.commitReport(read.data.report);
      return { kind: 'delivered', detail: { commit: version.commit } };
    } catch (error) {
      return { kind: 'later', why: messageOf(error), scope: 'message' };
    }
  }
}
