import { readFileSync } from 'node:fs';
import type { IClientOptions, IPublishPacket, MqttClient } from 'mqtt';
import { connect } from 'mqtt';
import { z } from 'zod';
import type { CommandReply, Inbound } from '../../app/ports/inbound.ts';
import { alarmMessageSchema } from '../../domain/alarm/alarm-event.ts';
import type { Envelope } from '../../domain/envelope.ts';
import { badgeMessageSchema } from '../../domain/gate/badge.ts';
import type { JsonObject } from '../../domain/json.ts';
import { LANGUAGES } from '../../domain/language/language.ts';
import { backoffMs } from '../../runtime/backoff.ts';
import type { Cancel, Clocks, Scheduler } from '../../runtime/clocks.ts';
import { EdgeError, messageOf } from '../../runtime/edge-error.ts';
import { issuesText } from '../../runtime/issues-text.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Health, Service } from '../../runtime/service.ts';
import {
  MAX_PAYLOAD_BYTES,
  parseJson,
  readCommand,
  readSender,
  responseTopicOf,
  SESSION_PROPERTY,
} from './read-command.ts';
import { isSafeResponseTopic, parseTopic, type Topics, topicsOf } from './topics.ts';

export interface MqttSurfaceOptions {
  readonly url: string;
  readonly site: string;
  readonly node: string;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** PEM file of the authority that signed the broker's certificate. */
  readonly caFile?: string | undefined;
  /** Topics that may be answered on beside this node's own, each up to and with its last slash. */
  readonly replyPrefixes?: readonly string[];
}

interface Parts {
  readonly inbound: Inbound;
  readonly envelope: (schema: string) => Envelope;
  readonly logger: Logger;
  readonly scheduler: Scheduler;
  readonly clocks: Clocks;
}

const MAX_COMMANDS_AT_ONCE = 16;
const RECONNECT = { baseMs: 500, maxMs: 30_000 };
/** MQTT detects a dead link after 1.5 times this. */
const KEEPALIVE_S = 10;
const SESSION_EXPIRY_S = 24 * 3600;
const CONNECT_TIMEOUT_MS = 5000;
/** A sender that retains its alarms is named in health for this long after its last one. */
const RETAINED_TROUBLE_MS = 10 * 60_000;
const GOODBYE_WITHIN_MS = 1000;
const PUBLISH_WITHIN_MS = 5000;

const saySchema = z.object({
  text: z.string().trim().min(1).max(2000),
  language: z.enum(LANGUAGES).optional(),
});
/** CONNACK codes for a protocol version the broker does not speak: of MQTT 3.1.1 (table 3.1) and of MQTT 5 (3.2.2.2). */
const UNACCEPTABLE_VERSION = [1, 0x84];

/**
 * The node's face on the broker. In: alarm events, reading commands, badges and lines to speak. Out: `status` (retained, with
 * a will) and command replies. An alarm is acknowledged to the broker only after it is on disk; when it cannot be kept,
 * the connection is dropped instead, so that the broker delivers it again.
 */
export class MqttSurface implements Service {
  readonly name = 'mqtt';
  readonly #options: MqttSurfaceOptions;
  readonly #topics: Topics;
  readonly #parts: Parts;
  #client: MqttClient | undefined;
  #stopping = false;
  #attempt = 0;
  #cancelReconnect: Cancel | undefined;
  #trouble = 'not connected yet';
  #retryAtOnce = false;
  #retainedAlarm: { readonly topic: string; readonly atMs: number } | undefined;
  #commands = 0;
  #refused = 0;
  #undelivered = 0;

  constructor(options: MqttSurfaceOptions, parts: Parts) {
    this.#options = options;
    this.#topics = topicsOf(options.site, options.node);
    this.#parts = parts;
  }

