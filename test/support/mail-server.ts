import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** The message as it came over the wire. */
  readonly raw: Buffer;
}

/** An SMTP server on loopback that keeps what it gets. */
export class MailServer {
  readonly received: ReceivedMail[] = [];
  readonly #options: SMTPServerOptions;
  #server: SMTPServer | undefined;

  constructor(options: SMTPServerOptions = {}) {
    this.#options = {
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      disableReverseLookup: true,
      ...options,
    };
  }

  /** Resolves with the port; 0 takes any that is free. */
  async start(port = 0): Promise<number> {
    const server = new SMTPServer({
      ...this.#options,
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const { mailFrom, rcptTo } = session.envelope;
          this.received.push({
            from: mailFrom === false ? '' : mailFrom.address,
            to: rcptTo.map(({ address }) => address),
            raw: Buffer.concat(chunks),
          });
          done();
        });
      },
    });
    server.on('error', () => undefined);
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    this.#server = server;
    const address: AddressInfo | string | null = server.server.address();
    if (address === null || typeof address === 'string') throw new Error('the server has no port');
    return address.port;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server !== undefined) await new Promise<void>((resolve) => server.close(() => resolve()));
  }
}
