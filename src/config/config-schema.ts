import { z } from 'zod';
import { shiftSettingsSchema } from '../domain/history/shift-settings.ts';
import { LANGUAGES } from '../domain/language/language.ts';
import { WRITE_MODES } from '../domain/plc/writing/write-order.ts';
import { ROLES } from '../domain/tool/tool-call.ts';
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

const plantMaps = z.array(z.string().min(1)).default([]).describe('device maps, relative to this file');
const plantSection = z.strictObject({
  maps: plantMaps,
  writes: z
    .enum(WRITE_MODES)
    .default('off')
    .describe('whether values may be written; commissioning does everything but send them'),
});
/** A list of files is short for a section that has nothing but them. */
const plant = z.union([plantMaps.transform((maps) => plantSection.parse({ maps })), plantSection]);

const stationRole = z.enum(ROLES).meta(service);
/** What may be done by whoever stands at a station, without a badge or a login. */
const stations = z.strictObject({
  microphone: stationRole.default('operator'),
  ask: stationRole.default('operator').describe('hermes-edge ask, on this box'),
  panel: stationRole.default('guest'),
  mqtt: stationRole
    .default('guest')
    .describe('cmd/…; whatever its role, it only proposes what has to be confirmed'),
  mcp: stationRole.default('guest').describe('as mqtt'),
});

const automaticOutput = z.strictObject({
  tool: z.string().min(1),
  args: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
});

const mail = z.strictObject({
  url: z
    .string()
    .regex(
      /^smtps?:\/\/[^/@\s]+$/u,
      'a mail server such as smtp://mail.example.com:587, without a user in it',
    )
    .refine((url) => URL.canParse(url), 'no valid address: the part behind "//" is a host, or host:port')
    .meta(service),
  from: z.email('an e-mail address').meta(service).describe('whom the mail is from'),
  user: z.string().min(1).optional().meta(service),
  password: z.string().min(1).optional().meta(service),
  ca_file: z
    .string()
    .min(1)
    .optional()
    .meta(service)
    .describe('PEM file of the authority that signed the mail server'),
  keep_hours: z
    .int()
    .min(1)
    .max(720)
    .default(24)
    .meta(service)
    .describe('how long a message waits for the mail server'),
});

const workOrders = z.strictObject({
  url: z
    .string()
    .regex(/^https?:\/\/[^@\s]+$/u, 'an address such as https://erp.example.com/work-orders')
    .refine((url) => URL.canParse(url), 'no valid address')
    .meta(service)
    .describe('where orders are posted to, and below which they are closed'),
  token: z.string().min(1).optional().meta(service).describe('sent as a bearer token'),
  keep_hours: z
    .int()
    .min(1)
    .max(2160)
    .default(168)
    .meta(service)
    .describe('how long an order waits for the work order system'),
});

const reports = z.strictObject({
  dir: z.string().min(1).optional().meta(service).describe('state_dir/reports unless given'),
  keep_days: z.int().min(1).max(3660).default(90).meta(service),
  max_size_mb: z
    .int()
    .min(1)
    .max(100_000)
    .default(500)
    .meta(service)
    .describe('of all reports: the oldest go first'),
});

