import { z } from 'zod';
import { BYTE_ORDERS, POINT_TYPES } from '../point-encoding.ts';
import { MAX_REGISTERS_PER_REQUEST } from '../register-address.ts';
import { ORDER_EXPLAINED, ORDER_SYNONYMS, TABLE_SYNONYMS, TYPE_SYNONYMS } from '../trade-words.ts';
import { TIME_FORMATS } from './log-layout.ts';

/** The `logs` of a machine in a plant file: where its PLC keeps its event log, and what a record says. */

const textSchema = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^\P{Cc}+$/u, 'control characters are not allowed');
const spokenSchema = z.strictObject({ en: textSchema, zh: textSchema });
const namesSchema = z.strictObject({
  en: z.array(textSchema).min(1).max(20),
  zh: z.array(textSchema).min(1).max(20),
});
const keySchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, 'use lower-case letters, digits, - and _, 63 at most');

/** Register offset within the record, 0 the first. */
const atSchema = z.int().min(0).max(1_999);

const byteOrderSchema = z.enum(BYTE_ORDERS).meta({ synonyms: ORDER_SYNONYMS, explained: ORDER_EXPLAINED });
const registerSchema = z.enum(['holding', 'input']).meta({ synonyms: TABLE_SYNONYMS });

const fieldKeys = {
  at: atSchema,
  type: z.enum(POINT_TYPES).meta({ synonyms: TYPE_SYNONYMS }),
  /** Registers of a `string` or `bcd`. */
  length: z.int().min(1).max(MAX_REGISTERS_PER_REQUEST).optional(),
  /** The device's unless given. */
  byte_order: byteOrderSchema.optional(),
};

const valueSchema = z.strictObject({
  ...fieldKeys,
  /** The bit of a register that a bool is. */
  bit: z.int().min(0).max(15).optional(),
  /** value = raw * scale + offset */
  scale: z.number().optional(),
  offset: z.number().optional(),
  unit: z.union([textSchema.transform((text) => ({ en: text, zh: text })), spokenSchema]).optional(),
});

const zoneSchema = z.union([
  z.enum(['utc', 'local']),
  z
    .string()
    .regex(/^[+-](?:0\d|1[0-4]):[0-5]\d$/, 'utc, local, or hours and minutes from UTC such as "+08:00"'),
]);

const timeKeys = {
  format: z.enum(TIME_FORMATS),
  byte_order: byteOrderSchema.optional(),
  /** What the PLC's clock shows; UTC for unix_s and unix_ms unless given, the zone of this machine for the others. */
  time_zone: zoneSchema.optional(),
};

const codeSchema = z.strictObject({
  en: textSchema,
  zh: textSchema,
  severity: z.enum(['critical', 'high', 'medium', 'low']).optional(),
  event: z.enum(['raised', 'cleared']).optional(),
});

const commonKeys = {
  names: namesSchema.optional(),
  /** The machine's unless given. */
  device: z.string().optional(),
  /** Where the head is; of a ring its records too. */
  register: registerSchema,
  /** Address of the head, as the device's manual writes it. */
  head: z.int().min(0),
  head_type: z.enum(['uint16', 'uint32']).meta({ synonyms: TYPE_SYNONYMS }).default('uint16'),
  head_byte_order: byteOrderSchema.optional(),
  /** `slot`: the index of a slot, wrapping at the capacity; `records`: the count of all records ever, wrapping at its type. */
  head_counts: z.enum(['slot', 'records']),
  head_points_to: z.enum(['next', 'newest']).default('next'),
  /** What the first slot is called by a `slot` head. */
  head_base: z.literal([0, 1]).default(0),
  /** Records that the ring holds. */
  capacity: z.int().min(2).max(10_000),
  record_registers: z.int().min(1).max(2_000),
  /** So many of the newest records may not be written yet when the head has moved: those are read twice. */
  settle_records: z.int().min(0).max(100).default(1),
  /** Time between the two. */
  settle_ms: z.int().min(0).max(10_000).default(50),
  on_first_start: z.enum(['all', 'new']).default('all'),
  poll_interval_ms: z.int().min(50).max(86_400_000).default(1_000),
  fields: z.strictObject({
    timestamp: z.strictObject({ at: atSchema, ...timeKeys }),
    /** Counts records; makes losses exact where the head cannot. */
    sequence: z
      .strictObject({ ...fieldKeys, type: z.enum(['uint16', 'uint32']).meta({ synonyms: TYPE_SYNONYMS }) })
      .optional(),
    code: z
      .strictObject({
        ...fieldKeys,
        type: z.enum(['int16', 'uint16', 'int32', 'uint32', 'bcd']).meta({ synonyms: TYPE_SYNONYMS }),
      })
      .optional(),
    values: z.record(keySchema, valueSchema).default({}),
  }),
  /** What each code is called. */
  codes: z.record(z.string().regex(/^-?\d{1,10}$/, 'a whole number'), codeSchema).default({}),
  /** Where the PLC shows its present time. */
  clock: z.strictObject({ register: registerSchema, address: z.int().min(0), ...timeKeys }).optional(),
  keep_days: z.int().min(1).max(3_650).default(400),
  keep_records: z.int().min(1_000).max(10_000_000).default(1_000_000),
};

export const logSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('ring'),
    ...commonKeys,
    /** Address of the first slot's first register, as the manual writes it. */
    first_record: z.int().min(0),
  }),
  z.strictObject({
    kind: z.literal('file'),
    ...commonKeys,
    /** File of the device, read with function 20. */
    file: z.int().min(1).max(65_535),
    /** Number of the first slot's first register within the file. */
    first_record_number: z.int().min(0).max(9_999).default(0),
  }),
]);
export type LogSettings = z.infer<typeof logSchema>;
