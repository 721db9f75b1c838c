import type { Mail, Mailer, MailResult } from '../../app/ports/mailer.ts';
import { messageOf } from '../../runtime/edge-error.ts';

export interface SmtpOptions {
  /** `smtp://host:port`, or `smtps://` where the server speaks TLS from the first byte. */
  readonly url: string;
  readonly from: string;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  /** PEM text of the authority that signed the server. */
  readonly ca?: string | undefined;
}

const LIMITS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };
const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost'];
/** A login that is refused and a TLS that fails are the server's or the configuration's: no message would get through. */
const SERVER_FAULTS = [
  'EAUTH',
  'ENOAUTH',
  'EOAUTH2',
  'ETLS',
  'ECONNECTION',
  'EDNS',
  'ESOCKET',
  'ETIMEDOUT',
  'EREQUIRETLS',
];

/** Mail over SMTP through nodemailer, which is loaded with the first message. A password never goes over an open line. */
export class SmtpMailer implements Mailer {
  readonly #options: SmtpOptions;

  constructor(options: SmtpOptions) {
    this.#options = options;
  }

  async send(mail: Mail, signal: AbortSignal): Promise<MailResult> {
    const { createTransport } = await import('nodemailer');
    const transport = createTransport(this.#connection());
    let stop = (): void => transport.close();
    // Closing a transport does not end the message that is on its way.
    const stopped = new Promise<never>((_resolve, reject) => {
      stop = () => {
        transport.close();
        reject(new Error(messageOf(signal.reason)));
      };
    });
    signal.addEventListener('abort', stop, { once: true });
    try {
      signal.throwIfAborted();
      const sending = transport.sendMail({
        messageId: `<${mail.messageId}>`,
        from: this.#options.from,
        to: mail.to.map(({ name, address }) => ({ name: oneLine(name), address })),
        subject: oneLine(mail.subject),
        text: mail.text,
        attachments: mail.attachments.map(({ name, path }) => ({ filename: oneLine(name), path })),
        disableUrlAccess: true,
      });
      const { rejected } = await Promise.race([sending, stopped]);
      return { kind: 'accepted', refusedAddresses: rejected.map(String) };
    } catch (error) {
      return resultOf(error);
    } finally {
      signal.removeEventListener('abort', stop);
      transport.close();
    }
  }

  #connection() {
    const { url, user, password, ca } = this.#options;
    const { protocol, hostname, port } = new URL(url);
    const secure = protocol === 'smtps:';
    return {
      host: hostname.replace(/^\[|\]$/gu, ''),
      port: port === '' ? (secure ? 465 : 587) : Number(port),
      secure,
      requireTLS: user !== undefined && !LOOPBACK.includes(hostname),
      ...LIMITS,
      ...(user === undefined ? {} : { auth: { user, pass: password ?? '' } }),
      ...(ca === undefined ? {} : { tls: { ca } }),
    };
  }
}

/** A reply of 5xx to the message itself is final; 4xx, and everything about the server, is for later (RFC 5321, 4.2.1). */
function resultOf(error: unknown): MailResult {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reply = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : undefined;
  const why = oneLine(messageOf(error)).slice(0, 300);
  if (code === 'ENOENT' || code === 'EFILEACCESS') return { kind: 'refused', why: 'an attachment is gone' };
  if (SERVER_FAULTS.includes(code) || reply === undefined || reply === 421)
    return { kind: 'later', why, scope: 'server' };
  return reply >= 500 ? { kind: 'refused', why } : { kind: 'later', why, scope: 'message' };
}

/** A header is one line, whatever its text holds. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}
