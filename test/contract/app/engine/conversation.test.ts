import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TurnReport } from '../../../../src/app/turn-report.ts';
import { languageOf } from '../../../../src/domain/language/language.ts';
import type { TicketRequest } from '../../../../src/tooling/ticket-opener-port.ts';
import { eventually } from '../../../support/eventually.ts';
import { type Conversation, startConversation } from '../../../support/live-conversation.ts';
import { type PymodbusServer, startPymodbusServer } from '../../../support/pymodbus-server.ts';

const plantText = (port: number): string => `
connections:
  plc-1: { transport: tcp, host: 127.0.0.1, port: ${port}, timeout_ms: 2000 }
devices:
  machine-12-plc: { connection: plc-1, unit_id: 1, address_base: 0, byte_order: ABCD }
  pump-3-plc: { connection: plc-1, unit_id: 1, address_base: 0, byte_order: ABCD }
  pump-4-plc: { connection: plc-1, unit_id: 1, address_base: 0, byte_order: ABCD }
machines:
  machine-12:
    names: { en: [machine twelve], zh: [十二号机床] }
    device: machine-12-plc
    points:
      temperature: { names: { en: [temperature], zh: [温度] }, register: holding, address: 10, type: int16, scale: 0.1, unit: degC }
      speed: { names: { en: [speed], zh: [转速] }, register: holding, address: 11, type: uint16, unit: rpm }
  pump-3:
    names: { en: [pump three, pump], zh: [三号泵, 水泵] }
    device: pump-3-plc
    points:
      pressure: { names: { en: [pressure], zh: [压力] }, register: holding, address: 20, type: int16, unit: bar }
  pump-4:
    names: { en: [pump four, pump], zh: [四号泵, 水泵] }
    device: pump-4-plc
    points:
      pressure: { names: { en: [pressure], zh: [压力] }, register: holding, address: 21, type: int16, unit: bar }
`;

