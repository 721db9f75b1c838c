import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectAsync, type MqttClient } from 'mqtt';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Language } from '../../src/domain/language/language.ts';
import { resample } from '../../src/domain/voice/resample.ts';
import { decodeWav } from '../../src/domain/voice/wav.ts';
import { decodeAnswer } from '../support/answer-ear.ts';
import { onePlant } from '../support/demo-site.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { type Mosquitto, startMosquitto } from '../support/mosquitto.ts';
import { type QuietMachine, quietMachine } from '../support/no-sound-card.ts';
import { type PymodbusServer, SYSTEM_PYTHON, startPymodbusServer } from '../support/pymodbus-server.ts';
import { descendants, isRunning, type RunningProgram, startProgram } from '../support/running-program.ts';
import { startVirtualSoundCard, type VirtualSoundCard } from '../support/virtual-sound-card.ts';

const BASE = 'edge/v1/hall/edge-1';
const SAMPLE_RATE_HZ = 16_000;
const TO_FILES = 'speech: { enabled: false }';
const letters = (text: string): string => text.replaceAll(/[\s.,:。，]/gu, '').toLowerCase();

const healthSchema = z.object({
  status: z.string(),
  parts: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      detail: z.string(),
      figures: z.record(z.string(), z.number()).default({}),
    }),
  ),
});

let machine: QuietMachine;
let directory: string;
let broker: Mosquitto;
let plc: PymodbusServer;
let other: MqttClient;
let port: number;
let node: RunningProgram | undefined;

beforeEach(async () => {
  machine = quietMachine();
  directory = mkdtempSync(join(tmpdir(), 'hermes-alarms-'));
  [broker, plc, port] = await Promise.all([startMosquitto(), startPymodbusServer(), freePort()]);
  await plc.set(1, 'holding', 10, 73);
  await plc.set(1, 'holding', 20, 6);
  other = await connectAsync(broker.url, { protocolVersion: 5 });
});
afterEach(async () => {
  await node?.ended('SIGKILL');
  node = undefined;
  await other.endAsync(true);
  await plc.stop();
  await broker.remove();
  machine.remove();
  rmSync(directory, { recursive: true });
});

/** Starts the daemon in the test's directory, with whatever an earlier one has left there, and waits until it is ready. */
async function start(speech: string, env: NodeJS.ProcessEnv = {}): Promise<RunningProgram> {
  writeFileSync(join(directory, 'plant.yaml'), onePlant(plc.port));
  const file = join(directory, 'hermes-edge.yaml');
  writeFileSync(
    file,
    [
      'site: hall',
      'plant: [plant.yaml]',
      'state_dir: state',
      `http: { port: ${port} }`,
      `mqtt: { url: "${broker.url}" }`,
      'microphone: { enabled: false }',
      speech,
    ].join('\n'),
  );
  const program = startProgram(['run', '--config', file], {
    env: { ...machine.env, ...env },
    cwd: directory,
  });
  node = program;
  await eventually('it is ready', async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    return answer?.status === 200;
  });
  return program;
}

async function health(): Promise<z.infer<typeof healthSchema>> {
  return healthSchema.parse(await (await fetch(`http://127.0.0.1:${port}/healthz`)).json());
}

async function figure(part: string, name: string): Promise<number> {
  return (await health()).parts.find((each) => each.name === part)?.figures[name] ?? 0;
}

const spoken = (count: number, withinMs = 10_000): Promise<unknown> =>
  eventually(
    `${count} lines were spoken`,
    async () => (await figure('announcer', 'spoken')) >= count,
    withinMs,
  );

function publish(topic: string, body: unknown, retain = false): Promise<unknown> {
  const payload = typeof body === 'string' ? body : JSON.stringify(body);
  return other.publishAsync(`${BASE}/${topic}`, payload, { qos: 1, retain });
}

const raise = (id: string, text: unknown, topic = 'alarm/oven/overheat/event'): Promise<unknown> =>
  publish(topic, { id, state: 'raised', priority: 'critical', text });