  /** Resolves at the first connection or the first failure; after that it reconnects by itself. */
  async start(signal: AbortSignal): Promise<void> {
    this.#stopping = false;
    const { caFile } = this.#options;
    const will = this.#status('offline');
    const options: IClientOptions = {
      protocolVersion: 5,
      clientId: `hermes-edge-${this.#options.site}-${this.#options.node}`,
      clean: false,
      keepalive: KEEPALIVE_S,
      connectTimeout: CONNECT_TIMEOUT_MS,
      reconnectPeriod: 0,
      queueQoSZero: false,
      resubscribe: false,
      properties: {
        sessionExpiryInterval: SESSION_EXPIRY_S,
        receiveMaximum: 20,
        maximumPacketSize: MAX_PAYLOAD_BYTES + 4096,
      },
      will: { topic: this.#topics.status, payload: Buffer.from(will), qos: 1, retain: true },
      ...(this.#options.username === undefined ? {} : { username: this.#options.username }),
      ...(this.#options.password === undefined ? {} : { password: this.#options.password }),
      ...(caFile === undefined ? {} : { ca: readFileSync(caFile) }),
    };
    const client = connect(this.#options.url, options);
    this.#client = client;
    client.handleMessage = (packet, done) => this.#receive(client, packet, done);
    const first = new Promise<void>((resolve) => {
      client.once('connect', () => resolve());
      client.on('close', () => {
        // The first refusal may be of the protocol version alone: the next attempt decides.
        if (this.#attempt > 0) resolve();
      });
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    client.on('connect', () => this.#connected(client));
    client.on('error', (error) => {
      this.#trouble = messageOf(error) || 'connection refused';
      if (
        client.options.protocolVersion === 5 &&
        UNACCEPTABLE_VERSION.includes(Number(Reflect.get(error, 'code')))
      ) {
        this.#parts.logger.info({ broker: this.#address() }, 'the broker does not speak MQTT 5; using 3.1.1');
        client.options.protocolVersion = 4;
        this.#retryAtOnce = true;
      }
    });
    client.on('close', () => this.#closed(client));
    await first;
  }

  async stop(deadlineMs: number): Promise<void> {
    this.#stopping = true;
    this.#cancelReconnect?.();
    const client = this.#client;
    this.#client = undefined;
    if (client === undefined) return;
    if (client.connected) await this.#sayGoodbye(client, Math.min(deadlineMs / 2, GOODBYE_WITHIN_MS));
    // Forced: a message that was never acknowledged would otherwise hold the connection open for ever.
    client.end(true);
    client.stream.destroy();
  }

  /**
   * Publishes to a topic below this node's own, not retained; resolves when the broker has it. Rejects with EdgeError
   * MQTT_UNDELIVERED while there is no connection, or when the broker is silent for 5 s.
   */
  async publish(topicEnd: string, schema: string, body: JsonObject): Promise<void> {
    const client = this.#client;
    if (client?.connected !== true)
      throw new EdgeError('MQTT_UNDELIVERED', `no connection to ${this.#address()}`, { retry: 'safe' });
    const payload = JSON.stringify({ ...this.#parts.envelope(schema), ...body });
    await new Promise<void>((resolve, reject) => {
      const fail = (why: string): void => reject(new EdgeError('MQTT_UNDELIVERED', why, { retry: 'safe' }));
      const cancel = this.#parts.scheduler.after(PUBLISH_WITHIN_MS, () =>
        fail(`the broker did not answer within ${PUBLISH_WITHIN_MS} ms`),
      );
      client.publish(`${this.#topics.base}/${topicEnd}`, payload, { qos: 1 }, (error) => {
        cancel();
        if (error) fail(messageOf(error));
        else resolve();
      });
    });
  }

  #sayGoodbye(client: MqttClient, withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#parts.scheduler.after(withinMs, resolve);
      client.publish(this.#topics.status, this.#status('offline'), { qos: 1, retain: true }, () => {
        cancel();
        resolve();
      });
    });
  }

  health(): Health {
    const figures = { refused_messages: this.#refused, undelivered_replies: this.#undelivered };
    if (this.#client?.connected) {
      const retained = this.#retainedAlarm;
      if (retained !== undefined && this.#parts.clocks.monotonicMs() - retained.atMs < RETAINED_TROUBLE_MS) {
        return {
          status: 'degraded',
          detail: `alarms are published with the retain flag and refused: ${retained.topic}`,
          figures,
        };
      }
      const version = this.#client.options.protocolVersion === 5 ? '5' : '3.1.1';
      return { status: 'ok', detail: `connected to ${this.#address()} with MQTT ${version}`, figures };
    }
    return { status: 'down', detail: `no connection to ${this.#address()}: ${this.#trouble}`, figures };
  }

  #address(): string {
    const url = new URL(this.#options.url);
    return `${url.protocol}//${url.host}`;
  }

  #status(state: 'online' | 'offline'): string {
    return JSON.stringify({ ...this.#parts.envelope('status/1'), state });
  }

  #connected(client: MqttClient): void {
    this.#attempt = 0;
    this.#parts.logger.info({ broker: this.#address() }, 'connected to the broker');
    client.subscribe(
      // Retained messages are not asked for (rh), and those that come all the same keep their flag (rap): they never act.
      Object.fromEntries(
        Object.entries(this.#topics.subscriptions).map(([filter, qos]) => [
          filter,
          { qos, rh: 2, rap: true },
        ]),
      ),
      (error) => {
        if (error) this.#drop(client, `subscribing failed: ${messageOf(error)}`);
      },
    );
    client.publish(this.#topics.status, this.#status('online'), { qos: 1, retain: true }, (error) => {
      if (error) this.#parts.logger.warn({ error: messageOf(error) }, 'the status could not be published');
    });
  }

  #closed(client: MqttClient): void {
    if (this.#stopping || client !== this.#client) return;
    if (this.#retryAtOnce) {
      this.#retryAtOnce = false;
      this.#cancelReconnect = this.#parts.scheduler.after(0, () => client.reconnect());
      return;
    }
    const delayMs = backoffMs(this.#attempt, RECONNECT);
    this.#attempt += 1;
    this.#parts.logger.warn(
      { broker: this.#address(), trouble: this.#trouble, delay_ms: Math.round(delayMs) },
      'no connection to the broker',
    );
    this.#cancelReconnect?.();
    this.#cancelReconnect = this.#parts.scheduler.after(delayMs, () => {
      if (!this.#stopping) client.reconnect();
    });
  }

  /** Ends the connection without acknowledging what is in hand. */
  #drop(client: MqttClient, trouble: string): void {
    this.#trouble = trouble;
    client.stream.destroy();
  }

  #receive(client: MqttClient, packet: IPublishPacket, done: (error?: Error) => void): void {
    this.#dispatch(client, packet).then(
      () => done(),
      (error: unknown) => {
        this.#parts.logger.error(
          { topic: packet.topic, error: messageOf(error) },
          'a message could not be kept; asking the broker for it again',
        );
        this.#drop(client, `a message could not be kept: ${messageOf(error)}`);
      },
    );
  }

  async #dispatch(client: MqttClient, packet: IPublishPacket): Promise<void> {
    const inbound = parseTopic(this.#topics, packet.topic);
    if (inbound === undefined) return this.#refuse(packet, 'unknown topic');
    if (packet.retain) {
      if (inbound.kind === 'alarm')
        this.#retainedAlarm = { topic: packet.topic, atMs: this.#parts.clocks.monotonicMs() };
      return this.#refuse(
        packet,
        'retained messages never act: the sender must publish without the retain flag',
      );
    }
    const body = parseJson(packet.payload);
    if (body === undefined) {
      this.#refuse(packet, `not JSON, or over ${MAX_PAYLOAD_BYTES} bytes`);
      if (inbound.kind === 'command') void this.#command(client, inbound.tool, body, packet);
      return;
    }
    if (inbound.kind === 'alarm') {
      const message = alarmMessageSchema.safeParse(body);
      if (!message.success) return this.#refuse(packet, issuesText(message.error));
      await this.#parts.inbound.alarm(inbound.source, inbound.name, message.data);
    } else if (inbound.kind === 'say') {
      const line = saySchema.safeParse(body);
      if (!line.success) return this.#refuse(packet, issuesText(line.error));
      this.#parts.inbound.say(line.data.text, line.data.language);
    } else if (inbound.kind === 'badge') {
      const badge = badgeMessageSchema.safeParse(body);
      if (!badge.success) return this.#refuse(packet, issuesText(badge.error));
      this.#parts.inbound.badge(badge.data).catch((error: unknown) => {
        this.#parts.logger.error({ error: messageOf(error) }, 'a badge could not be taken');
      });
    } else {
      // Not awaited: a slow PLC must not hold back the alarms that queue behind this message.
      void this.#command(client, inbound.tool, body, packet);
    }
  }

  async #command(client: MqttClient, tool: string, body: unknown, packet: IPublishPacket): Promise<void> {
    const command = readCommand(body);
    if (!command.success)
      this.#parts.inbound.unreadable(tool, body === undefined ? 'NOT_JSON' : 'NOT_A_COMMAND', packet.payload);
    const responseTopic = responseTopicOf(body, packet);
    if (
      responseTopic !== undefined &&
      !isSafeResponseTopic(this.#topics, this.#options.replyPrefixes ?? [], responseTopic)
    ) {
      this.#refuse(
        packet,
        `the response topic is below neither ${this.#topics.base}/reply/ nor mqtt.reply_prefixes`,
      );
      return;
    }
    const { sessionId, ...reply } = await this.#run(tool, command, packet.properties?.userProperties);
    if (responseTopic === undefined) return;
    if (!client.connected) {
      this.#undelivered += 1;
      return;
    }
    const correlationData = packet.properties?.correlationData;
    const id = command.success ? command.data.id : undefined;
    client.publish(
      responseTopic,
      JSON.stringify({
        ...this.#parts.envelope('reply/1'),
        tool,
        ...(id === undefined ? {} : { request_id: id }),
        ...reply,
      }),
      {
        qos: 1,
        properties: {
          ...(correlationData === undefined ? {} : { correlationData }),
          ...(sessionId === undefined ? {} : { userProperties: { [SESSION_PROPERTY]: sessionId } }),
        },
      },
      (error) => {
        if (error) this.#undelivered += 1;
      },
    );
  }

  async #run(
    tool: string,
    command: ReturnType<typeof readCommand>,
    userProperties: unknown,
  ): Promise<CommandReply> {
    if (!command.success) return refusal('INPUT_INVALID', issuesText(command.error));
    const sender = readSender(userProperties, command.data.id);
    if (!sender.success)
      return refusal('INPUT_INVALID', `in the user properties: ${issuesText(sender.error)}`);
    if (this.#commands >= MAX_COMMANDS_AT_ONCE)
      return refusal('BUSY', `${MAX_COMMANDS_AT_ONCE} commands are running; try again`);
    this.#commands += 1;
    try {
      return await this.#parts.inbound.command({
        tool,
        args: command.data.arguments,
        ...sender.data,
      });
    } finally {
      this.#commands -= 1;
    }
  }

  #refuse(packet: IPublishPacket, reason: string): void {
    this.#refused += 1;
    this.#parts.logger.warn(
      { topic: packet.topic, reason, bytes: packet.payload.length },
      'an MQTT message was refused',
    );
  }
}

function refusal(code: string, message: string): CommandReply {
  return { ok: false, error: { code, message }, sessionId: undefined };
}
