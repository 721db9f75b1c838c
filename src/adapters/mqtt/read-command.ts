import type { IPublishPacket } from 'mqtt';
import { z } from 'zod';
import { turnIdSchema } from '../../domain/session/turn-id.ts';
import { EdgeError, messageOf } from '../../runtime/edge-error.ts';

/** Of any message. */
export const MAX_PAYLOAD_BYTES = 64 * 1024;
export const SESSION_PROPERTY = 'session-id';
const TURN_PROPERTY = 'turn-id';

const commandSchema = z.object(
  {
    /** Comes back with the reply; one that has the form of a turn id is one, for senders without user properties. */
    id: z.string().max(200).optional(),
    arguments: z.record(z.string(), z.unknown()).default({}),
  },
  `one JSON object of at most ${MAX_PAYLOAD_BYTES} bytes`,
);
/** User properties of a command: whose conversation it belongs to, and which of its turns it is. In a topic they would stand in the logs of the broker. */
const senderSchema = z.object({
  station: z
    .string('given once')
    .regex(
      /^[a-z\d][a-z\d_-]{0,39}$/iu,
      'up to 40 letters, digits, "_" and "-"; it begins with a letter or a digit',
    )
    .optional(),
  [SESSION_PROPERTY]: z.uuid('the id of a session, as an answer brought it').optional(),
  [TURN_PROPERTY]: turnIdSchema.optional(),
});
/** For senders without MQTT 5, which cannot set the response topic as a property. */
const responseTopicSchema = z.object({ response_topic: z.string() });

/** The arguments of a command and the id that its sender gave it. */
export function readCommand(body: unknown): z.ZodSafeParseResult<z.infer<typeof commandSchema>> {
  return commandSchema.safeParse(body);
}

/** Whose conversation a command belongs to, by the user properties and the id in its body. */
export function readSender(userProperties: unknown, id: string | undefined) {
  return senderSchema
    .transform((sender) => ({
      station: sender.station,
      sessionId: sender[SESSION_PROPERTY],
      turnId: sender[TURN_PROPERTY] ?? turnIdSchema.safeParse(id).data,
    }))
    .safeParse(userProperties ?? {});
}

/** Where the answer is wanted: the property of MQTT 5, or what the body says; undefined where none is. */
export function responseTopicOf(body: unknown, { properties }: IPublishPacket): string | undefined {
  return properties?.responseTopic ?? responseTopicSchema.safeParse(body).data?.response_topic;
}

/** Undefined for what is no JSON, or longer than `MAX_PAYLOAD_BYTES`. Throws EdgeError MQTT_PAYLOAD. */
export function parseJson(payload: string | Buffer): unknown {
  if (payload.length > MAX_PAYLOAD_BYTES) return undefined;
  try {
    return JSON.parse(payload.toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw new EdgeError('MQTT_PAYLOAD', messageOf(error), { cause: error });
  }
}
