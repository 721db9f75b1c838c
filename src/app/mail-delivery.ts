import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { PeopleDirectory } from '../domain/people/directory.ts';
import type { Mailer } from './ports/mailer.ts';
import type { Delivery, OutboxDeliverer } from './ports/outbox-deliverer.ts';
import type { ReportStore } from './ports/report-store.ts';
import type { OutboxMessage } from './ports/session-store.ts';

export const MAIL_CHANNEL = 'mail';

/** People and files by id: addresses are looked up when it is sent, and stand nowhere else. */
export const mailBodySchema = z.strictObject({
  to: z.array(z.string()).min(1).max(20),
  subject: z.string().max(200),
  text: z.string().max(20_000),
  files: z.array(z.string()).max(10),
});

interface Parts {
  readonly mailer: Mailer;
  readonly people: PeopleDirectory;
  readonly reports: ReportStore;
  /** Behind the "@" of message ids: the name of the site. */
  readonly domain: string;
}

/** Mail from the outbox. A repeat has the same Message-ID, by which a mailbox knows it (RFC 5322, 3.6.4). */
export class MailDeliverer implements OutboxDeliverer {
  readonly channel = MAIL_CHANNEL;
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async deliver(message: OutboxMessage, signal: AbortSignal): Promise<Delivery> {
    const body = mailBodySchema.safeParse(message.body);
    if (!body.success) return { kind: 'never', why: 'the message cannot be read' };
    const { to, subject, text, files } = body.data;
    const recipients = to.map((id) => this.#recipient(id));
    const missing = to.filter((_id, index) => recipients[index] === undefined);
    if (missing.length > 0)
      return { kind: 'never', why: `no e-mail address is known of ${missing.join(', ')}` };
    const paths = await Promise.all(files.map((file) => this.#parts.reports.pathOf(file)));
    const gone = files.filter((_file, index) => paths[index] === undefined);
    if (gone.length > 0) return { kind: 'never', why: `the report ${gone.join(', ')} is gone` };

    const sent = await this.#parts.mailer.send(
      {
        messageId: this.#messageId(message.id),
        to: recipients.filter((recipient) => recipient !== undefined),
        subject,
        text,
        attachments: files.flatMap((name, index) => {
          const path = paths[index];
          return path === undefined ? [] : [{ name, path }];
        }),
      },
      signal,
    );
    switch (sent.kind) {
      case 'accepted':
        return sent.refusedAddresses.length === 0
          ? { kind: 'delivered' }
          : { kind: 'delivered', detail: { refused: sent.refusedAddresses.length } };
      case 'later':
        return { kind: 'later', why: sent.why, scope: sent.scope === 'server' ? 'channel' : 'message' };
      case 'refused':
        return { kind: 'never', why: sent.why };
    }
  }

  #recipient(id: string): { readonly name: string; readonly address: string } | undefined {
    const person = this.#parts.people.person(id);
    return person?.email === undefined ? undefined : { name: person.names.en, address: person.email };
  }

  #messageId(id: string): string {
    const mark = createHash('sha256').update(id).digest('hex').slice(0, 32);
    return `${mark}@${this.#parts.domain}`;
  }
}
