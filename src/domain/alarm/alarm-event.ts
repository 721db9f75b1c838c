import { z } from 'zod';
import { LANGUAGES } from '../language/language.ts';

export const ALARM_PRIORITIES = ['critical', 'high', 'medium', 'low'] as const;
export type AlarmPriority = (typeof ALARM_PRIORITIES)[number];

/** Longest source and name of an alarm, in characters. */
export const MAX_TOPIC_LEVEL = 200;

/** Longest alarm text that is kept, in characters; a longer one is cut, since an alarm is never refused for its length. */
const MAX_TEXT = 500;

const text = z
  .string()
  .trim()
  .min(1)
  .transform((given) => {
    const characters = [...given];
    return characters.length <= MAX_TEXT ? given : `${characters.slice(0, MAX_TEXT - 1).join('')}…`;
  });

/** The body of `alarm/{source}/{name}/event`. Unknown keys are left alone: a sender may be newer than this box. */
export const alarmMessageSchema = z.object({
  id: z.string().min(1).max(200),
  ts: z.iso.datetime({ offset: true }).optional(),
  boot_id: z.string().max(200).optional(),
  seq: z.int().min(0).optional(),
  state: z.enum(['raised', 'cleared']),
  priority: z.enum(ALARM_PRIORITIES),
  text: z.union([text, z.partialRecord(z.enum(LANGUAGES), text)]),
});
export type AlarmMessage = z.infer<typeof alarmMessageSchema>;

export const alarmEventSchema = alarmMessageSchema.extend({
  source: z.string().min(1).max(MAX_TOPIC_LEVEL),
  name: z.string().min(1).max(MAX_TOPIC_LEVEL),
  /** When this box received it, ISO 8601. */
  received_at: z.string(),
});
export type AlarmEvent = z.infer<typeof alarmEventSchema>;

/**
 * Equal for two deliveries of one event. Ids are the sender's own: unique only within one alarm of one source, and begun
 * anew by senders that count from 1, so everything that the sender said of the event is part of it.
 */
export function alarmEventKey({ source, name, id, state, boot_id, seq, ts, text }: AlarmEvent): string {
  return JSON.stringify([source, name, id, state, boot_id ?? null, seq ?? null, ts ?? null, text]);
}

/** One alarm of one source, whatever happens to it. */
export function alarmKey({ source, name }: AlarmEvent): string {
  return JSON.stringify([source, name]);
}