const tools = z.strictObject({
  directory: z
    .string()
    .min(1)
    .optional()
    .meta(service)
    .describe("the site's own tools, a folder each: tool.yaml, handler.mjs, test-cases.json"),
  workers: z.int().min(1).max(8).default(2).meta(service).describe('calls of tools at a time'),
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

const httpTools = z.strictObject({
  allowed_hosts: z
    .array(z.string().regex(/^[^\s/@]+$/u, 'a host, or host:port'))
    .max(100)
    .default([])
    .meta(service)
    .describe('hosts that tools may ask over HTTP'),
});

const planner = z.strictObject({
  url: z
    .url({ protocol: /^https?$/u, error: 'an address up to /v1, such as http://127.0.0.1:8081/v1' })
    .meta(service)
    .describe('of a server with chat completions as OpenAI has them, up to and with /v1'),
  model: z.string().min(1).meta(service),
  token: z.string().min(1).optional().meta(service),
  timeout_ms: z
    .int()
    .min(100)
    .max(7000)
    .default(4000)
    .meta(service)
    .describe('of all tries of one command together; after it the rules alone decide'),
});

const memoryProcedures = z
  .strictObject({
    remote: z
      .string()
      .regex(
        /^(ssh:\/\/[^\s:'"]+(:\d+)?\/[^\s'"]+|[a-z_][a-z0-9_.-]*@[^\s:/'"]+:[^\s'"]+|https:\/\/[^\s@'"]+|file:\/\/\/[^\s'"]+)$/iu,
        'an address such as ssh://git@git.example.com/line-1.git, https://… without a password, or file:///…',
      )
      .optional()
      .meta(service)
      .describe('the repository that how-tos and reports are pushed to'),
    host_key: z
      .string()
      .regex(/^(ssh-ed25519|ecdsa-sha2-nistp(256|384|521)|ssh-rsa) [A-Za-z0-9+/]+=*$/u, 'ssh-ed25519 AAAA…')
      .optional()
      .meta(service)
      .describe('public key of the ssh server: no other is believed'),
    key_file: z.string().min(1).optional().meta(service).describe('private ssh key of this box'),
    token: z.string().min(1).optional().meta(service).describe('for a remote that begins with https://'),
    branch: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9_-]*$/u, 'letters, digits, "_" and "-"')
      .max(64)
      .default('main')
      .meta(service),
    author: z
      .string()
      .regex(/^[^<>\n]+ <[^<>\s]+>$/u, 'NAME <ADDRESS>')
      .optional()
      .meta(service)
      .describe('whom commits are by, as NAME <ADDRESS>; the node unless given'),
  })
  .superRefine(({ remote, host_key, key_file }, context) => {
    if (remote === undefined || /^(https|file):/iu.test(remote)) return;
    for (const [key, value] of Object.entries({ host_key, key_file }))
      if (value === undefined)
        context.addIssue({
          code: 'custom',
          path: [key],
          message: `${remote} is reached by ssh, which needs it`,
        });
  });

const memoryArchive = z.strictObject({
  keep_days: z.int().min(1).max(3660).default(400).meta(service),
  max_size_mb: z
    .int()
    .min(1)
    .max(100_000)
    .default(500)
    .meta(service)
    .describe('of all its files: the oldest days go first'),
});

const memory = z.strictObject({
  glossary: z
    .string()
    .min(1)
    .optional()
    .meta(service)
    .describe("the site's own words for what is asked after, besides those that come with the program"),
  procedures: memoryProcedures.prefault({}),
  archive: memoryArchive.prefault({}),
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
    plant: plant
      .prefault([])
      .meta(service)
      .describe('the machines: device maps, and whether values may be written to them'),
    stations: stations.prefault({}),
    automatic_outputs: z
      .array(automaticOutput)
      .max(32)
      .default([])
      .meta(service)
      .describe(
        'calls of a tool that rules, workflows and alarms may make unasked, with just these arguments',
      ),
    time_zone: z
      .string()
      .refine(isTimeZone, 'a time zone such as Europe/Berlin or Asia/Shanghai')
      .optional()
      .meta(service)
      .describe('of "yesterday" and of the shifts; the zone of the machine unless given'),
    shifts: shiftSettingsSchema
      .default([])
      .meta(service)
      .describe(
        'when the shifts begin, such as ["06:00", "14:00", "22:00"], or all about them: times, holidays',
      ),
    history: history.prefault({}),
    log: z.strictObject({ level: z.enum(LOG_LEVELS).default('info').meta(live) }).prefault({}),
    microphone: microphone.prefault({}),
    voice: voice.prefault({}),
    speech: speech.prefault({}),
    mqtt: mqtt.optional(),
    http: http.prefault({}),
    mail: mail.optional(),
    work_orders: workOrders.optional(),
    reports: reports.prefault({}),
    people: z.string().min(1).optional().meta(service).describe('CSV file of the people of the site'),
    procedures: z
      .string()
      .min(1)
      .optional()
      .meta(service)
      .describe('directory of Markdown files that say how something is done'),
    workflows: z
      .string()
      .min(1)
      .optional()
      .meta(service)
      .describe("directory of the site's own workflows, a YAML file each"),
    http_tools: httpTools.prefault({}),
    rules: z
      .string()
      .min(1)
      .optional()
      .meta(live)
      .describe('JSON file of what is done for what is said; those that come with the program unless given'),
    tools: tools.prefault({}),
    tickets: tickets.prefault({}),
    planner: planner.optional(),
    memory: memory.prefault({}),
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