/** A low alarm is spoken after all that came before it: when it has been, nothing else is left to be. */
const raiseLast = (): Promise<unknown> =>
  publish('alarm/bell/last/event', { id: 'last', state: 'raised', priority: 'low', text: 'finished' });

function keptFiles(): string[] {
  const kept = join(directory, 'state', 'spoken');
  return readdirSync(kept)
    .sort()
    .map((name) => join(kept, name));
}

/** The alarm events on disk, in the order of their arrival, as another program reads them. */
function recorded(): readonly { readonly id: string; readonly text: string }[] {
  const script = [
    'import json, sqlite3, sys',
    'rows = sqlite3.connect(sys.argv[1]).execute("SELECT body FROM alarm_event ORDER BY arrival")',
    'print(json.dumps([json.loads(body) for (body,) in rows]))',
  ];
  const args = ['-c', script.join('\n'), join(directory, 'state', 'state.db')];
  return z
    .array(z.object({ id: z.string(), text: z.string() }))
    .parse(JSON.parse(execFileSync(SYSTEM_PYTHON, args, { encoding: 'utf8' })));
}

describe('an alarm', () => {
  const CASES: readonly {
    readonly language: Language;
    readonly topic: string;
    readonly text: string;
    readonly heard: (number: string) => string;
    readonly said: string;
  }[] = [
    {
      language: 'en',
      topic: 'alarm/oven/overheat/event',
      text: 'temperature eighty five',
      heard: (number) => `critical alarm from oven temperature ${number}`,
      said: 'critical alarm from oven temperature eighty five',
    },
    {
      language: 'zh',
      topic: 'alarm/烤炉/超温/event',
      text: '温度八十五度',
      heard: (number) => `烤炉 紧急 报警 温度 ${number} 度`,
      said: '烤炉紧急报警温度八十五度',
    },
  ];

  it.each(CASES)(
    'is spoken in its own language: $language',
    async ({ language, topic, text, heard, said }) => {
      await start(TO_FILES);
      await raise('e1', text, topic);
      await spoken(1);
      const [file = ''] = keptFiles();
      const { pcm, sampleRateHz } = decodeWav(readFileSync(file));
      const recording = Buffer.from(resample(pcm, sampleRateHz, SAMPLE_RATE_HZ).buffer);
      expect(letters(await decodeAnswer(recording, language, heard))).toBe(letters(said));
    },
  );

  it('is spoken once, however often its event comes, and also after a restart', async () => {
    const first = await start(TO_FILES);
    for (let i = 0; i < 3; i += 1) await raise('e1', 'temperature high');
    await raise('e2', { en: 'temperature high', zh: '温度偏高' });
    await raiseLast();
    await spoken(3);
    expect(await figure('alarms', 'received')).toBe(3);
    expect(await figure('alarms', 'duplicates')).toBe(2);
    expect(await first.ended('SIGTERM')).toBe(0);

    await start(TO_FILES);
    await raise('e1', 'temperature high');
    await raise('e3', 'temperature high');
    await spoken(1);
    expect(await figure('announcer', 'spoken')).toBe(1);
    expect(keptFiles()).toHaveLength(4);
  });

  it('that came while the daemon was away is spoken once when it is back', async () => {
    const first = await start(TO_FILES);
    await first.ended('SIGKILL');
    for (const id of ['e1', 'e2', 'e3']) await raise(id, 'temperature high');
    await raiseLast();
    await start(TO_FILES);
    await spoken(4);
    await publish('say', { text: 'good morning' });
    await spoken(5);
    expect(keptFiles()).toHaveLength(5);
  });

  it('that is malformed is counted and changes nothing else', async () => {
    await start(TO_FILES);
    const good = { id: 'e1', state: 'raised', priority: 'high', text: 'temperature high' };
    const malformed: unknown[] = [
      'not JSON',
      '',
      '[]',
      'null',
      { ...good, state: 'perhaps' },
      { ...good, priority: 9 },
      { ...good, id: '' },
      { ...good, text: { fr: 'haut' } },
      { ...good, text: ' ' },
    ];
    for (const body of malformed) await publish('alarm/oven/overheat/event', body);
    await raiseLast();
    await spoken(1);
    expect(await figure('mqtt', 'refused_messages')).toBe(malformed.length);
    expect(await figure('alarms', 'received')).toBe(1);
    expect((await health()).status).toBe('ok');
    expect(keptFiles()).toHaveLength(1);
  });
});

