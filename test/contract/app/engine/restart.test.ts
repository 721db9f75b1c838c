import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../../support/eventually.ts';
import { type Conversation, startConversation } from '../../../support/live-conversation.ts';
import { type PymodbusServer, startPymodbusServer } from '../../../support/pymodbus-server.ts';
import { actionRecord, sessionRecord } from '../../../support/session-records.ts';
import { openState } from '../../../support/state-site.ts';
import { SETPOINT, writablePlant } from '../../../support/writable-plant.ts';

const LIMIT_MS = 240_000;
const BEFORE = [40, 0, 80];
const TO_FIFTY = 'set the setpoint of machine twelve to fifty';
const FIFTY_ASKED =
  'machine twelve setpoint is forty degrees. It becomes fifty degrees. Say confirm execute, or cancel.';

const PEOPLE = 'id,name_en,name_zh,role,scope\nann,Ann Field,安,supervisor,messages\n';

describe('a daemon that ends in the middle of a conversation', () => {
  let plc: PymodbusServer;
  let directory: string;
  let conversation: Conversation;

  const start = async (): Promise<void> => {
    conversation = await startConversation({
      plant: writablePlant(plc.port),
      config: { plant: { maps: [], writes: 'on' }, people: join(directory, 'people.csv') },
      directory,
    });
  };
  const restart = async (): Promise<void> => {
    await conversation.stop(true);
    await start();
  };
  const registers = () => plc.get(1, 'holding', SETPOINT, 3);
  const say = (key: Parameters<Conversation['site']['phrases']['say']>[1]) =>
    conversation.site.phrases.say('en', key);
  const writes = async () => (await conversation.audited('plc.write.begun')).length;

  beforeAll(async () => {
    plc = await startPymodbusServer();
    await plc.set(1, 'holding', 10, 735);
    await plc.set(1, 'holding', 40, 0);
  });
  afterAll(() => plc.stop());
  beforeEach(async () => {
    await plc.delay(0);
    await plc.set(1, 'holding', SETPOINT, ...BEFORE);
    directory = mkdtempSync(join(tmpdir(), 'hermes-restart-'));
    writeFileSync(join(directory, 'people.csv'), PEOPLE);
    await start();
  }, LIMIT_MS);
  afterEach(async () => {
    expect(await conversation.audited('session.violation')).toEqual([]);
    await conversation.stop(true);
    rmSync(directory, { recursive: true });
  });

  it(
    'kills the open question; "continue" asks again, with the value of now, and nothing is done twice',
    async () => {
      const asked = await conversation.ask(TO_FIFTY, 'ask', 'tr_0123456789aa');
      // What is on disk at the moment in which the question can be heard is what a power cut leaves.
      const cut = mkdtempSync(join(tmpdir(), 'hermes-cut-'));
      cpSync(directory, cut, { recursive: true });
      const { database, sessions } = await openState(cut);
      expect(await sessions.live(10)).toMatchObject([
        { actions: [{ tool: 'write-value', status: 'confirming' }] },
      ]);
      await database.close();
      rmSync(cut, { recursive: true });
      expect(asked).toMatchObject({ outcome: 'OPEN', answer: FIFTY_ASKED });
      await conversation.ask('start boiler', 'ask-2');
      await restart();
      expect(conversation.told).toContain(say('interrupted'));
      await plc.set(1, 'holding', SETPOINT, 42);
      expect(await conversation.ask('confirm execute')).toMatchObject({
        outcome: 'FAILED',
        answer: say('nothing_to_confirm'),
      });
      expect(await writes()).toBe(0);
      expect(await registers()).toEqual([42, 0, 80]);

      const again = await conversation.ask('continue');
      expect(again.outcome).toBe('OPEN');
      expect(again.answer).toBe(
        `${say('resumed')} machine twelve setpoint is forty two degrees. It becomes fifty degrees. Say confirm execute, or cancel.`,
      );
      expect(await registers()).toEqual([42, 0, 80]);
      expect(await conversation.ask('confirm execute', 'ask', 'tr_0123456789bb')).toMatchObject({
        outcome: 'COMPLETED',
        answer: 'machine twelve setpoint is fifty degrees now.',
      });
      expect(await registers()).toEqual([50, 0, 80]);
      expect(await writes()).toBe(1);

      // What another station left open waits for its own "continue".
      expect(await conversation.ask('continue', 'ask-2')).toMatchObject({ outcome: 'OPEN' });
      expect(await conversation.ask('no', 'ask-2')).toMatchObject({ outcome: 'CANCELLED' });

      await plc.set(1, 'holding', SETPOINT, 40);
      await restart();
      expect(await conversation.ask(TO_FIFTY, 'ask', 'tr_0123456789aa')).toEqual(asked);
      expect(await conversation.ask('confirm execute', 'ask', 'tr_0123456789bb')).toMatchObject({
        answer: 'machine twelve setpoint is fifty degrees now.',
      });
      for (const station of ['ask', 'ask-2'])
        expect(await conversation.ask('continue', station)).toMatchObject({
          answer: say('nothing_to_continue'),
        });
      expect(await conversation.ask('confirm execute')).toMatchObject({ answer: say('nothing_to_confirm') });
      expect(await registers()).toEqual(BEFORE);
      expect(await writes()).toBe(1);
    },
    LIMIT_MS,
  );

  it(
    'leaves what waits to "stop", which drops it, and to a "continue" by somebody who may: one by another changes nothing',
    async () => {
      const actions = async () =>
        (await conversation.storage.sessions.live(10)).flatMap((each) => each.actions);
      const statuses = async () =>
        Object.fromEntries((await actions()).map(({ caller, status }) => [caller.station, status]));
      for (const [station, text] of [
        ['ask', TO_FIFTY],
        ['ask-2', 'start boiler'],
      ] as const)
        expect(await conversation.ask(text, station)).toMatchObject({ outcome: 'OPEN' });
      await restart();
      expect(await statuses()).toEqual({ ask: 'confirming', 'ask-2': 'confirming' });

      expect(await conversation.ask('stop')).toMatchObject({ outcome: 'COMPLETED', answer: say('stopped') });
      expect(await conversation.ask('continue')).toMatchObject({ answer: say('nothing_to_continue') });
      await eventually('it is dropped on disk', async () => (await statuses())['ask'] === 'cancelled');

      const { badges } = conversation.guard;
      badges.login('ask', { id: 'ann', name: 'Ann Field', role: 'supervisor' });
      for (const _ of ['once', 'twice'])
        expect(await conversation.ask('continue', 'ask-2')).toMatchObject({
          outcome: 'FAILED',
          answer: say('gate_denied'),
          steps: [],
        });
      expect(await conversation.ask('confirm execute', 'ask-2')).toMatchObject({
        answer: say('nothing_to_confirm'),
      });
      badges.logout('ask');
      expect(await conversation.ask('continue', 'ask-2')).toMatchObject({
        outcome: 'OPEN',
        answer: expect.stringContaining(say('resumed')),
        steps: [{ tool: 'write-value', status: 'confirming' }],
      });
      expect(await conversation.ask('no', 'ask-2')).toMatchObject({ outcome: 'CANCELLED' });
      expect(await writes()).toBe(0);
    },
    LIMIT_MS,
  );

  it(
    'leaves of a roll-back what was not undone yet: it is named, each undo is asked about in its order, and is done once',
    async () => {
      const id = 'rolled-back';
      const step = (number: number, more: Parameters<typeof actionRecord>[2]) =>
        actionRecord(`a-${number}`, id, {
          step: number,
          tool: 'write-value',
          idempotencyKey: `a-${number}`,
          ...more,
        });
      const look = { tool: 'machine-status', args: { machine: 'machine-12' } };
      const undo = (number: number, of: number) =>
        step(number, { ...look, undoes: `a-${of}`, dependsOn: [`a-${of}`], ofRollBack: true });
      await conversation.storage.sessions.commit({
        session: sessionRecord(id, { station: 'ask' }),
        actions: [
          step(1, { status: 'done', compensation: look }),
          step(2, { status: 'done', compensation: look }),
          step(3, { status: 'compensated', compensation: look }),
          { ...undo(4, 3), status: 'done' },
          undo(5, 2),
          undo(6, 1),
        ],
      });
      await restart();
      const named = { steps: 'step two, the write, step one, the write' };
      expect(conversation.told).toContain(conversation.site.phrases.say('en', 'undo_left', named));
      expect(await conversation.ask('show the status of machine twelve')).toMatchObject({
        steps: [{ step: 7, status: 'done' }],
      });

      const toUndo = conversation.site.phrases.say('en', 'undo_resumed', named);
      const asked = 'I understood: the status. Say yes or no.';
      expect(await conversation.ask('continue')).toMatchObject({
        outcome: 'OPEN',
        answer: `${say('resumed')} ${toUndo} ${asked}`,
        steps: [
          { step: 5, status: 'confirming' },
          { step: 6, status: 'confirming' },
        ],
      });
      expect(await conversation.ask('yes')).toMatchObject({
        outcome: 'OPEN',
        answer: expect.stringContaining(asked),
        steps: expect.arrayContaining([
          { id: 'a-2', step: 2, tool: 'write-value', status: 'compensated' },
          { id: 'a-6', step: 6, tool: 'machine-status', status: 'confirming' },
        ]),
      });
      expect(await conversation.ask('yes')).toMatchObject({ outcome: 'COMPLETED' });
      expect(await conversation.ask('continue')).toMatchObject({ answer: say('nothing_to_continue') });
      await eventually('all three are undone on disk', async () => {
        const stored = await conversation.storage.sessions.session(id);
        return stored?.actions.slice(0, 3).every(({ status }) => status === 'compensated');
      });
      const begun = (await conversation.audited('action.begun')).map(({ action }) => action);
      expect(begun.filter((action) => action === 'a-5' || action === 'a-6')).toEqual(['a-5', 'a-6']);
    },
    LIMIT_MS,
  );

  it(
    'goes on with a workflow from the stage that it had reached, once the tools are ready',
    async () => {
      const runs = async () => (await conversation.assistant.workflows.list()).runs;
      await plc.delay(500);
      void conversation.ask('inspect machine twelve');
      await eventually('its first stage is through', async () => (await runs())[0]?.stage === 'action');
      await restart();
      expect(await runs()).toMatchObject([{ stage: 'action', steps: [{ status: 'success' }, {}, {}] }]);
      await plc.delay(0);
      conversation.assistant.ready();
      await eventually('it has ended', async () => (await runs())[0]?.stage === 'COMPLETED');
      expect(await runs()).toMatchObject([{ steps: [{}, {}, { id: 'diagnosis', status: 'success' }] }]);
    },
    LIMIT_MS,
  );

  it(
    'leaves a write that was under way with an outcome that nobody knows: it is named, and not repeated',
    async () => {
      await conversation.ask(TO_FIFTY);
      await plc.delay(1500);
      const confirmed = conversation.ask('confirm execute');
      await eventually(
        'the write is begun',
        async () => (await conversation.audited('action.begun')).length > 0,
      );
      // What is on disk now is what a power cut leaves.
      const cut = mkdtempSync(join(tmpdir(), 'hermes-cut-'));
      cpSync(directory, cut, { recursive: true });
      await confirmed;
      await conversation.stop(true);
      await plc.delay(0);
      await plc.set(1, 'holding', SETPOINT, 40);
      rmSync(directory, { recursive: true });
      directory = cut;
      await start();
      expect(conversation.told).toContain(say('interrupted'));
      const report = await conversation.ask('continue');
      expect(report.answer).toContain(
        'It is not known whether this was done: step one, the write. Please look.',
      );
      expect(await conversation.ask('confirm execute')).toMatchObject({ answer: say('nothing_to_confirm') });
      expect(await conversation.ask('continue')).toMatchObject({ answer: say('nothing_to_continue') });
      expect(await registers()).toEqual(BEFORE);
      const [stored] = await conversation.storage.sessions.live(10);
      expect(stored?.actions).toMatchObject([{ tool: 'write-value', status: 'unknown' }]);
    },
    LIMIT_MS,
  );
});
