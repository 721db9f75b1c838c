import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SessionReports } from '../../../../src/app/engine/session-reports.ts';
import type { TurnReport } from '../../../../src/app/turn-report.ts';
import { type Conversation, startConversation } from '../../../support/live-conversation.ts';
import { type PymodbusServer, startPymodbusServer } from '../../../support/pymodbus-server.ts';

const STATIONS = 300;
const NUMBERS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];

function plantText(port: number): string {
  const pump = (word: string, n: number): string => `
  pump-${n}:
    names: { en: [pump ${word}], zh: [${n + 1}号泵] }
    device: plc
    points:
      pressure: { names: { en: [pressure], zh: [压力] }, register: holding, address: ${n}, type: int16, unit: bar }`;
  return `
connections:
  plc-1: { transport: tcp, host: 127.0.0.1, port: ${port}, timeout_ms: 2000 }
devices:
  plc: { connection: plc-1, unit_id: 1, address_base: 0, byte_order: ABCD }
machines:${NUMBERS.map(pump).join('')}
`;
}

describe('three hundred stations at once', () => {
  let plc: PymodbusServer;
  let conversation: Conversation;

  beforeAll(async () => {
    plc = await startPymodbusServer();
    await plc.set(1, 'holding', 0, ...NUMBERS.map((_, n) => 100 + n));
    conversation = await startConversation({ plant: plantText(plc.port) });
  }, 90_000);
  afterAll(async () => {
    await conversation.stop();
    await plc.stop();
  });

  const machineOf = (n: number): number => n % NUMBERS.length;
  const every = Array.from({ length: STATIONS }, (_, n) => n);
  const ask = (n: number, text = `read the pressure of pump ${NUMBERS[machineOf(n)]}`): Promise<TurnReport> =>
    conversation.ask(text, `ask-${n}`);

  it('have a session, a ledger and an answer each, and see nothing of one another', {
    timeout: 120_000,
  }, async () => {
    const asked = await inGroups(every, (n) => ask(n));
    expect(asked.map(({ readings }) => readings[0]?.value)).toEqual(every.map((n) => 100 + machineOf(n)));
    expect(new Set(asked.map(({ session_id }) => session_id)).size).toBe(STATIONS);

    const again = await inGroups(every, (n) => ask(n, 'repeat that'));
    expect(again.map(({ readings }) => readings[0]?.machine)).toEqual(
      every.map((n) => `pump-${machineOf(n)}`),
    );
    expect(again.map(({ session_id }) => session_id)).toEqual(asked.map(({ session_id }) => session_id));

    await conversation.storage.checkWrite();
    const reports = new SessionReports(conversation.storage.sessions);
    for (const [n, { session_id: id }] of asked.entries()) {
      const { station, ledger } = await reports.show(id);
      expect(station).toBe(`ask-${n}`);
      expect(ledger.map(({ tool, args }) => [tool, args['machine']])).toEqual([
        ['read-value', `pump-${machineOf(n)}`],
        ['read-value', `pump-${machineOf(n)}`],
      ]);
    }
  });

  it('that all speak in one moment are answered or told that it is busy, and no tool is given up for it', async () => {
    const asked = await Promise.all(every.map((n) => ask(n)));
    const busy = conversation.site.phrases.say('en', 'busy');
    for (const [n, { answer, readings }] of asked.entries())
      expect(answer === busy ? undefined : readings[0]?.value).toBe(
        answer === busy ? undefined : 100 + machineOf(n),
      );
    expect(asked.filter(({ answer }) => answer !== busy).length).toBeGreaterThan(15);
    expect(await conversation.assistant.tickets.list()).toEqual([]);
    expect(await ask(0)).toMatchObject({ outcome: 'COMPLETED', readings: [{ value: 100 }] });
  });
});

/** As many at a time as may wait for a tool. */
async function inGroups<T, R>(all: readonly T[], work: (each: T) => Promise<R>): Promise<readonly R[]> {
  const done: R[] = [];
  for (let at = 0; at < all.length; at += 15)
    done.push(...(await Promise.all(all.slice(at, at + 15).map(work))));
  return done;
}
