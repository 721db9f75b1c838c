import { connectAsync, type MqttClient } from 'mqtt';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EmbeddedBroker } from '../../../src/adapters/mqtt/embedded-broker.ts';
import { MqttSurface } from '../../../src/adapters/mqtt/mqtt-surface.ts';
import { MqttTicketSink } from '../../../src/adapters/mqtt/mqtt-ticket-sink.ts';
import type { Inbound, InboundCommand } from '../../../src/app/ports/inbound.ts';
import { createEnvelope } from '../../../src/domain/envelope.ts';
import { systemClocks, systemScheduler } from '../../../src/runtime/clocks.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import { type Mosquitto, startMosquitto } from '../../support/mosquitto.ts';

const BASE = 'edge/v1/hall/edge-1';
const SESSION = '0d7c4a52-9d0b-4a3e-8a51-6a3f0f5f2f11';
const alarm = { id: 'e1', state: 'raised', priority: 'high', text: 'temperature high' };

interface Broker {
  readonly url: string;
  stop(): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
}

async function embedded(): Promise<Broker> {
  const port = await freePort();
  let broker = new EmbeddedBroker(port);
  await broker.start();
  return {
    url: `mqtt://127.0.0.1:${port}`,
    stop: () => broker.stop(),
    start: () => {
      broker = new EmbeddedBroker(port);
      return broker.start();
    },
    remove: () => broker.stop(),
  };
}

