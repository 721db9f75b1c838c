import { z } from 'zod';
import { logSchema } from './log/log-settings.ts';
import { MAX_BITS_PER_REQUEST } from './modbus-request.ts';
import { BYTE_ORDERS, POINT_TYPES } from './point-encoding.ts';
import { ADDRESS_BASES, MAX_REGISTERS_PER_REQUEST, REGISTER_TABLES } from './register-address.ts';
import { simulatedSchema } from './simulation/simulated-behaviour.ts';
import {
  ACCESS_SYNONYMS,
  ORDER_EXPLAINED,
  ORDER_SYNONYMS,
  TABLE_SYNONYMS,
  TRANSPORT_EXPLAINED,
  TRANSPORT_SYNONYMS,
  TYPE_SYNONYMS,
} from './trade-words.ts';

/** The shape of a plant file, key by key; what must hold between the keys is in `device-map-checks`. */

const idSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, 'use lower-case letters, digits, - and _, 63 at most');

/** Names that every JavaScript object has already: what is filed under one cannot be told from what was never there. */
const RESERVED = ['__proto__', 'constructor'];

function reserved(word: string): string {
  return `"${word}" is a word of the program's own: use another, such as ${word.replaceAll('_', '')}-1`;
}

/** Things by their ids. `z.record` passes over the key `__proto__` without a word. */
function byId<S extends z.ZodType>(schema: S) {
  return z.preprocess(
    (given, context) => {
      if (typeof given === 'object' && given !== null)
        for (const word of RESERVED.filter((each) => Object.hasOwn(given, each)))
          context.addIssue({ code: 'custom', message: reserved(word), path: [word] });
      return given;
    },
    z.record(idSchema, schema),
  );
}

const textSchema = z
  .string()
  .trim()
  .min(1)
  .max(80)
  .regex(/^\P{Cc}+$/u, 'control characters are not allowed');

const spokenSchema = z.strictObject({ en: textSchema, zh: textSchema });

/** Spoken names per language; the first of each is the one that is said, the others are understood too. */
const namesSchema = z.strictObject({
  en: z.array(textSchema).min(1).max(20),
  zh: z.array(textSchema).min(1).max(20),
});

/** One text for all languages, or one for each. */
const unitSchema = z.union([textSchema.transform((text) => ({ en: text, zh: text })), spokenSchema]);

function isIpv4(text: string): boolean {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => /^\d{1,3}$/u.test(part) && Number(part) <= 255);
}

const hostSchema = z
  .string()
  .regex(
    /^[A-Za-z0-9._-]+$|^[0-9A-Fa-f]*:[0-9A-Fa-f]*:[0-9A-Fa-f:.]*$/,
    'a host name or an address alone; the port has a key of its own',
  )
  .refine(
    (host) => !/^[\d.]+$/u.test(host) || isIpv4(host),
    'an IPv4 address has four numbers from 0 to 255, such as 192.168.0.10',
  );
const portSchema = z.int().min(1).max(65_535).default(502);

const busKeys = {
  /** Limit of one request and of one attempt to connect. */
  timeout_ms: z.int().min(50).max(30_000).default(1_000),
  /** Some gateways swallow a request that follows the connection at once. */
  pause_after_connect_ms: z.int().min(0).max(10_000).default(0),
  /** Some devices miss a request that follows their answer at once. */
  pause_between_requests_ms: z.int().min(0).max(10_000).default(0),
  /** Leave the connection to other programs between two polls; for devices that serve one at a time. */
  close_after_cycle: z.boolean().default(false),
  /** How often a request is repeated that the device was too busy for (exception 6). */
  busy_retries: z.int().min(0).max(20).default(3),
};

const registerSchema = z.enum(REGISTER_TABLES).meta({ synonyms: TABLE_SYNONYMS });
const byteOrderSchema = z.enum(BYTE_ORDERS).meta({ synonyms: ORDER_SYNONYMS, explained: ORDER_EXPLAINED });

const connectionSchema = z
  .discriminatedUnion('transport', [
    z.strictObject({ transport: z.literal('tcp'), host: hostSchema, port: portSchema, ...busKeys }),
    /** The frames of a serial line through a gateway that only hands bytes on. */
    z.strictObject({ transport: z.literal('rtu_over_tcp'), host: hostSchema, port: portSchema, ...busKeys }),
    z.strictObject({
      transport: z.literal('rtu'),
      /** By its lasting name, /dev/serial/by-id/…: /dev/ttyUSB0 may be another adapter after a reboot. */
      serial_path: z.string().regex(/^\/\P{Cc}+$/u, 'the path of a serial port, such as /dev/serial/by-id/…'),
      baud_rate: z.int().min(300).max(4_000_000).default(19_200),
      parity: z.enum(['none', 'even', 'odd']).default('even'),
      /** 1 unless given, and 2 without parity (Modbus over Serial Line V1.02, section 2.5.1). */
      stop_bits: z.literal([1, 2]).optional(),
      ...busKeys,
    }),
  ])
  .meta({ synonyms: TRANSPORT_SYNONYMS, explained: TRANSPORT_EXPLAINED });

/** Addresses that are never read, not even to fill a gap, as the manual counts. */
const forbiddenRangeSchema = z.strictObject({
  register: registerSchema,
  first: z.int().min(0),
  last: z.int().min(0),
});

const intervalSchema = z.int().min(50).max(86_400_000);

