import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportName } from '../../../../src/domain/reports/report-name.ts';
import { type Conversation, startConversation } from '../../../support/live-conversation.ts';
import { MailServer } from '../../../support/mail-server.ts';
import { type PymodbusServer, startPymodbusServer } from '../../../support/pymodbus-server.ts';
import { runPython } from '../../../support/python.ts';
import { writablePlant } from '../../../support/writable-plant.ts';

const LIMIT_MS = 180_000;
const RESEND = "Resend last Wednesday's report to engineer Zhang";
const HEAD = 'id,name_en,name_zh,title_en,title_zh,role,email\n';
const WEI = 'zhang-wei,Zhang Wei,张伟,engineer,工程师,maintainer,zhang.wei@example.com\n';
const MIN = 'zhang-min,Zhang Min,张敏,engineer,工程师,maintainer,zhang.min@example.com\n';
const CONTENT = 'time,value\r\n12:00,73.5\r\n';
const DAY_MS = 86_400_000;

/** Noon of the last Wednesday before this week's Monday or of this week, as the site's calendar has it, in UTC. */
function lastWednesday(now: Date): Date {
  const monday = now.getTime() - ((now.getUTCDay() + 6) % 7) * DAY_MS;
  const wednesday = new Date(monday - 5 * DAY_MS);
  return new Date(Date.UTC(wednesday.getUTCFullYear(), wednesday.getUTCMonth(), wednesday.getUTCDate(), 12));
}

describe.each([
  ['one', HEAD + WEI],
  ['two', HEAD + WEI + MIN],
])('with %s of the name Zhang', (count, csv) => {
  let plc: PymodbusServer;
  let conversation: Conversation;
  let site: string;
  let file: string;
  const mail = new MailServer();

  beforeAll(async () => {
    plc = await startPymodbusServer();
    await plc.set(1, 'holding', 10, 735);
    site = mkdtempSync(join(tmpdir(), 'hermes-people-'));
    writeFileSync(join(site, 'people.csv'), csv);
    mkdirSync(join(site, 'reports'));
    const atMs = lastWednesday(new Date()).getTime();
    file = reportName(
      { kind: 'history', title: 'machine 12 temperature', format: 'csv', mark: '0123456789ab', atMs },
      'UTC',
    );
    writeFileSync(join(site, 'reports', file), CONTENT);
    conversation = await startConversation({
      plant: writablePlant(plc.port),
      config: {
        time_zone: 'UTC',
        people: join(site, 'people.csv'),
        reports: { dir: join(site, 'reports') },
        mail: { url: `smtp://127.0.0.1:${await mail.start()}`, from: 'edge-1@example.com' },
      },
    });
  }, LIMIT_MS);
  afterAll(async () => {
    await conversation.stop();
    await plc.stop();
    await mail.stop();
    rmSync(site, { recursive: true });
  });

  const FOUND = 'I found the report machine 12 temperature, made on ';
  const sentTo = (): readonly (readonly string[])[] => mail.received.splice(0).map(({ to }) => to);

  it('the report of a day goes to the one who was meant, once that is sure and confirmed', async () => {
    let asked = await conversation.ask(RESEND);
    const meant = count === 'one' ? 'Zhang Wei' : 'Zhang Min';
    if (count === 'two') {
      const which = { outcome: 'OPEN', answer: 'Which one: Zhang Wei, or Zhang Min?', steps: [] };
      expect(asked).toMatchObject(which);
      expect(await conversation.ask('engineer Zhang')).toMatchObject(which);
      asked = await conversation.ask('Zhang Min');
    }
    expect(asked).toMatchObject({
      outcome: 'OPEN',
      intent: 'resend_document',
      answer: expect.stringMatching(
        new RegExp(`^${FOUND}.+\\. Send it to ${meant}\\? Say yes or no\\.$`, 'u'),
      ),
      steps: [
        { tool: 'find-report', status: 'done' },
        { tool: 'send-message', status: 'confirming' },
      ],
    });
    expect(sentTo()).toEqual([]);
    expect(await conversation.ask('yes')).toMatchObject({
      outcome: 'COMPLETED',
      answer: `Sent to ${meant}.`,
      steps: [
        { tool: 'find-report', status: 'done' },
        { tool: 'send-message', status: 'done' },
      ],
    });
    const [sent] = mail.received;
    expect(runPython('read_mail.py', [], sent?.raw)).toMatchObject({
      attachments: [{ name: file, content: Buffer.from(CONTENT).toString('base64') }],
    });
    expect(sentTo()).toEqual([[count === 'one' ? 'zhang.wei@example.com' : 'zhang.min@example.com']]);
  });

  it('in Chinese', async () => {
    let asked = await conversation.ask('把上周三的报告重发给张工程师');
    if (count === 'two') {
      expect(asked).toMatchObject({ outcome: 'OPEN', answer: '哪一个，张伟，还是张敏？' });
      asked = await conversation.ask('张伟');
    }
    expect(asked.answer).toMatch(/^找到报告machine 12 temperature，.+。发给张伟？请说可以或者取消。$/u);
    expect(await conversation.ask('可以')).toMatchObject({ outcome: 'COMPLETED', answer: '已发给张伟。' });
    expect(sentTo()).toEqual([['zhang.wei@example.com']]);
  });

  it('that there is no report of a day is said, and nothing is sent', async () => {
    expect(await conversation.ask("resend last Tuesday's report to Zhang Wei")).toMatchObject({
      outcome: 'FAILED',
      answer: 'I found no such report. Held and not done: step two, the message.',
    });
    expect(await conversation.ask('yes')).toMatchObject({ outcome: 'FAILED' });
    expect(sentTo()).toEqual([]);
  });

  it('a name that nobody has goes nowhere', async () => {
    expect(await conversation.ask("resend last Wednesday's report to engineer Miller")).toMatchObject({
      outcome: 'FAILED',
      steps: [],
    });
    expect(sentTo()).toEqual([]);
  });
});
