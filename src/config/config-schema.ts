import { z } from 'zod';
import { LANGUAGES } from '../domain/language/language.ts';
import { LOG_LEVELS } from '../runtime/logger.ts';

/** What has to happen before a changed key counts: nothing, the restart of one service, or of the process. */
export type Reload = 'live' | 'service' | 'process';

const live = { reload: 'live' satisfies Reload };
const service = { reload: 'service' satisfies Reload };
const whole = { reload: 'process' satisfies Reload };

const topicLevel = z
  .string()
  .regex(/^[^/+#\s]+$/u, 'one MQTT topic level: no "/", "+", "#" or spaces')
  .max(64);
const port = z.int().min(0).max(65_535);

const microphone = z.strictObject({
  enabled: z.boolean().default(true).meta(service),
  device: z
    .string()
    .min(1)
    .default('default')
    .meta(service)
    .describe('ALSA name; by card name, such as plughw:CARD=Device, since card numbers move at reboot'),
});

const voice = z.strictObject({
  model: z
    .string()
    .min(1)
    .optional()
    .meta(service)
    .describe(
      'directory of a Vosk model; without it the tiny model of the language that comes with the program',
    ),
  libvosk: z
    .string()
    .min(1)
    .default('auto')
    .meta(service)
    .describe('path of libvosk.so; auto takes the one that comes with the program (x86-64 only)'),
  memory_limit_mb: z
    .int()
    .min(64)
    .max(8192)
    .default(600)
    .meta(service)
    .describe('the recogniser is restarted above this resident size'),
});

const speech = z.strictObject({
  enabled: z.boolean().default(true).meta(service),
  engines: z
    .array(z.enum(['espeak-ng', 'say']))
    .min(1)
    .default(['espeak-ng'])
    .meta(service)
    .describe('tried in this order; say drives festival and speaks English only'),
  device: z.string().min(1).default('default').meta(service).describe('ALSA name of the speaker'),
  words_per_minute: z.int().min(80).max(400).default(165).meta(service),
});

const mqtt = z.strictObject({
  url: z
    .string()
    .regex(/^(mqtts?|wss?):\/\/\S+$/u, 'a broker address such as mqtt://10.0.0.5:1883')
    .refine((url) => URL.canParse(url), 'no valid address: the part behind "//" is a host, or host:port')
    .meta(service),
  username: z.string().min(1).optional().meta(service),
  password: z.string().min(1).optional().meta(service),
  ca_file: z
    .string()
    .min(1)
    .optional()
    .meta(service)
    .describe('PEM file of the authority that signed the broker'),
  reply_prefixes: z
    .array(z.string().regex(/^[^+#]+\/$/u, 'a topic up to and with its last slash, without "+" and "#"'))
    .default([])
    .meta(service)
    .describe("topics below which replies may be published, beside the node's own reply/"),
});

const http = z.strictObject({
  host: z.string().min(1).default('127.0.0.1').meta(service),
  port: port.default(8480).meta(service).describe('0 takes any free port'),
  token: z
    .string()
    .min(16, 'at least 16 characters')
    .optional()
    .meta(service)
    .describe('bearer token; required as soon as host is not a loopback address'),
});

const history = z.strictObject({
  enabled: z.boolean().default(true).meta(service),
  raw_days: z.int().min(1).max(366).default(7).meta(service).describe('how long every value is kept'),
  minute_days: z
    .int()
    .min(1)
    .max(3660)
    .default(35)
    .meta(service)
    .describe('how long sums by the minute are kept; after that they are by the quarter of an hour'),
  aggregate_days: z
    .int()
    .min(1)
    .max(3660)
    .default(400)
    .meta(service)
    .describe('how long sums by the hour and the quarter are kept'),
  max_size_mb: z
    .int()
    .min(10)
    .max(1_000_000)
    .default(4000)
    .meta(service)
    .describe('of history.db: the oldest values go first'),
});

const tools = z.strictObject({
  directory: z
    .string()
    .min(1)
    .optional()
    .meta(whole)
    .describe("the site's own tool packs, a folder each, relative to this file"),
  workers: z.int().min(1).max(5).default(2).meta(whole).describe('tools that run at a time'),
});

const tickets = z.strictObject({
  ttl_s: z
    .int()
    .min(1, 'from 1 on: a ticket that lives for no time is never seen')
    .max(31_536_000)
    .default(3600)
    .meta(service)
    .describe('a ticket that nobody has ended expires after so long, unless it is about safety'),
  auto_resolve_after_s: z
    .int()
    .min(1)
    .max(31_536_000)
    .optional()
    .meta(service)
    .describe('a ticket counts as settled after so long, unless it is about safety'),
  webhook_url: z
    .url({ protocol: /^https?$/u, error: 'an address such as https://desk.example.com/tickets' })
    .optional()
    .meta(service)
    .describe('tickets are posted there as JSON'),
  webhook_token: z.string().min(1).optional().meta(service).describe('sent there as bearer token'),
});

const LOOPBACK_HOSTS = ['127.0.0.1', '::1', 'localhost'];

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** The whole configuration of one node: types, defaults, documentation and what a change needs. */
export const configSchema = z
  .strictObject({
    site: topicLevel.default('site').meta(whole).describe('first name in every MQTT topic'),
    node: topicLevel.default('edge-1').meta(whole).describe('this box'),
    language: z
      .enum(LANGUAGES)
      .default('en')
      .meta(service)
      .describe('of the recogniser and of what it says first'),
    state_dir: z.string().min(1).default('/var/lib/hermes-edge').meta(whole),
    plant: z
      .array(z.string().min(1))
      .default([])
      .meta(service)
      .describe('device maps, relative to this file'),
    time_zone: z
      .string()
      .refine(isTimeZone, 'a time zone such as Europe/Berlin or Asia/Shanghai')
      .optional()
      .meta(service)
      .describe('of "yesterday" and of the shifts; the zone of the machine unless given'),
    shifts: z
      .array(z.string().regex(/^([01]?\d|2[0-3]):[0-5]\d$/u, 'a time of day such as "06:00", in quotes'))
      .max(24)
      .default([])
      .meta(service)
      .describe('when the shifts begin, such as ["06:00", "14:00", "22:00"]'),
    history: history.prefault({}),
    log: z.strictObject({ level: z.enum(LOG_LEVELS).default('info').meta(live) }).prefault({}),
    microphone: microphone.prefault({}),
    voice: voice.prefault({}),
    speech: speech.prefault({}),
    mqtt: mqtt.optional(),
    http: http.prefault({}),
    tools: tools.prefault({}),
    tickets: tickets.prefault({}),
  })
  .superRefine((config, context) => {
    if (!LOOPBACK_HOSTS.includes(config.http.host) && config.http.token === undefined) {
      context.addIssue({
        code: 'custom',
        path: ['http', 'host'],
        message: `${config.http.host} is reachable from the network, so http.token is required`,
      });
    }
  });

export type Config = z.infer<typeof configSchema>;
