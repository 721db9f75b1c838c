import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportName } from '../../../../src/domain/reports/report-name.ts';
import { type Conversation, startConversation } from '../../../support/live-conversation.ts';
import { MailServer } from '../../../support/mail-server.ts';
import { runPython } from '../../../support/python.ts';
import { type PymodbusServer, startPymodbusServer } from '../../../support/pymodbus-server.ts';
import { writablePlant } from '../../../support/writable-plant.ts';

const LIMIT_MS = 180_000;
const RESEND = "Resend last Wednesday's report to engineer Zhang";
const HEAD = 'id,name_en,name_zh,title_en,title_zh,role,email\n';
const WEI = 'zhang-wei,Zhang Wei,张伟,engineer,工程师,maintainer,zhang.wei@example.com\n';
const MIN = 'zhang-min,Zhang Min,张敏,engineer,工程师,maintainer,zhang.min@example.com\n';
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
    writeFileSync(join(site, 'reports', file), 'time,value\r\n12:00,73.5\r\n');
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

  it('the report of a day goes to the person who was meant, once that is sure and confirmed', async () => {
    const asked = await conversation.ask(RESEND);
    console.log(JSON.stringify(asked));
    const question =
      count === 'one' ? asked : await conversation.ask('Zhang Min');
    console.log(JSON.stringify(question));
    console.log(JSON.stringify(await conversation.ask('yes')), mail.received.length);
    console.log(JSON.stringify(await conversation.ask('把上周三的报告重发给张工程师')));
    console.log(JSON.stringify(await conversation.ask('第二个')));
    console.log(JSON.stringify(await conversation.ask('可以')), mail.received.length);
    console.log(JSON.stringify(await conversation.ask("resend last Tuesday's report to Zhang Wei")));
    console.log(JSON.stringify(await conversation.ask("yes")));
    console.log(JSON.stringify(await conversation.ask("resend last Wednesday's report to Miller")));
    void [expect, runPython];
  });
});