describe('text from outside', () => {
  /** Every program of the daemon runs in the test's directory, where a file `mark` must not come to be. */
  const hostile: readonly string[] = [
    `" (system "touch mark") "`,
    `") (system "touch mark") (SayText "`,
    `$(touch mark) \`touch mark\` ; touch mark | touch mark`,
    `' && touch mark && '`,
    '{machine} {text} {source} {{priority}}',
    `<speak>hello<audio src="file://mark"/><break time="60s"/></speak>`,
    '--stdout -w /dev/null -f /etc/hosts',
    'bell\u0007 escape\u001b[2J null\u0000 line\nfeed \u202eback',
    '\ud83d\udd25\ud83d\udd25',
    '"'.repeat(499),
  ];

  it('is data: nothing is executed, nothing breaks, and it is kept as it came', async () => {
    const mark = join(directory, 'mark');
    await start(TO_FILES);
    const speakable = hostile.filter((text) => /[a-z]/u.test(text));
    for (const [i, text] of hostile.entries()) await raise(`h${i}`, text);
    for (const text of speakable) await publish('say', { text });
    await raise('big', 'x'.repeat(100_000));
    await raiseLast();
    await spoken(hostile.length + speakable.length + 1, 20_000);
    expect(recorded().map(({ text }) => text)).toEqual([...hostile, 'finished']);
    expect((await health()).status).toBe('ok');
    expect(existsSync(mark)).toBe(false);
  });

  it('is data for festival too', async () => {
    const mark = join(directory, 'mark');
    const card = await startVirtualSoundCard();
    try {
      await start('speech: { device: speaker, engines: [say, espeak-ng] }', card.env);
      for (const [i, text] of hostile.slice(0, 2).entries()) await raise(`f${i}`, text);
      await raiseLast();
      await spoken(3, 50_000);
      expect((await health()).status).toBe('ok');
      expect(existsSync(mark)).toBe(false);
    } finally {
      await node?.ended('SIGKILL');
      await card.stop();
    }
  });
});

describe('an alarm and a power cut', () => {
  let card: VirtualSoundCard;

  beforeEach(async () => {
    card = await startVirtualSoundCard();
  });
  afterEach(async () => {
    await node?.ended('SIGKILL');
    await card.stop();
  });

  it('is spoken after the restart, once, when the daemon was killed before it could speak', async () => {
    const first = await start('speech: { device: speaker }', card.env);
    await publish('say', { text: 'this sentence is long '.repeat(5) });
    await eventually('it speaks', async () =>
      (await health()).parts.some(({ name, detail }) => name === 'announcer' && detail === 'speaking'),
    );
    await raise('e1', 'temperature eighty five');
    await eventually('it is recorded', async () => (await figure('alarms', 'received')) === 1);
    expect(await figure('announcer', 'spoken')).toBe(0);
    const players = descendants(first.pid);
    await first.ended('SIGKILL');
    // What a player still holds is heard to its end, and would be heard together with the alarm.
    await eventually('its players have ended', () => !players.some(isRunning));

    const recording = card.recordSpeaker();
    await recording.ready;
    const second = await start('speech: { device: speaker }', card.env);
    await spoken(1);
    const said = await decodeAnswer(
      await recording.stop(),
      'en',
      (number) => `critical alarm from oven temperature ${number}`,
    );
    expect(said).toBe('critical alarm from oven temperature eighty five');
    expect(await second.ended('SIGTERM')).toBe(0);

    await start('speech: { device: speaker }', card.env);
    await raiseLast();
    await spoken(1);
    expect(await figure('announcer', 'spoken')).toBe(1);
  });
});