describe('a conversation', () => {
  let plc: PymodbusServer;
  let conversation: Conversation;
  let tests = 0;

  beforeAll(async () => {
    plc = await startPymodbusServer();
    await plc.set(1, 'holding', 10, 735, 1450);
    await plc.set(1, 'holding', 20, 4, 6);
    conversation = await startConversation({ plant: plantText(plc.port) });
  });
  afterAll(async () => {
    await conversation.stop();
    await plc.stop();
  });
  // Each test is a conversation of its own: at a station of its own.
  beforeEach(() => {
    tests += 1;
    conversation.silenced.length = 0;
  });

  const phrases = () => conversation.site.phrases;
  const stationOf = (name: string): string => `ask-${tests}-${name}`;
  const ask = (text: string, station = 'a'): Promise<TurnReport> =>
    conversation.ask(text, stationOf(station));
  const hear: Conversation['hear'] = (...said) => conversation.hear(...said);
  const audited = async (kind: Parameters<Conversation['audited']>[0]) =>
    (await conversation.audited(kind)).filter((detail) =>
      String(detail['station']).startsWith(`ask-${tests}-`),
    );

  it.each([
    [
      'read the temperature of machine twelve',
      'machine twelve temperature is seventy three point five degrees.',
    ],
    ['what is the speed of machine 12', 'machine twelve speed is one thousand four hundred fifty R P M.'],
    ['读取十二号机床的温度', '十二号机床温度七十三点五度。'],
    ['四号泵压力', '四号泵压力六巴。'],
  ])('%s', async (text, answer) => {
    expect(await ask(text)).toMatchObject({ outcome: 'COMPLETED', answer });
  });

  it('tells all values of a machine', async () => {
    const report = await ask('check the status of machine twelve');
    expect(report.answer).toBe(
      'machine twelve: temperature seventy three point five degrees, speed one thousand four hundred fifty R P M.',
    );
    expect(report.readings).toHaveLength(2);
  });

  it.each([
    [
      'inspect machine twelve',
      'machine twelve: temperature seventy three point five degrees, speed one thousand four hundred fifty R P M. machine twelve can be read, but I have no history to compare it with.',
    ],
    [
      '检查十二号机床的全部状态',
      '十二号机床，温度七十三点五度，转速一千四百五十转。十二号机床可以读取，但没有历史可以比较。',
    ],
  ])('checks a machine in several steps and says it in one breath: %s', async (text, answer) => {
    expect(await ask(text)).toMatchObject({
      intent: 'check_machine',
      outcome: 'COMPLETED',
      answer,
      readings: [{ machine: 'machine-12', value: 73.5 }, { value: 1450 }],
      steps: [{ tool: 'workflow.check-machine', status: 'done' }],
    });
    const [last] = (await conversation.assistant.workflows.list()).runs;
    expect(last).toMatchObject({
      workflow: 'check-machine',
      stage: 'COMPLETED',
      steps: [{ id: 'status', status: 'success' }, { id: 'log' }, { id: 'diagnosis', status: 'success' }],
    });
  });

  it.each([
    [
      'create a work order on pump three',
      'This box is not set up for work orders (set work_orders in its configuration): the work order is not possible, and nothing was done.',
    ],
    [
      '创建三号泵的工单',
      '这台设备没有设置工单系统（请在配置中设置 work_orders），工单做不了，什么也没有做。',
    ],
  ])('refuses what the site is not set up for and asks nothing: %s', async (text, answer) => {
    expect(await ask(text)).toMatchObject({ outcome: 'FAILED', answer, steps: [] });
    expect(await ask('yes')).toMatchObject({ answer: phrases().say('en', 'nothing_to_confirm') });
    expect(await conversation.assistant.tickets.list()).toEqual([]);
  });

  it('asks which machine is to be checked, and checks the one that was read before', async () => {
    expect(await ask('inspect the pump')).toMatchObject({
      outcome: 'OPEN',
      answer: 'Which one: pump three, or pump four?',
    });
    expect(await ask('the second one')).toMatchObject({ readings: [{ machine: 'pump-4', value: 6 }] });
  });

  it('reads the only machine that has the quantity, and asks when several have it', async () => {
    expect(await ask('read the temperature')).toMatchObject({
      outcome: 'COMPLETED',
      readings: [{ machine: 'machine-12' }],
    });
    expect(await ask('read the pressure')).toMatchObject({
      outcome: 'OPEN',
      answer: 'The pressure of which machine?',
      readings: [],
    });
    expect(await ask('pump four')).toMatchObject({
      outcome: 'COMPLETED',
      readings: [{ machine: 'pump-4', value: 6 }],
    });
  });

  it('asks which of two machines with one name is meant, and takes a name or a place for an answer', async () => {
    expect(await ask('read the pressure of the pump')).toMatchObject({
      outcome: 'OPEN',
      answer: 'Which one: pump three, or pump four?',
      readings: [],
    });
    expect(await ask('the second one')).toMatchObject({
      outcome: 'COMPLETED',
      readings: [{ machine: 'pump-4' }],
    });
    expect(await ask('读取水泵的压力')).toMatchObject({
      outcome: 'OPEN',
      answer: '哪一个，三号泵，还是四号泵？',
    });
    expect(await ask('三号泵')).toMatchObject({
      outcome: 'COMPLETED',
      readings: [{ machine: 'pump-3', value: 4 }],
    });
  });

  it('asks on when the answer is a name that two machines have', async () => {
    expect(await ask('read the pressure')).toMatchObject({ answer: 'The pressure of which machine?' });
    expect(await ask('the pump')).toMatchObject({
      outcome: 'OPEN',
      answer: 'Which one: pump three, or pump four?',
    });
    expect(await ask('the second one')).toMatchObject({
      outcome: 'COMPLETED',
      readings: [{ machine: 'pump-4', value: 6 }],
    });
  });

  it('keeps the questions of two stations apart', async () => {
    await ask('read the pressure of the pump', 'a');
    expect(await ask('the first', 'b')).toMatchObject({ outcome: 'FAILED', intent: undefined });
    expect(await ask('the first', 'a')).toMatchObject({ readings: [{ machine: 'pump-3' }] });
  });

  it('says that a machine lacks a quantity', async () => {
    expect(await ask('read the speed of pump three')).toMatchObject({
      outcome: 'FAILED',
      answer: 'pump three has no speed.',
    });
  });

  it.each([
    'stop pump three',
    'set the temperature of machine twelve to fifty',
    'start machine twelve',
    '启动三号泵',
    '停止十二号机床',
    '把十二号机床的温度设为五十',
  ])('refuses to change anything: %s', async (text) => {
    const report = await ask(text);
    expect(report).toMatchObject({ intent: 'write_request', outcome: 'FAILED', readings: [] });
    expect(report.answer).toBe(phrases().say(languageOf(text), 'gate_writes_off'));
    expect(conversation.silenced).toEqual([]);
  });

  it('takes "stop" for silence alone, and points to the red button in an emergency', async () => {
    expect(await ask('stop')).toMatchObject({ intent: 'stop', answer: 'Silent. No machine was stopped.' });
    expect(await ask('emergency stop')).toMatchObject({
      answer: 'Use the red button. I cannot stop machines.',
    });
    expect(conversation.silenced).toHaveLength(2);
  });

  it.each([
    'emergency stop now',
    'emergency stop machine twelve',
    'emergency stop the pump',
    'emergency stop the line',
    'hermes emergency stop pump three please',
    '紧急停止十二号机床',
    '急停三号泵',
    '急停水泵',
    '把三号泵紧急停止',
    '立即急停',
  ])('points to the red button whatever is to be stopped: %s', async (text) => {
    expect(await ask(text)).toMatchObject({
      intent: 'emergency_stop',
      outcome: 'COMPLETED',
      answer: phrases().say(languageOf(text), 'emergency_stop'),
    });
    expect(conversation.silenced).toHaveLength(1);
  });

  it('cancels with "stop" all that wait, and answers it before a silent PLC would have', async () => {
    await plc.delay(1500);
    const reads = Array.from({ length: 12 }, () => ask('read the temperature of machine twelve'));
    const elsewhere = ask('read the pressure of pump three', 'b');
    await eventually('reads are under way', async () => (await audited('turn.started')).length === 2);
    const stop = await ask('stop');
    expect(stop).toMatchObject({ outcome: 'COMPLETED', intent: 'stop' });
    expect(stop.duration_ms).toBeLessThan(500);
    for (const read of reads)
      expect(await read).toMatchObject({ outcome: 'CANCELLED', answer: undefined, readings: [] });
    await plc.delay(0);
    expect(await elsewhere).toMatchObject({ outcome: 'COMPLETED' });
    expect(await ask('read the temperature of machine twelve')).toMatchObject({ outcome: 'COMPLETED' });
    expect(await audited('session.violation')).toEqual([]);
  });

  it('takes a place for an answer only where the choices were named', async () => {
    expect(await ask('read the pressure')).toMatchObject({ answer: 'The pressure of which machine?' });
    expect(await ask('the second one')).toMatchObject({ outcome: 'FAILED', readings: [] });
    expect(await ask('pump three')).toMatchObject({ readings: [{ machine: 'pump-3' }] });
  });

  it.each([
    ['read the pressure', 'The pressure of which machine?', 'inspect machine twelve', 'check_machine'],
    ['read the pressure', 'The pressure of which machine?', 'check machine twelve', 'machine_status'],
    ['读取压力', '哪台设备的压力？', '检查十二号机床的全部状态', 'check_machine'],
    ['读取压力', '哪台设备的压力？', '检查十二号机床', 'machine_status'],
  ])(
    'takes a whole sentence for a new command, not for an answer: %s, %s %s',
    async (first, question, second, intent) => {
      expect(await ask(first)).toMatchObject({ outcome: 'OPEN', answer: question });
      expect(await ask(second)).toMatchObject({
        intent,
        outcome: 'COMPLETED',
        readings: [{ machine: 'machine-12', value: 73.5 }, { value: 1450 }],
      });
    },
  );

  it('asks anew when the same is asked for with something else', async () => {
    expect(await ask('read the pressure')).toMatchObject({ outcome: 'OPEN' });
    expect(await ask('read the speed')).toMatchObject({ readings: [{ machine: 'machine-12', value: 1450 }] });
    expect(await ask('read the pressure')).toMatchObject({ outcome: 'OPEN' });
    expect(await ask('it is pump 4 please')).toMatchObject({ readings: [{ machine: 'pump-4', value: 6 }] });
  });

  it.each([
    ['set the pressure to five', 'check machine twelve', 'The command before is dropped. machine twelve: '],
    ['把压力设为五', '检查十二号机床', '前一条命令已放弃。十二号机床，'],
  ])(
    'says that a command is dropped whose question was not answered: %s, %s',
    async (first, second, answer) => {
      expect(await ask(first)).toMatchObject({ outcome: 'OPEN', intent: 'write_request' });
      const report = await ask(second);
      expect(report).toMatchObject({ outcome: 'COMPLETED', intent: 'machine_status' });
      expect(report.answer?.slice(0, answer.length)).toBe(answer);
    },
  );

  it('repeats an open question, which stays open', async () => {
    await ask('read the temperature of machine twelve');
    await ask('read the pressure of the pump');
    const question = { outcome: 'OPEN', answer: 'Which one: pump three, or pump four?', readings: [] };
    expect(await ask('repeat that')).toMatchObject(question);
    expect(await ask('make me a coffee')).toMatchObject({ outcome: 'FAILED' });
    expect(await ask('say again')).toMatchObject(question);
    expect(await ask('再说一遍')).toMatchObject({ outcome: 'OPEN', answer: '哪一个，三号泵，还是四号泵？' });
    expect(await ask('the second one')).toMatchObject({ readings: [{ machine: 'pump-4' }] });
    expect(await ask('repeat')).toMatchObject({ readings: [{ machine: 'pump-4' }] });
  });

  it.each(['start machine twelve', 'read the speed of pump three', 'are you online', 'help', 'yes'])(
    'repeats what was answered last, not an older value: %s',
    async (text) => {
      await ask('read the temperature of machine twelve');
      const first = await ask(text);
      const again = await ask('repeat that');
      expect(again).toMatchObject({ intent: 'repeat', answer: first.answer, readings: [] });
      expect(await ask('repeat that')).toMatchObject({ answer: first.answer });
    },
  );

  it('lets "stop" overtake a read that is under way, which is then not spoken', async () => {
    await plc.delay(1500);
    const read = ask('read the temperature of machine twelve');
    await eventually('the read is under way', async () => (await audited('turn.started')).length === 1);
    const stop = await ask('stop');
    expect(stop).toMatchObject({ outcome: 'COMPLETED' });
    expect(await read).toMatchObject({ outcome: 'CANCELLED', answer: undefined, readings: [] });
    await plc.delay(0);
  });

  it('repeats by reading anew, so that no old value is said as if it were fresh', async () => {
    await ask('read the temperature of machine twelve');
    await plc.set(1, 'holding', 10, 412);
    expect(await ask('repeat that')).toMatchObject({
      answer: 'machine twelve temperature is forty one point two degrees.',
    });
    await plc.set(1, 'holding', 10, 735);
    expect(await ask('repeat that', 'another')).toMatchObject({ answer: 'There is nothing to repeat.' });
  });

  it('names the parts that are in trouble', async () => {
    expect(await ask('are you online')).toMatchObject({ answer: 'Trouble with the M Q T T broker.' });
  });

  it('has nothing to confirm, whatever consent it hears', async () => {
    for (const text of ['yes', 'no', 'confirm execute', '可以', '确认执行']) {
      expect(await ask(text)).toMatchObject({ outcome: 'FAILED', readings: [] });
    }
  });

  it('asks again for a typed text that it does not understand', async () => {
    expect(await ask('make me a coffee')).toMatchObject({
      outcome: 'FAILED',
      intent: undefined,
      answer: 'Please say that again.',
    });
  });

  it('never acts on an utterance with lost audio, and says "say again" at most once in a while', async () => {
    expect(await hear('read the temperature of machine twelve', { audioLost: true })).toMatchObject({
      outcome: 'FAILED',
      answer: phrases().say('en', 'audio_lost'),
      readings: [],
    });
    expect(await hear('read the temperature of machine twelve', { audioLost: true })).toBeUndefined();
    expect(await hear('temperature machine the of read')).toBeUndefined();
  });

  it('keeps silent when it hears unknown words only', async () => {
    expect(await hear('[unk] [unk]')).toBeUndefined();
    expect(await audited('turn.started')).toEqual([]);
  });

  it('acts on a heard command', async () => {
    expect(await hear('read the temperature of machine twelve')).toMatchObject({ outcome: 'COMPLETED' });
  });

  describe('of which a word was heard doubtfully', () => {
    /** The words of a text, these with so much confidence. */
    const words = (text: string, doubtful: Readonly<Record<string, number>>) => ({
      words: text.split(' ').map((word, index) => ({
        text: word,
        startMs: index * 300,
        endMs: index * 300 + 280,
        confidence: doubtful[word] ?? 1,
      })),
    });
    const hearSaid = (text: string, doubtful: Readonly<Record<string, number>>, language?: 'en' | 'zh') =>
      hear(text, words(text, doubtful), language);

    it('asks for the name that it is not sure of, once, and a spoken answer settles it', async () => {
      const pressure = 'read the pressure of pump three';
      expect(await hearSaid(pressure, { three: 0.3 })).toMatchObject({
        outcome: 'OPEN',
        answer: 'The pressure of which machine?',
        readings: [],
      });
      expect(await hearSaid('pump three', { three: 0.3 })).toMatchObject({
        outcome: 'COMPLETED',
        readings: [{ machine: 'pump-3' }],
      });
      expect(await hearSaid('读取 三 号 泵 的 压力', { 三: 0.3 }, 'zh')).toMatchObject({
        outcome: 'OPEN',
        answer: '哪台设备的压力？',
      });
      expect(await hearSaid('四 号 泵', {}, 'zh')).toMatchObject({ readings: [{ machine: 'pump-4' }] });
    });

    it('has the whole sentence said again where more than a name is in doubt', async () => {
      const pressure = 'read the pressure of pump three';
      for (const doubtful of [{ pressure: 0.3 }, { pressure: 0.3, three: 0.3 }])
        expect(await hearSaid(pressure, doubtful)).toMatchObject({
          outcome: 'FAILED',
          answer: phrases().say('en', 'doubtful'),
          readings: [],
        });
      expect(await hear(pressure)).toMatchObject({ outcome: 'COMPLETED' });
    });

    it('asks about no word beside the slots, and about none that is as sure as clear speech in noise is', async () => {
      expect(
        await hearSaid('read the pressure of pump three', { read: 0.3, three: 0.66, pressure: 0.66 }),
      ).toMatchObject({ outcome: 'COMPLETED', readings: [{ machine: 'pump-3' }] });
    });
  });

  it('keeps alarms and the evidence of a diagnosis beside the talk, in windows of their own', async () => {
    await conversation.hear('diagnose machine twelve');
    conversation.assistant.alarmHeard('High alarm from oven: too hot.');
    const report = await conversation.hear('read the temperature of machine twelve');
    const stored = await eventually('all of it is on disk', async () => {
      const found = await conversation.storage.sessions.session(report?.session_id ?? '');
      return found?.messages.at(-1)?.content === report?.answer && found;
    });
    const last = stored.messages.slice(-8);
    expect(last.map(({ source, role }) => [source, role])).toEqual([
      ['diagnosis', 'tool'],
      ['voice', 'person'],
      ['main', 'tool'],
      ['main', 'assistant'],
      ['alarm', 'assistant'],
      ['voice', 'person'],
      ['main', 'tool'],
      ['main', 'assistant'],
    ]);
    expect(last[0]?.content).toMatch(/^machine-12\./u);
    expect(last[4]?.content).toBe('High alarm from oven: too hot.');
  });

  it('writes into the audit what was asked, and how it ended', async () => {
    await ask('read the temperature of machine twelve');
    await eventually('the end is on disk', async () => (await audited('turn.ended')).length > 0);
    expect(await audited('turn.started')).toMatchObject([
      { station: stationOf('a'), heard: 'read the temperature of machine twelve', intent: 'read_point' },
    ]);
    expect(await audited('turn.ended')).toMatchObject([
      {
        outcome: 'COMPLETED',
        readings: [{ value: 73.5, quality: 'good' }],
        state_hash: expect.stringMatching(/^[0-9a-f]{64}$/u),
      },
    ]);
    expect(await audited('session.violation')).toEqual([]);
  });

  it('bounds what waits at one station, and says so; "stop" is taken all the same', async () => {
    await plc.delay(300);
    const reads = Array.from({ length: 40 }, () => ask('read the temperature of machine twelve'));
    const stop = await ask('stop');
    await plc.delay(0);
    expect(stop).toMatchObject({ outcome: 'COMPLETED', intent: 'stop' });
    const reports = await Promise.all(reads);
    expect(reports.filter(({ answer }) => answer === phrases().say('en', 'busy'))).toHaveLength(8);
    expect(reports.filter(({ outcome }) => outcome === 'CANCELLED')).toHaveLength(32);
    expect(await ask('read the temperature of machine twelve')).toMatchObject({ outcome: 'COMPLETED' });
  });

  it('serves many stations at once, each its own answer', async () => {
    const reports = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        ask(n % 2 === 0 ? 'read the pressure of pump three' : 'read the pressure of pump four', `s${n}`),
      ),
    );
    expect(reports.map(({ readings }) => readings[0]?.value)).toEqual(
      Array.from({ length: 60 }, (_, n) => (n % 2 === 0 ? 4 : 6)),
    );
  });

  it('says that the PLC does not answer, and no value', async () => {
    await plc.stop();
    const report = await ask('read the temperature of machine twelve');
    expect(report.outcome).toBe('FAILED');
    expect(report.answer).toMatch(
      /^machine twelve does not answer\. The last value of temperature is .* old\.$/u,
    );
    expect(report.readings).toMatchObject([{ quality: 'stale', reason: 'unreachable' }]);
    expect(report.readings[0]).not.toHaveProperty('value');
    expect(await ask('check the status of machine twelve')).toMatchObject({
      answer: 'machine twelve cannot be read. I have no values.',
    });
    await plc.restart();
  });

  describe('about the tickets', () => {
    const open = (more: Partial<TicketRequest>) =>
      conversation.assistant.tickets.open({
        tool: 'export-report',
        code: 'TOOL_FAILED',
        message: 'it did not work',
        input: {},
        path: [],
        sessionId: 's',
        turnId: 'tr_0123456789ab',
        stateHash: undefined,
        safety: false,
        ...more,
      });
    const settleAll = async () => {
      for (const { id } of conversation.assistant.tickets.live())
        await conversation.assistant.tickets.resolve(id, 'Li');
    };
    const spelled = (id: string) => [...id.slice(3, 7).toUpperCase()].join(' ');

    it('tells how many are open and the newest three, those about safety first; none when all are settled', async () => {
      await settleAll();
      expect(await ask('which tickets are open')).toMatchObject({
        intent: 'tickets',
        outcome: 'COMPLETED',
        answer: 'No ticket is open.',
      });
      expect(await ask('有哪些工单未解决')).toMatchObject({ answer: '没有未解决的故障单。' });
      const write = await open({
        tool: 'write-value',
        code: 'OUTCOME_UNKNOWN',
        input: { machine: 'machine-12' },
        safety: true,
      });
      expect((await ask('what has failed')).answer).toMatch(/^One ticket is open\. About safety, ticket /u);
      await open({ tool: 'send-message' });
      const exported = await open({ tool: 'export-report', code: 'TOOL_TIMEOUT' });
      const session = await open({ tool: 'session' });

      const english = await ask('which tickets are open');
      expect(english.answer?.replaceAll(/, (?:\w+ )+(?:second|minute)s? old/gu, ', AGE old')).toBe(
        [
          'Open tickets: four.',
          `About safety, ticket ${spelled(write)}, machine twelve, the write: it is not known whether it was done, AGE old.`,
          `Ticket ${spelled(session)}, several tasks in a row: it did not work, AGE old.`,
          `Ticket ${spelled(exported)}, the export: it took too long, AGE old.`,
        ].join(' '),
      );
      const chinese = await ask('查看失败记录');
      expect(chinese.answer?.replaceAll(/[一二三四五六七八九十两]+秒/gu, 'AGE')).toBe(
        [
          '有四张未解决的故障单。',
          `安全相关，故障单${spelled(write)}，十二号机床，写入，不确定是否已执行，已开AGE。`,
          `故障单${spelled(session)}，连续多次操作，没有成功，已开AGE。`,
          `故障单${spelled(exported)}，导出，超时，已开AGE。`,
        ].join(''),
      );
      await settleAll();
      expect(await ask('repeat that')).toMatchObject({ answer: 'No ticket is open.' });
    });
  });
});
