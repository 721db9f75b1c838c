import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ReportDirectory } from '../../../src/adapters/files/report-directory.ts';
import { SmtpMailer } from '../../../src/adapters/mail/smtp-mailer.ts';
import { mailSend } from '../../../src/app/capabilities/mail-send.ts';
import { MailDeliverer } from '../../../src/app/mail-delivery.ts';
import { OutboxDelivery, type OutboxEnd } from '../../../src/app/outbox-delivery.ts';
import type { Mail } from '../../../src/app/ports/mailer.ts';
import { shipped } from '../../../src/config/shipped.ts';
import { PeopleDirectory } from '../../../src/domain/people/directory.ts';
import { parsePeople } from '../../../src/domain/people/people-file.ts';
import { systemClocks, systemScheduler } from '../../../src/runtime/clocks.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import { MailServer } from '../../support/mail-server.ts';
import { runPython } from '../../support/python.ts';
import { reportsIn, savedReport } from '../../support/reports.ts';
import { openState } from '../../support/state-site.ts';
import { callOf } from '../../support/tool-pack.ts';

const messageSchema = z.object({
  headers: z.record(z.string(), z.string()),
  text: z.string(),
  attachments: z.array(z.object({ name: z.string(), content: z.base64() })),
  defects: z.array(z.string()),
});
const shown = (raw: Buffer) => messageSchema.parse(runPython('read_mail.py', [], raw));

const people = new PeopleDirectory(
  parsePeople(readFileSync(shipped('config/people.csv'), 'utf8'), 'people.csv'),
);
const never = new AbortController().signal;
const FROM = 'edge-1@example.com';

const mail: Mail = {
  messageId: '0123456789abcdef@example.com',
  to: [{ name: 'Zhang Wei', address: 'zhang.wei@example.com' }],
  subject: 'Temperatures 温度',
  text: 'See the file. 见附件。\n',
  attachments: [],
};

let directory: string;
let server: MailServer;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hermes-mail-'));
  server = new MailServer();
});
afterEach(async () => {
  await server.stop();
  await rm(directory, { recursive: true });
});

describe('mail over SMTP', () => {
  it('arrives with subject, text and attachment as a mail program reads them', async () => {
    const port = await server.start();
    const report = await savedReport(
      reportsIn(directory),
      '昨天的温度',
      'machine,value\r\nmachine-12,68\r\n',
    );
    const path = join(directory, report.file);
    const mailer = new SmtpMailer({ url: `smtp://127.0.0.1:${port}`, from: FROM });
    expect(await mailer.send({ ...mail, attachments: [{ name: report.file, path }] }, never)).toEqual({
      kind: 'accepted',
      refusedAddresses: [],
    });
    const [received] = server.received;
    if (received === undefined) throw new Error('nothing arrived');
    expect(received).toMatchObject({ from: FROM, to: ['zhang.wei@example.com'] });
    const { headers, text, attachments, defects } = shown(received.raw);
    expect(defects).toEqual([]);
    expect(headers).toMatchObject({
      subject: 'Temperatures 温度',
      to: 'Zhang Wei <zhang.wei@example.com>',
      'message-id': '<0123456789abcdef@example.com>',
    });
    expect(text.trim()).toBe('See the file. 见附件。');
    expect(attachments.map(({ name }) => name)).toEqual([report.file]);
    expect(Buffer.from(attachments[0]?.content ?? '', 'base64')).toEqual(readFileSync(path));
  });

  it.each([
    ['subject', { subject: 'Report\r\nBcc: thief@example.org\r\n\r\nEvil' }],
    ['name', { to: [{ name: 'Zhang\r\nBcc: thief@example.org', address: 'zhang.wei@example.com' }] }],
    ['text', { text: 'Hello\r\n.\r\nMAIL FROM:<thief@example.org>\r\n' }],
  ])('has no header and no recipient that came in through its %s', async (_where, more) => {
    const port = await server.start();
    const mailer = new SmtpMailer({ url: `smtp://127.0.0.1:${port}`, from: FROM });
    await mailer.send({ ...mail, ...more }, never);
    expect(server.received.map(({ to }) => to)).toEqual([['zhang.wei@example.com']]);
    const { headers } = shown(server.received[0]?.raw ?? Buffer.alloc(0));
    expect(Object.keys(headers)).not.toContain('bcc');
    expect(headers['to']).toContain('zhang.wei@example.com');
  });

  it('is for later while no server answers, and while the login is refused', async () => {
    const away = new SmtpMailer({ url: `smtp://127.0.0.1:${await freePort()}`, from: FROM });
    expect(await away.send(mail, never)).toMatchObject({ kind: 'later', scope: 'server' });

    server = new MailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(new Error('Invalid username or password')),
    });
    const port = await server.start();
    const refused = new SmtpMailer({
      url: `smtp://127.0.0.1:${port}`,
      from: FROM,
      user: 'edge-1',
      password: 'secret-word',
    });
    const result = await refused.send(mail, never);
    expect(result).toMatchObject({ kind: 'later', scope: 'server' });
    expect(JSON.stringify(result)).not.toContain('secret-word');
  });

  it.each([
    [550, { kind: 'refused' }],
    [450, { kind: 'later', scope: 'message' }],
    [421, { kind: 'later', scope: 'server' }],
  ])('takes a reply of %i for what it means', async (responseCode, expected) => {
    server = new MailServer({
      onRcptTo: (_address, _session, done) => done(Object.assign(new Error('no'), { responseCode })),
    });
    const mailer = new SmtpMailer({ url: `smtp://127.0.0.1:${await server.start()}`, from: FROM });
    expect(await mailer.send(mail, never)).toMatchObject(expected);
  });

  it('does not send a password over a line that is not encrypted, except to this very machine', async () => {
    const mailer = new SmtpMailer({ url: 'smtp://127.0.0.2:1', from: FROM, user: 'u', password: 'p' });
    let sawLogin = false;
    server = new MailServer({
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => {
        sawLogin = true;
        done(null, { user: 'u' });
      },
    });
    const port = await server.start();
    const other = new SmtpMailer({
      url: `smtp://127.0.0.1.nip.invalid:${port}`,
      from: FROM,
      user: 'u',
      password: 'p',
    });
    expect(await mailer.send(mail, never)).toMatchObject({ kind: 'later' });
    expect(await other.send(mail, never)).toMatchObject({ kind: 'later' });
    expect(sawLogin).toBe(false);
  });
});