describe('over MQTT', () => {
  const replies: { readonly body: Record<string, unknown>; readonly correlation: string | undefined }[] = [];
  const states: string[] = [];

  beforeEach(async () => {
    replies.length = 0;
    states.length = 0;
    other.on('message', (topic, payload, packet) => {
      const body = z.record(z.string(), z.unknown()).parse(JSON.parse(payload.toString()));
      if (topic === `${BASE}/status`) states.push(String(body['state']));
      else replies.push({ body, correlation: packet.properties?.correlationData?.toString() });
    });
    await other.subscribeAsync([`${BASE}/status`, `${BASE}/reply/#`], { qos: 1 });
  });

  async function call(tool: string, args: object): Promise<(typeof replies)[number]> {
    const correlation = `call-${replies.length + 1}`;
    await other.publishAsync(`${BASE}/cmd/${tool}`, JSON.stringify({ arguments: args }), {
      qos: 1,
      properties: { responseTopic: `${BASE}/reply/me`, correlationData: Buffer.from(correlation) },
    });
    return eventually('a reply', () => replies.find((reply) => reply.correlation === correlation));
  }

  it('a value is read with its quality, unit and time, and nothing is written', async () => {
    await start(TO_FILES);
    const point = { machine: 'machine-12', point: 'temperature' };
    const asked = Date.now();
    const asks = { machine: 'machine-12', points: ['temperature'] };
    const { body } = await call('read-value', asks);
    expect(body).toMatchObject({
      schema: 'reply/1',
      tool: 'read-value',
      ok: true,
      result: { readings: [{ ...point, value: 73, quality: 'good', unit: 'degrees' }] },
    });
    const result = z.object({ readings: z.array(z.object({ at: z.iso.datetime() })) }).parse(body['result']);
    expect(Math.abs(Date.parse(result.readings[0]?.at ?? '') - asked)).toBeLessThan(5000);

    const refused = await call('write-value', { ...point, value: 12 });
    expect(refused.body).toMatchObject({ ok: false, error: { code: 'DENIED' } });
    expect((await call('read-value', asks)).body).toMatchObject({ result: { readings: [{ value: 73 }] } });

    await plc.stop();
    const dead = await call('read-value', asks);
    expect(dead.body['result']).toMatchObject({ readings: [{ quality: 'stale', last: { value: 73 } }] });
    expect(JSON.stringify(dead.body['result'])).not.toMatch(/"quality":"stale","value"/u);
  });

  it('what is retained acts on nothing, whether it was there before or comes while it listens', async () => {
    const retain = async (id: string): Promise<void> => {
      await publish('say', { text: 'retained' }, true);
      const body = { id, state: 'raised', priority: 'critical', text: 'retained' };
      await publish('alarm/oven/overheat/event', body, true);
      const call = { arguments: { machine: 'machine-12', point: 'temperature' } };
      await other.publishAsync(`${BASE}/cmd/read-value`, JSON.stringify(call), {
        qos: 1,
        retain: true,
        properties: { responseTopic: `${BASE}/reply/retained` },
      });
    };
    await retain('before');
    await start(TO_FILES);
    await retain('after');
    await raiseLast();
    await spoken(1);
    await call('read-value', { machine: 'machine-12', point: 'temperature' });
    expect(replies).toHaveLength(1);
    expect(await figure('announcer', 'spoken')).toBe(1);
    expect(await figure('alarms', 'received')).toBe(1);
    expect(await figure('mqtt', 'refused_messages')).toBeGreaterThanOrEqual(3);
  });

  it('the status is online while it runs, and offline after it was stopped or killed', async () => {
    const first = await start(TO_FILES);
    await eventually('online', () => states.at(-1) === 'online');
    await first.ended('SIGTERM');
    await eventually('offline', () => states.at(-1) === 'offline');
    const second = await start(TO_FILES);
    await eventually('online again', () => states.at(-1) === 'online');
    await second.ended('SIGKILL');
    await eventually('offline by its will', () => states.at(-1) === 'offline');
  });
});