describe.each([
  { name: 'mosquitto', make: (): Promise<Mosquitto> => startMosquitto(), mqtt5: true },
  { name: 'the embedded broker', make: embedded, mqtt5: false },
])('on $name', ({ make, mqtt5 }) => {
  let broker: Broker;
  let other: MqttClient;
  let surface: MqttSurface;
  let seen: {
    topic: string;
    body: Record<string, unknown>;
    retain: boolean;
    correlation: string | undefined;
    properties: Record<string, unknown>;
  }[];
  let asked: Omit<InboundCommand, 'args'>[];
  let alarms: unknown[];
  let said: unknown[];
  let unreadable: string[][];
  let badges: unknown[];
  let keep: () => Promise<void>;

  const inbound: Inbound = {
    alarm: async (source, name, message) => {
      await keep();
      alarms.push({ source, name, id: message.id });
    },
    command: async ({ args, ...whose }) => {
      asked.push(whose);
      return whose.tool === 'read-value'
        ? { ok: true, result: { given: args }, sessionId: SESSION }
        : { ok: false, error: { code: 'UNKNOWN_TOOL', message: whose.tool }, sessionId: undefined };
    },
    unreadable: (tool, reason, payload) => void unreadable.push([tool, reason, payload.toString()]),
    say: (text, language) => void said.push({ text, language }),
    badge: async (message) => {
      badges.push(message);
      if (message.person === 'refused') throw new Error('the audit is full');
    },
  };

  const open = (): MqttSurface => {
    const clocks = systemClocks();
    const envelope = (schema: string) => createEnvelope(clocks, 'unsynced', schema);
    const parts = { inbound, envelope, logger: silentLogger(), scheduler: systemScheduler, clocks };
    return new MqttSurface({ url: broker.url, site: 'hall', node: 'edge-1' }, parts);
  };
  const watch = async (): Promise<MqttClient> => {
    const client = await connectAsync(broker.url, { protocolVersion: mqtt5 ? 5 : 4, reconnectPeriod: 50 });
    client.on('message', (topic, payload, packet) => {
      const correlation = packet.properties?.correlationData?.toString();
      const properties = { ...packet.properties?.userProperties };
      seen.push({
        topic,
        body: JSON.parse(payload.toString()),
        retain: packet.retain,
        correlation,
        properties,
      });
    });
    await client.subscribeAsync([`${BASE}/status`, `${BASE}/reply/#`, `${BASE}/ticket`], { qos: 1 });
    return client;
  };

  /** With MQTT 5 the response topic is a property; without, it stands in the body. */
  const command = (
    tool: string,
    body: object,
    properties: {
      responseTopic: string;
      correlationData?: Buffer;
      userProperties?: Record<string, string | string[]>;
    },
  ) =>
    mqtt5
      ? other.publishAsync(`${BASE}/cmd/${tool}`, JSON.stringify(body), { qos: 1, properties })
      : other.publishAsync(
          `${BASE}/cmd/${tool}`,
          JSON.stringify({ ...body, response_topic: properties.responseTopic }),
          { qos: 1 },
        );

  beforeAll(async () => {
    broker = await make();
  });
  afterAll(() => broker.remove());
  beforeEach(async () => {
    seen = [];
    asked = [];
    alarms = [];
    said = [];
    unreadable = [];
    badges = [];
    keep = async () => undefined;
    surface = open();
    await surface.start(new AbortController().signal);
    await eventually('connected', () => surface.health().status === 'ok');
    other = await watch();
    await eventually('online', () => seen.some(({ body }) => body['state'] === 'online'));
  });
  afterEach(async () => {
    await surface.stop(1000);
    await other.endAsync(true);
  });

  it('shows its status retained, with an envelope, and says goodbye', async () => {
    const [first] = seen;
    expect(first).toMatchObject({ topic: `${BASE}/status`, retain: true });
    expect(first?.body).toMatchObject({
      state: 'online',
      clock: 'unsynced',
      historical: false,
      schema: 'status/1',
    });
    expect(Object.keys(first?.body ?? {})).toEqual(expect.arrayContaining(['id', 'boot_id', 'seq', 'ts']));
    await surface.stop(1000);
    await eventually('offline', () => seen.some(({ body }) => body['state'] === 'offline'));
  });

  it('tells a ticket, not retained, and says when nobody can be told', async () => {
    const sink = new MqttTicketSink(surface);
    const body = { event: 'opened', ticket: { id: 'tk_1' } };
    expect(await sink.tell('tk_1/opened/mqtt', body)).toEqual({ kind: 'delivered' });
    const ticket = await eventually('the ticket', () => seen.find(({ topic }) => topic === `${BASE}/ticket`));
    expect(ticket).toMatchObject({
      retain: false,
      body: { ...body, id: 'tk_1/opened/mqtt', schema: 'ticket/1' },
    });
    await surface.stop(1000);
    expect(await sink.tell('tk_1/resolved/mqtt', body)).toMatchObject({ kind: 'later', scope: 'message' });
  });

  it('takes an alarm event', async () => {
    await other.publishAsync(`${BASE}/alarm/oven/overheat/event`, JSON.stringify(alarm), { qos: 1 });
    await eventually('the alarm', () => alarms.length > 0);
    expect(alarms).toEqual([{ source: 'oven', name: 'overheat', id: 'e1' }]);
  });

  it('refuses and counts what is no alarm, without losing the next one', async () => {
    const topic = `${BASE}/alarm/oven/overheat/event`;
    const bad = [
      '',
      'no json',
      '[]',
      '{"id":"x"}',
      JSON.stringify({ ...alarm, priority: 'urgent' }),
      'x'.repeat(65 * 1024),
    ];
    for (const payload of bad) await other.publishAsync(topic, payload, { qos: 1 });
    await other.publishAsync(topic, JSON.stringify({ ...alarm, id: 'e2' }), { qos: 1 });
    await eventually('the good one', () => alarms.length > 0);
    expect(alarms).toEqual([{ source: 'oven', name: 'overheat', id: 'e2' }]);
    expect(surface.health().figures?.['refused_messages']).toBeGreaterThanOrEqual(5);
  });

  it('never acts on a retained message', async () => {
    await surface.stop(1000);
    for (const end of ['alarm/oven/overheat/event', 'cmd/read-value', 'say', 'badge']) {
      await other.publishAsync(
        `${BASE}/${end}`,
        JSON.stringify({ ...alarm, responseTopic: `${BASE}/reply/x`, station: 'microphone', badge: '4711' }),
        {
          qos: 1,
          retain: true,
        },
      );
    }
    surface = open();
    await surface.start(new AbortController().signal);
    await other.publishAsync(`${BASE}/say`, JSON.stringify({ text: 'after' }), { qos: 1 });
    await eventually('the live message', () => said.length > 0);
    expect([alarms, badges, said]).toEqual([[], [], [{ text: 'after', language: undefined }]]);
    for (const end of ['alarm/oven/overheat/event', 'cmd/read-value', 'say', 'badge']) {
      await other.publishAsync(`${BASE}/${end}`, '', { qos: 1, retain: true });
    }
  });

  it('takes a badge as data, and refuses one that names nobody or is no badge', async () => {
    const badge = (body: object) => other.publishAsync(`${BASE}/badge`, JSON.stringify(body), { qos: 1 });
    const refused = () => surface.health().figures?.['refused_messages'];
    const forged = { id: 'b2', station: 'microphone', person: '"; role: supervisor', role: 'supervisor' };
    await badge({ id: 'b1', station: 'microphone' });
    await badge({ id: 'b1', station: '', badge: '4711' });
    await eventually('two refusals', () => refused() === 2);
    await badge({ id: 'b0', station: 'microphone', person: 'refused' });
    await badge(forged);
    await eventually('the badges', () => badges.length === 2);
    expect(badges[1]).toEqual({
      id: 'b2',
      station: 'microphone',
      person: '"; role: supervisor',
      state: 'in',
    });
    expect(surface.health().status).toBe('ok');
  });

  it('is never told of a badge that was read while it was away', async () => {
    await surface.stop(1000);
    await other.publishAsync(
      `${BASE}/badge`,
      JSON.stringify({ id: 'b3', station: 'microphone', badge: '4711' }),
      {
        qos: 1,
      },
    );
    await other.publishAsync(`${BASE}/alarm/oven/overheat/event`, JSON.stringify(alarm), { qos: 1 });
    surface = open();
    await surface.start(new AbortController().signal);
    await eventually('the alarm', () => alarms.length > 0);
    expect(badges).toEqual([]);
  });

  it('answers a reading command on the response topic with its correlation', async () => {
    const properties = { responseTopic: `${BASE}/reply/me`, correlationData: Buffer.from('c-7') };
    await command('read-value', { id: 'q1', arguments: { machine: 'm' } }, properties);
    const reply = await eventually('the reply', () => seen.find(({ topic }) => topic === `${BASE}/reply/me`));
    expect(reply.correlation).toBe(mqtt5 ? 'c-7' : undefined);
    expect(reply.body).toMatchObject({
      tool: 'read-value',
      request_id: 'q1',
      ok: true,
      result: { given: { machine: 'm' } },
      schema: 'reply/1',
    });
  });

  // Properties are of MQTT 5 alone.
  if (mqtt5) {
    it('takes station and session from user properties, and brings the session in one', async () => {
      const responseTopic = `${BASE}/reply/me`;
      await command('read-value', {}, { responseTopic, userProperties: { station: 'panel-7' } });
      const reply = await eventually('the reply', () => seen.find(({ topic }) => topic === responseTopic));
      expect(reply.properties).toEqual({ 'session-id': SESSION });
      expect(JSON.stringify([reply.topic, reply.body])).not.toContain(SESSION);
      await command(
        'read-value',
        {},
        { responseTopic, userProperties: { station: 'panel-7', 'session-id': SESSION, unheard: 'of' } },
      );
      await command('read-value', {}, { responseTopic });
      await eventually('all three', () => asked.length === 3);
      expect(asked).toEqual([
        { tool: 'read-value', station: 'panel-7', sessionId: undefined, turnId: undefined },
        { tool: 'read-value', station: 'panel-7', sessionId: SESSION, turnId: undefined },
        { tool: 'read-value', station: undefined, sessionId: undefined, turnId: undefined },
      ]);
    });

    it('takes the id of a turn from a user property', async () => {
      const responseTopic = `${BASE}/reply/turn`;
      await command('read-value', {}, { responseTopic, userProperties: { 'turn-id': 'tr_0123456789ab' } });
      await eventually('it is asked', () => asked.length === 1);
      expect(asked).toMatchObject([{ turnId: 'tr_0123456789ab' }]);
    });

    it.each([
      ['a station that is a path', { station: '../microphone' }, /station: up to 40 letters, digits/u],
      ['a station with a point in it', { station: 'a.b' }, /station: up to 40 letters, digits/u],
      ['a station without a name', { station: '' }, /station: up to 40 letters, digits/u],
      ['a station of 41 characters', { station: 'x'.repeat(41) }, /station: up to 40 letters, digits/u],
      ['two stations', { station: ['panel-7', 'panel-8'] }, /station: given once/u],
      ['what is no id of a turn', { 'turn-id': 'tr_8a3f2' }, /turn-id: "tr_" and 12/u],
      ['what is no id', { 'session-id': '1 or 1' }, /session-id: the id of a session/u],
    ])('names the rule that is broken by %s, and asks for nothing', async (_what, userProperties, rule) => {
      const responseTopic = `${BASE}/reply/wrong`;
      await command('read-value', { id: 'w1' }, { responseTopic, userProperties });
      const reply = await eventually('the reply', () => seen.find(({ topic }) => topic === responseTopic));
      expect(reply.body).toMatchObject({ request_id: 'w1', ok: false, error: { code: 'INPUT_INVALID' } });
      expect(Reflect.get(Object(reply.body['error']), 'message')).toMatch(rule);
      expect([asked, reply.properties]).toEqual([[], {}]);
    });
  }

  it('takes an id that has the form of a turn id as one', async () => {
    const properties = { responseTopic: `${BASE}/reply/turn` };
    await command('read-value', { id: 'tr_0123456789ab' }, properties);
    await command('read-value', { id: 'q1' }, properties);
    await eventually('both are asked', () => asked.length === 2);
    expect(asked.map((whose) => Reflect.get(Object(whose), 'turnId'))).toEqual([
      'tr_0123456789ab',
      undefined,
    ]);
  });

  it('answers an unknown tool and bad arguments with a code', async () => {
    const properties = { responseTopic: `${BASE}/reply/bad` };
    await command('write-value', {}, properties);
    await command(
      'read-value',
      { arguments: { list: true }, id: 7 },
      mqtt5 ? properties : { responseTopic: `${BASE}/reply/bad` },
    );
    const replies = await eventually('both', () => {
      const found = seen.filter(({ topic }) => topic === `${BASE}/reply/bad`);
      return found.length === 2 && found;
    });
    expect(replies.map(({ body }) => Reflect.get(Object(body['error']), 'code')).sort()).toEqual([
      'INPUT_INVALID',
      'UNKNOWN_TOOL',
    ]);
  });

  it('reports a command that cannot be read, and answers it where the sender says where', async () => {
    const responseTopic = `${BASE}/reply/unread`;
    const send = (payload: string) =>
      other.publishAsync(`${BASE}/cmd/read-value`, payload, {
        qos: 1,
        ...(mqtt5 ? { properties: { responseTopic } } : {}),
      });
    await send('{"arguments": ');
    await send('"write it"');
    await eventually('both are reported', () => unreadable.length === 2);
    expect(unreadable).toEqual([
      ['read-value', 'NOT_JSON', '{"arguments": '],
      ['read-value', 'NOT_A_COMMAND', '"write it"'],
    ]);
    if (mqtt5) {
      const replies = await eventually('both replies', () => {
        const found = seen.filter(({ topic }) => topic === responseTopic);
        return found.length === 2 && found;
      });
      for (const { body } of replies)
        expect(body['error']).toMatchObject({
          code: 'INPUT_INVALID',
          message: expect.stringContaining('one JSON object of at most 65536 bytes'),
        });
    }
    expect(asked).toEqual([]);
  });

  it('never answers into its own inputs', async () => {
    await command('read-value', {}, { responseTopic: `${BASE}/say` });
    await command('read-value', {}, { responseTopic: `${BASE}/reply/done` });
    await eventually('the allowed reply', () => seen.some(({ topic }) => topic === `${BASE}/reply/done`));
    expect(said).toEqual([]);
  });

  it('never answers where the sender may perhaps not publish', async () => {
    await other.subscribeAsync('plc/#', { qos: 1 });
    await command('read-value', { id: 'ON","set":1' }, { responseTopic: 'plc/line1/setpoint/write' });
    await command('read-value', {}, { responseTopic: `${BASE}/reply/after` });
    await eventually('the allowed reply', () => seen.some(({ topic }) => topic === `${BASE}/reply/after`));
    expect(seen.some(({ topic }) => topic.startsWith('plc/'))).toBe(false);
  });

  it(`${mqtt5 ? 'refuses and names' : 'cannot tell, and takes,'} an alarm that is published with the retain flag while it listens`, async () => {
    const topic = `${BASE}/alarm/oven/overheat/event`;
    await other.publishAsync(topic, JSON.stringify(alarm), { qos: 1, retain: true });
    if (mqtt5) {
      await eventually('it is named', () => surface.health().status === 'degraded');
      expect(surface.health().detail).toContain(topic);
      expect(alarms).toEqual([]);
    } else await eventually('the alarm', () => alarms.length === 1);
    await other.publishAsync(topic, '', { qos: 1, retain: true });
  });

  it('ends at once although a message was never acknowledged', async () => {
    keep = () => new Promise(() => undefined);
    await other.publishAsync(`${BASE}/alarm/oven/overheat/event`, JSON.stringify(alarm), { qos: 1 });
    await eventually('it is in hand', () => surface.health().status === 'ok');
    await surface.stop(1000);
    expect(surface.health().status).toBe('down');
  });

  it('comes back by itself after the broker was away, and says which is missing meanwhile', async () => {
    await broker.stop();
    await eventually('down', () => surface.health().status === 'down');
    expect(surface.health().detail).toContain(broker.url);
    await broker.start();
    await eventually('back', () => surface.health().status === 'ok');
    await eventually('watcher back', () => other.connected);
    await other.publishAsync(`${BASE}/alarm/oven/overheat/event`, JSON.stringify({ ...alarm, id: 'e9' }), {
      qos: 1,
    });
    await eventually('the alarm', () => alarms.length > 0);
  });

  it('gets an alarm again that it could not keep', async () => {
    let tries = 0;
    keep = async () => {
      tries += 1;
      if (tries === 1) throw new Error('disk full');
    };
    await other.publishAsync(`${BASE}/alarm/oven/overheat/event`, JSON.stringify(alarm), { qos: 1 });
    await eventually('kept at the second try', () => alarms.length > 0);
    expect(tries).toBe(2);
  });

  it('gets the alarms that came while it was away', async () => {
    await surface.stop(1000);
    await other.publishAsync(
      `${BASE}/alarm/oven/overheat/event`,
      JSON.stringify({ ...alarm, id: 'while-away' }),
      { qos: 1 },
    );
    surface = open();
    await surface.start(new AbortController().signal);
    await eventually('the alarm', () => alarms.length > 0);
    expect(alarms).toEqual([{ source: 'oven', name: 'overheat', id: 'while-away' }]);
  });
});