describe('mail to people of the directory', () => {
  interface Office {
    readonly delivery: OutboxDelivery;
    readonly reports: ReportDirectory;
    readonly ends: readonly OutboxEnd[];
    send(to: readonly string[], files: readonly string[], key?: string): Promise<unknown>;
    stop(): Promise<void>;
  }

  async function office(port: number): Promise<Office> {
    const state = await openState(directory);
    const reports = reportsIn(join(directory, 'reports'));
    const mailer = new SmtpMailer({ url: `smtp://127.0.0.1:${port}`, from: FROM });
    const delivery = new OutboxDelivery(
      [new MailDeliverer({ mailer, people, reports, domain: 'example.com' })],
      {
        outbox: state.outbox,
        clocks: systemClocks(),
        clockState: () => 'synced',
        scheduler: systemScheduler,
        logger: silentLogger(),
      },
      { baseMs: 50, maxMs: 100 },
    );
    const ends: OutboxEnd[] = [];
    delivery.onEnd((ended) => ends.push(ended));
    await delivery.start();
    const capability = mailSend({
      delivery,
      people,
      reports,
      clocks: systemClocks(),
      clockState: () => 'synced',
      keepMs: 60_000,
    });
    return {
      delivery,
      reports,
      ends,
      send: (to, files, key = 'key-1') =>
        capability.run(capability.args.parse({ to, subject: 'Report', text: 'Here.', files }), {
          call: { ...callOf('send-message'), idempotencyKey: key },
          signal: never,
        }),
      stop: async () => {
        await delivery.stop(1000);
        await state.database.close();
      },
    };
  }

  it('is sent at once while the server is there', async () => {
    const { reports, send, stop } = await office(await server.start());
    const { file } = await savedReport(reports, 'temperature', 'a,b\r\n');
    expect(await send(['zhang-wei@maintenance', 'li-na@quality'], [file])).toMatchObject({ state: 'sent' });
    expect(server.received[0]?.to).toEqual(['zhang.wei@example.com', 'li.na@example.com']);
    await stop();
  });

  it('waits for a server that is away, survives a restart of the program, and is sent once', async () => {
    const port = await freePort();
    const before = await office(port);
    const { file } = await savedReport(before.reports, 'temperature', 'a,b\r\n');
    expect(await before.send(['zhang-wei@maintenance'], [file])).toMatchObject({ state: 'waiting' });
    await before.stop();

    const after = await office(port);
    await server.start(port);
    await eventually('it arrives', () => server.received.length > 0);
    // The same intent again, as after a crash that lost its result.
    await after.send(['zhang-wei@maintenance'], [file]);
    expect(server.received.map(({ to }) => to)).toEqual([['zhang.wei@example.com']]);
    await after.stop();
  });

  it('is told to be refused when its report is gone before it could be sent', async () => {
    const port = await freePort();
    const { reports, send, ends, stop } = await office(port);
    const { file } = await savedReport(reports, 'temperature', 'a,b\r\n');
    expect(await send(['zhang-wei@maintenance'], [file])).toMatchObject({ state: 'waiting' });
    await reports.remove(file);
    await eventually('told', () => ends.length > 0);
    expect(ends[0]).toMatchObject({ end: 'refused', why: `the report ${file} is gone` });
    await stop();
  });

  it('is refused to whoever is not in the directory, has no address there, or with a file that is no report', async () => {
    const { send, stop } = await office(await server.start());
    await expect(send(['thief@example.org'], [])).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    await expect(send(['wang-lei@maintenance'], [])).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      message: 'to: no e-mail address is known of Wang Lei',
    });
    await expect(send(['zhang-wei@maintenance'], ['../state.db'])).rejects.toMatchObject({
      code: 'INPUT_INVALID',
    });
    expect(server.received).toEqual([]);
    await stop();
  });
});
