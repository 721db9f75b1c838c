import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Language } from '../../src/domain/language/language.ts';
import { decodeAnswer } from '../support/answer-ear.ts';
import { type DaemonProcess, startDaemon } from '../support/daemon-process.ts';
import { eventually } from '../support/eventually.ts';
import { HeldGate } from '../support/held-gate.ts';
import { MailServer } from '../support/mail-server.ts';
import { type PymodbusServer, startPymodbusServer } from '../support/pymodbus-server.ts';
import { runPython } from '../support/python.ts';
import { prepareReportSite, reportConfig, twoTemperatures } from '../support/report-site.ts';
import { type SpokenConversation, speakWith } from '../support/spoken-conversation.ts';
import { startVirtualSoundCard, type VirtualSoundCard } from '../support/virtual-sound-card.ts';

/** What is said, and what has to be answered. */
interface Case {
  readonly language: Language;
  readonly yesterday: string;
  readonly compare: string;
  readonly exportIt: string;
  readonly send: string;
  readonly consent: string;
  readonly cancelThird: string;
  readonly figures: RegExp;
  readonly compared: string;
  readonly comparedWith: (number: string) => string;
  readonly comparedAloud: string;
  readonly exported: string;
  readonly askedToSend: string;
  readonly exportingAskedToSend: string;
  readonly sent: string;
  readonly undoMailSent: string;
  readonly undoMailHeld: string;
  readonly removed: string;
  readonly mailCancelled: string;
  readonly nothingToConfirm: string;
  readonly working: string;
  readonly waitsForReport: string;
  readonly stopped: string;
  readonly waitsForComparison: string;
  readonly cancelled: string;
  readonly comparisonReady: string;
  readonly note: string;
  readonly noted: string;
  readonly about: string;
  readonly known: RegExp;
}

const CASES: readonly Case[] = [
  {
    language: 'en',
    yesterday: 'what was the temperature of machine twelve yesterday',
    compare: 'compare with pump three',
    exportIt: 'export that',
    send: 'send it to zhang',
    consent: 'yes',
    cancelThird: 'cancel the third step',
    figures:
      /^machine twelve temperature was seventy four degrees on average, between seventy two degrees and seventy six degrees, highest .+, and seventy six degrees at the end\.$/u,
    compared:
      'On average: machine twelve temperature seventy four degrees, pump three temperature sixty degrees. machine twelve temperature is higher by fourteen degrees.',
    comparedWith: (number) =>
      `on average machine twelve temperature ${number} degrees pump three temperature ${number} degrees`,
    comparedAloud:
      'on average machine twelve temperature seventy four degrees pump three temperature sixty degrees',
    exported: 'The report is ready, an Excel file. Rows: two.',
    askedToSend: 'Send it to Zhang? Say yes or no.',
    exportingAskedToSend: 'I am working on it. Send it to Zhang? Say yes or no.',
    sent: 'Sent to Zhang.',
    undoMailSent: 'Already done: step four, the message. Remove the report? Say yes or no.',
    undoMailHeld: 'Held and not done: step four, the message. Remove the report? Say yes or no.',
    removed: 'The report is removed.',
    mailCancelled: 'Cancelled: step three, the message.',
    nothingToConfirm: 'There is nothing to confirm.',
    working: 'I am working on it.',
    waitsForReport: 'That waits for step three, the export.',
    stopped: 'Stopped: step three, the export. Held and not done: step four, the message.',
    waitsForComparison: 'That waits for step two, the comparison.',
    cancelled: 'Cancelled: step three, the export.',
    comparisonReady: 'The comparison is ready.',
    note: 'remember that pump three runs hot after cleaning',
    noted: 'Noted: “pump three runs hot after cleaning”.',
    about: 'what do you know about pump three',
    known: /^Somebody said at .+: “pump three runs hot after cleaning”\./u,
  },
  {
    language: 'zh',
    yesterday: '十二号机床昨天的温度',
    compare: '对比三号泵',
    exportIt: '导出报告',
    send: '发给张工',
    consent: '可以',
    cancelThird: '取消第三步',
    figures: /^十二号机床温度平均七十四度，在七十二度到七十六度之间，.+最高，最后为七十六度。$/u,
    compared: '平均：十二号机床温度七十四度，三号泵温度六十度。十二号机床温度高十四度。',
    comparedWith: (number) => `平均 十 二 号 机床 温度 ${number} 度 三 号 泵 温度 ${number} 度`,
    comparedAloud: '平均 十 二 号 机床 温度 七 十 四 度 三 号 泵 温度 六 十 度',
    exported: '报告已生成，Excel 文件，行数二。',
    askedToSend: '发给张工？请说可以或者取消。',
    exportingAskedToSend: '正在处理。发给张工？请说可以或者取消。',
    sent: '已发给张工。',
    undoMailSent: '第四步邮件已经完成，收不回来。删除报告？请说可以或者取消。',
    undoMailHeld: '第四步邮件不再执行。删除报告？请说可以或者取消。',
    removed: '报告已删除。',
    mailCancelled: '第三步邮件已取消。',
    nothingToConfirm: '没有等待确认的操作。',
    working: '正在处理。',
    waitsForReport: '等待第三步导出完成。',
    stopped: '第三步导出已中止。第四步邮件不再执行。',
    waitsForComparison: '等待第二步比较完成。',
    cancelled: '第三步导出已取消。',
    comparisonReady: '对比完成。',
    note: '记住三号泵清洁之后漏油',
    noted: '已记住：“三号泵清洁之后漏油”。',
    about: '三号泵有什么记录',
    known: /^.+有人说：“三号泵清洁之后漏油”。/u,
  },
];

