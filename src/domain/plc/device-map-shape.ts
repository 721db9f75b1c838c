import { z } from 'zod';
import { BYTE_ORDERS, POINT_TYPES } from './point-encoding.ts';
import { ADDRESS_BASES, MAX_REGISTERS_PER_REQUEST, REGISTER_TABLES } from './register-address.ts';
import { simulatedSchema } from './simulation.ts';

/** The shape of a plant file, key by key; what must hold between the keys is in `device-map-checks`. */

const idSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, 'use lower-case letters, digits, - and _, 63 at most');

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

const connectionSchema = z.strictObject({
  transport: z.literal('tcp'),
  host: z
    .string()
    .regex(
      /^[A-Za-z0-9._-]+$|^[0-9A-Fa-f]*:[0-9A-Fa-f]*:[0-9A-Fa-f:.]*$/,
      'a host name or an address alone; the port has a key of its own',
    ),
  port: z.int().min(1).max(65_535).default(502),
  /** Limit of one request and of one attempt to connect. */
  timeout_ms: z.int().min(50).max(30_000).default(1_000),
  /** Some gateways swallow a request that follows the connection at once. */
  pause_after_connect_ms: z.int().min(0).max(10_000).default(0),
});

const pointSchema = z.strictObject({
  names: namesSchema,
  register: z.enum(REGISTER_TABLES),
  /** As the device's manual writes it; the machine's `address_base` says how that counts. */
  address: z.int().min(0),
  /** The bit of a register that a bool is, 0 the least significant. */
  bit: z.int().min(0).max(15).optional(),
  type: z.enum(POINT_TYPES),
  /** Registers of a `string` (two bytes each) or `bcd` (four digits each, 1 unless given, 3 at most). */
  length: z.int().min(1).max(MAX_REGISTERS_PER_REQUEST).optional(),
  /** The machine's unless given. */
  byte_order: z.enum(BYTE_ORDERS).optional(),
  /** value = raw * scale + offset */
  scale: z.number().optional(),
  offset: z.number().optional(),
  unit: unitSchema.optional(),
  /** Digits after the point when the value is said or shown. */
  decimals: z.int().min(0).max(6).optional(),
  /** Raw values (before scale) that mean "no value"; a signed one may be written as its pattern (0x8000). */
  unavailable_values: z.array(z.number()).max(20).optional(),
  /** Only reading is supported. */
  access: z.literal('read').default('read'),
  /** What each raw value is called, such as 1: running; for a bool 0 and 1. */
  enum: z.record(z.string().regex(/^-?\d{1,15}$/, 'a whole number'), spokenSchema).optional(),
  /** How the point behaves on the simulated line; a real line ignores it. */
  simulated: simulatedSchema.optional(),
});

const machineSchema = z.strictObject({
  names: namesSchema,
  connection: z.string(),
  unit_id: z.int().min(0).max(255),
  /** 0 or 1: how the manual's addresses count; `modicon`: 40001 is the first holding register. */
  address_base: z.literal([...ADDRESS_BASES]),
  byte_order: z.enum(BYTE_ORDERS).default('ABCD'),
  max_registers_per_request: z.int().min(1).max(MAX_REGISTERS_PER_REQUEST).default(MAX_REGISTERS_PER_REQUEST),
  points: z.record(idSchema, pointSchema),
});

export const deviceMapShape = z.strictObject({
  connections: z.record(idSchema, connectionSchema),
  machines: z.record(idSchema, machineSchema),
});

export type DeviceMap = z.infer<typeof deviceMapShape>;
export type ConnectionSettings = z.infer<typeof connectionSchema>;
export type MachineSettings = z.infer<typeof machineSchema>;
export type PointSettings = z.infer<typeof pointSchema>;