const deviceSchema = z.strictObject({
  connection: z.string(),
  unit_id: z.int().min(0).max(255),
  /** 0 or 1: how the manual's addresses count; `modicon`: 40001 is the first holding register. */
  address_base: z.literal([...ADDRESS_BASES]),
  /** How 0x0A0B0C0D arrives: ABCD most significant first, CDAB with its registers swapped, BADC with its bytes. */
  byte_order: byteOrderSchema.default('ABCD'),
  max_registers_per_request: z.int().min(1).max(MAX_REGISTERS_PER_REQUEST).default(MAX_REGISTERS_PER_REQUEST),
  max_bits_per_request: z.int().min(1).max(MAX_BITS_PER_REQUEST).default(MAX_BITS_PER_REQUEST),
  /** Registers or bits of no use that may be read to join two points in one request. */
  max_gap: z.int().min(0).max(MAX_BITS_PER_REQUEST).default(0),
  forbidden_ranges: z.array(forbiddenRangeSchema).max(200).default([]),
  one_request_per_point: z.boolean().default(false),
  poll_interval_ms: intervalSchema.default(1_000),
  /** Age at which a value counts no longer; three poll intervals unless given. */
  stale_after_ms: intervalSchema.optional(),
  /** Write single registers and coils with the functions for many (15, 16), for devices that lack 5 and 6. */
  always_write_many: z.boolean().default(false),
  /** Obeys and never answers: unit 0 of a serial line does so unless this says otherwise. */
  broadcast: z.boolean().optional(),
});

const pointSchema = z.strictObject({
  names: namesSchema,
  /** The machine's unless given. */
  device: z.string().optional(),
  register: registerSchema,
  /** As the device's manual writes it; the device's `address_base` says how that counts. */
  address: z.int().min(0),
  /** The bit of a register that a bool is, 0 the least significant. */
  bit: z.int().min(0).max(15).optional(),
  type: z.enum(POINT_TYPES).meta({ synonyms: TYPE_SYNONYMS }),
  /** Registers of a `string` (two bytes each) or `bcd` (four digits each, 1 unless given, 3 at most). */
  length: z.int().min(1).max(MAX_REGISTERS_PER_REQUEST).optional(),
  /** The device's unless given. */
  byte_order: byteOrderSchema.optional(),
  /** value = raw * scale + offset */
  scale: z.number().optional(),
  offset: z.number().optional(),
  unit: unitSchema.optional(),
  /** Digits after the point when the value is said or shown. */
  decimals: z.int().min(0).max(6).optional(),
  /** Raw values (before scale) that mean "no value"; a signed one may be written as its pattern (0x8000). */
  unavailable_values: z.array(z.number()).max(20).optional(),
  access: z.enum(['read', 'write', 'read_write']).default('read').meta({ synonyms: ACCESS_SYNONYMS }),
  /** The least and the most that may be written, in the point's unit. */
  write_min: z.number().optional(),
  write_max: z.number().optional(),
  /** Conditions over points that must all hold for a write, such as `mode == "stopped"`. */
  write_when: z.array(z.string().trim().min(1).max(300)).max(20).optional(),
  /** How a write to it has to be confirmed: by the execute phrase, or by that and a changing check word. */
  write_risk: z.enum(['physical', 'dangerous']).optional(),
  /** Whether it is said when the status of the machine is asked for; what can be written is a setting and is not. */
  in_status: z.boolean().optional(),
  /** What history keeps: changes beyond the deadband, one value each `report_period_ms`, or both. */
  report: z.enum(['on_change', 'on_period', 'both']).default('on_change'),
  report_period_ms: intervalSchema.default(60_000),
  /** A change up to this, in the point's unit, is none. */
  deadband: z.number().min(0).optional(),
  /** What each raw value is called, such as 1: running; for a bool 0 and 1. */
  enum: z.record(z.string().regex(/^-?\d{1,15}$/, 'a whole number'), spokenSchema).optional(),
  /** How the point behaves on the simulated line; a real line ignores it. */
  simulated: simulatedSchema.optional(),
});

/** What a machine can be told in one word, such as "start pump three". */
export const COMMANDS = ['start', 'stop', 'reset', 'open', 'close', 'pause', 'resume', 'activate'] as const;

/** What a command writes: a value of a point of the same machine, or a text of its enum. */
const commandSchema = z.strictObject({
  point: z.string(),
  value: z.union([z.number(), z.boolean(), z.string()]),
});

/** A production line: what people have a name for as a whole. */
const lineSchema = z.strictObject({ names: namesSchema });

const machineSchema = z.strictObject({
  names: namesSchema,
  /** The production line it stands in, one of `lines`. */
  line: z.string().optional(),
  /** Where its points are, unless a point says otherwise. */
  device: z.string(),
  points: byId(pointSchema),
  /** What "start", "stop" and the like write; a machine without them cannot be told so. */
  commands: z.partialRecord(z.enum(COMMANDS), commandSchema).optional(),
  /** The event logs of its PLC. */
  logs: byId(logSchema).optional(),
});

export const deviceMapShape = z.strictObject({
  connections: byId(connectionSchema),
  devices: byId(deviceSchema),
  machines: byId(machineSchema),
  lines: byId(lineSchema).optional(),
});

export type DeviceMap = z.infer<typeof deviceMapShape>;
export type ConnectionSettings = z.infer<typeof connectionSchema>;
export type DeviceSettings = z.infer<typeof deviceSchema>;
export type LineSettings = z.infer<typeof lineSchema>;
export type MachineSettings = z.infer<typeof machineSchema>;
export type PointSettings = z.infer<typeof pointSchema>;