const mailSchema = z.object({
  attachments: z.array(z.object({ name: z.string(), content: z.base64() })),
});
const sheetSchema = z.object({
  rows: z.array(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))),
});
const CONVERSATION_MS = 400_000;
/** As fast as the tiny models understand it safely: most of a conversation is listening to it. */
const WORDS_PER_MINUTE = 220;

// The two languages are spoken at the same time, each into a sound card of its own.
describe.concurrent.each(CASES)('five spoken commands in $language', (words) => {
  const { language } = words;
  let card: VirtualSoundCard;
  let plc: PymodbusServer;
  let mail: MailServer;
  let daemon: DaemonProcess;
  let person: SpokenConversation;

  beforeAll(async () => {
    [card, plc] = await Promise.all([startVirtualSoundCard(), startPymodbusServer()]);
    await plc.set(1, 'holding', 10, 73);
    await plc.set(1, 'holding', 20, 58);
  });
  afterAll(async () => {
    await plc.stop();
    await card.stop();
  });
  let earlier: ReadonlySet<string> = new Set();
  beforeEach(() => {
    mail.received.length = 0;
    earlier = new Set();
    earlier = new Set(reports());
  });

  async function start(gate?: string): Promise<void> {
    mail = new MailServer();
    const mailPort = await mail.start();
    daemon = await startDaemon(
      reportConfig({
        language,
        mailPort,
        wordsPerMinute: WORDS_PER_MINUTE,
        ...(gate === undefined ? {} : { gate }),
      }),
      {
        env: card.env,
        plant: twoTemperatures(plc.port),
        prepare: (directory) => prepareReportSite(directory, gate),
      },
    );
    for (const part of ['microphone', 'recogniser', 'grammar', 'voice']) await daemon.part(part, 'ok');
    person = speakWith(daemon, card, language);
  }
  async function end(): Promise<void> {
    person.end();
    expect(await daemon.stop()).toBe(0);
    await mail.stop();
  }

  const reportsDirectory = () => join(daemon.directory, 'state', 'reports');
  /** The files that a test has made and that are still there. */
  const reports = (): readonly string[] =>
    existsSync(reportsDirectory())
      ? readdirSync(reportsDirectory()).filter((name) => !earlier.has(name))
      : [];
  const until = (what: string, step: string) =>
    eventually(
      what,
      async () => {
        const seen = await person.look();
        return seen.ledger.includes(step) ? seen : undefined;
      },
      20_000,
    );

  describe.sequential('with the tools of the program', () => {
    beforeAll(() => start());
    afterAll(end);

    it(
      'tell yesterday, compare, export, mail after a yes, and take the export back, naming the mail that is sent',
      async () => {
        const told = await person.say(words.yesterday);
        expect(told.said).toEqual([expect.stringMatching(words.figures)]);

        const compared = await person.say(words.compare);
        expect(compared).toMatchObject({
          said: [words.compared],
          ledger: ['1 read-history done', '2 compare done'],
        });
        expect(await decodeAnswer(compared.sound, language, words.comparedWith)).toContain(
          words.comparedAloud,
        );

        expect((await person.say(words.exportIt)).said[0]).toBe(words.working);
        expect((await until('the export is done', '3 export-report done')).said).toEqual([
          words.working,
          words.exported,
        ]);
        const [file = '', ...others] = reports();
        expect(others).toEqual([]);
        const content = readFileSync(join(reportsDirectory(), file));
        const { rows } = sheetSchema.parse(runPython('read_sheet.py', [join(reportsDirectory(), file)]));
        const cells = rows.slice(1).flat();
        expect(cells.map((cell) => (typeof cell === 'number' ? Math.round(cell) : cell))).toEqual(
          expect.arrayContaining(['machine-12', 74, 'pump-3', 60]),
        );

        expect((await person.say(words.send)).said).toEqual([words.askedToSend]);
        expect(mail.received).toEqual([]);
        expect((await person.say(words.consent)).said).toEqual([words.sent]);
        const [message] = mail.received;
        expect(message?.to).toEqual(['zhang@example.com']);
        const { attachments } = mailSchema.parse(runPython('read_mail.py', [], message?.raw));
        expect(attachments).toEqual([{ name: file, content: content.toString('base64') }]);

        expect((await person.say(words.cancelThird)).said).toEqual([words.undoMailSent]);
        expect(reports()).toEqual([file]);
        expect(await person.say(words.consent)).toMatchObject({
          said: [words.removed],
          ledger: [
            '1 read-history done',
            '2 compare done',
            '3 export-report compensated',
            '4 send-message done',
            '5 remove-report done',
          ],
        });
        expect(reports()).toEqual([]);
        expect(mail.received).toHaveLength(1);
      },
      CONVERSATION_MS,
    );

    it(
      'take the export back while the mail waits for its yes: the mail is held, and no later yes sends it',
      async () => {
        await person.say(words.yesterday);
        await person.say(words.compare);
        expect((await person.say(words.send)).said[0]).toBe(words.exportingAskedToSend);
        await until('the export is done', '3 export-report done');
        expect(reports()).toHaveLength(1);
        expect((await person.say(words.cancelThird)).said).toEqual([words.undoMailHeld]);
        expect(await person.say(words.consent)).toMatchObject({
          said: [words.removed],
          ledger: [
            '1 read-history done',
            '2 compare done',
            '3 export-report compensated',
            '4 send-message held',
            '5 remove-report done',
          ],
        });
        expect(reports()).toEqual([]);
        expect((await person.say(words.consent)).said).toEqual([words.nothingToConfirm]);
        expect(mail.received).toEqual([]);
      },
      CONVERSATION_MS,
    );

    it(
      'cancel the mail itself while it waits for its yes, and leave the export',
      async () => {
        await person.say(words.yesterday);
        await person.say(words.exportIt);
        await until('the export is done', '2 export-report done');
        expect((await person.say(words.send)).said).toEqual([words.askedToSend]);
        expect(await person.say(words.cancelThird)).toMatchObject({
          said: [words.mailCancelled],
          ledger: ['1 read-history done', '2 export-report done', '3 send-message cancelled'],
        });
        expect(reports()).toHaveLength(1);
        expect(mail.received).toEqual([]);
      },
      CONVERSATION_MS,
    );

    it(
      'have a remark about a machine kept, and hear it again when they ask what is known of it',
      async () => {
        expect((await person.say(words.note)).said).toEqual([words.noted]);
        expect((await person.say(words.about)).said).toEqual([expect.stringMatching(words.known)]);
      },
      CONVERSATION_MS,
    );
  });

  describe.sequential('with tools of the site that wait for another system', () => {
    let gate: HeldGate;
    beforeAll(async () => {
      gate = new HeldGate();
      await start(await gate.start());
    });
    afterAll(async () => {
      await end();
      await gate.stop();
    });

    it(
      'stop an export that runs, and hold the mail that was consented to and waited for it',
      async () => {
        gate.hold('/report');
        await person.say(words.yesterday);
        expect((await person.say(words.compare)).said[0]).toBe(words.working);
        await until('the comparison is done', '2 gated-compare done');
        expect((await person.say(words.exportIt)).said).toEqual([words.working]);
        expect((await person.say(words.send)).said).toEqual([words.askedToSend]);
        expect(await person.say(words.consent)).toMatchObject({
          said: [words.waitsForReport],
          ledger: [
            '1 read-history done',
            '2 gated-compare done',
            '3 gated-export-report running',
            '4 send-message pending',
          ],
        });
        expect((await person.say(words.cancelThird)).said).toEqual([words.stopped]);
        const { ledger } = await until('the export is over', '3 gated-export-report cancelled');
        expect(ledger.at(-1)).toBe('4 send-message held');
        gate.open('/report');
        expect(reports()).toEqual([]);
        expect(mail.received).toEqual([]);
      },
      CONVERSATION_MS,
    );

    it(
      'cancel an export that waits for a comparison, which goes on',
      async () => {
        gate.hold('/compare');
        await person.say(words.yesterday);
        expect((await person.say(words.compare)).said).toEqual([words.working]);
        expect(await person.say(words.exportIt)).toMatchObject({
          said: [words.waitsForComparison],
          ledger: ['1 read-history done', '2 gated-compare running', '3 gated-export-report pending'],
        });
        expect((await person.say(words.cancelThird)).said).toEqual([words.cancelled]);
        gate.open('/compare');
        const { said, ledger } = await until('the comparison is done', '2 gated-compare done');
        expect(said).toEqual([words.cancelled, words.comparisonReady]);
        expect(ledger.at(-1)).toBe('3 gated-export-report cancelled');
        expect(reports()).toEqual([]);
      },
      CONVERSATION_MS,
    );
  });
});
