import type { z } from 'zod';
import type { ClockState } from '../../domain/envelope.ts';
import type { PeopleDirectory } from '../../domain/people/directory.ts';
import type { Clocks } from '../../runtime/clocks.ts';
import { EdgeError } from '../../runtime/edge-error.ts';
import type { Capability } from '../../tooling/capability.ts';
import { MAIL_CHANNEL, mailBodySchema } from '../mail-delivery.ts';
import type { OutboxDelivery } from '../outbox-delivery.ts';
import { expiryOf } from '../outbox-expiry.ts';
import type { ReportStore } from '../ports/report-store.ts';

/** Long enough for a mail server that is there; a person waits for it. */
export const MAIL_WAIT_MS = 3_000;

interface Parts {
  /** Undefined where no mail server is configured. */
  readonly delivery: Pick<OutboxDelivery, 'send'> | undefined;
  readonly people: PeopleDirectory;
  readonly reports: ReportStore;
  readonly clocks: Pick<Clocks, 'wall'>;
  readonly clockState: () => ClockState;
  /** How long a message waits for the mail server, milliseconds. */
  readonly keepMs: number;
}

/**
 * Mail to people of the directory, by id, with reports of this node: `{ state: sent | waiting | refused, why }`. What
 * `waiting` means is that it is kept and goes out when the server is back, until it expires.
 */
export function mailSend(parts: Parts): Capability<z.infer<typeof mailBodySchema>> {
  return {
    name: 'mail.send',
    args: mailBodySchema,
    run: async (body, { call, signal }) => {
      if (parts.delivery === undefined)
        throw new EdgeError('TOOL_UNAVAILABLE', 'no mail server is configured', {
          hint: 'set mail in the configuration',
        });
      for (const id of body.to) {
        const person = parts.people.person(id);
        if (person === undefined) throw new EdgeError('INPUT_INVALID', `to: nobody has the id "${id}"`);
        if (person.email === undefined)
          throw new EdgeError('INPUT_INVALID', `to: no e-mail address is known of ${person.names.en}`);
      }
      for (const file of body.files)
        if ((await parts.reports.info(file)) === undefined)
          throw new EdgeError('INPUT_INVALID', `files: there is no report "${file}"`);
      signal.throwIfAborted();
      const { state, why, detail } = await parts.delivery.send(
        { id: `mail:${call.idempotencyKey}`, channel: MAIL_CHANNEL, body, ...expiryOf(parts.keepMs, parts) },
        MAIL_WAIT_MS,
      );
      return {
        state: state === 'delivered' ? 'sent' : state,
        why: why ?? null,
        refused_addresses: detail?.['refused'] ?? 0,
      };
    },
  };
}
