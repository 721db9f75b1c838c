import { z } from 'zod';
import { type JsonObject, jsonObjectSchema } from '../../domain/json.ts';
import { inputDigest } from '../../domain/tool/redact.ts';
import type { ToolReply } from '../ports/inbound.ts';
import type { ConversationLog } from './conversation-log.ts';
import type { EngineParts } from './engine-parts.ts';
import type { SessionHouse } from './session-house.ts';

/** A command that carries an id of its sender's. */
interface Identified {
  readonly station: string;
  readonly turnId: string;
  readonly tool: string;
  readonly args: JsonObject;
}

export interface Answered {
  readonly reply: ToolReply;
  /** Whether it holds for the same command sent again; what was not even begun may be tried again. */
  readonly holds: boolean;
}

interface Parts extends Pick<EngineParts, 'store' | 'logger'> {
  readonly house: SessionHouse;
  readonly log: ConversationLog;
}

const answeredSchema = z.strictObject({
  tool: z.string(),
  input_digest: z.string(),
  reply: z.discriminatedUnion('ok', [
    z.strictObject({ ok: z.literal(true), result: jsonObjectSchema }),
    z.strictObject({
      ok: z.literal(false),
      error: z.strictObject({ code: z.string(), message: z.string() }),
    }),
  ]),
});
type Kept = z.infer<typeof answeredSchema>;

/**
 * Tools that are called by name under an id of the sender's. In: a command and how to answer it. Out: the reply of the first
 * time, also after a restart; nothing is done twice.
 */
export class RepeatedCommands {
  readonly #parts: Parts;
  readonly #answering = new Map<string, Promise<Kept>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** `answer` is called at most once for all of the same id that come at the same time. Rejects as it does. */
  async once(command: Identified, answer: () => Promise<Answered>): Promise<ToolReply> {
    const key = `${command.station} ${command.turnId}`;
    const asked = { tool: command.tool, input_digest: inputDigest(command.args, []) };
    const answering = this.#answering.get(key) ?? this.#first(key, asked, command.station, answer);
    this.#answering.set(key, answering);
    return replyOf(await answering, asked);
  }

  async #first(
    key: string,
    asked: Omit<Kept, 'reply'>,
    station: string,
    answer: () => Promise<Answered>,
  ): Promise<Kept> {
    let written: Promise<void> = Promise.resolve();
    try {
      const before = await this.#answered(key);
      if (before !== undefined) return before;
      const { reply, holds } = await answer();
      const given = answeredSchema.parse(JSON.parse(JSON.stringify({ ...asked, reply })));
      if (holds) {
        const session = this.#parts.house.of(station);
        this.#parts.log.keep(session, { turn: { turnId: key, report: jsonObjectSchema.parse(given) } });
        written = session.kept;
      }
      return given;
    } finally {
      // Until it is on disk it is answered from here: the reply itself does not wait for the disk.
      void written.then(() => this.#answering.delete(key));
    }
  }

  async #answered(key: string): Promise<Kept | undefined> {
    try {
      return answeredSchema.safeParse(await this.#parts.store.answeredTurn(key)).data;
    } catch (error) {
      this.#parts.logger.error(
        { turn: key, error: String(error) },
        'it cannot be told whether a command was answered before',
      );
      return undefined;
    }
  }
}

function replyOf({ tool, input_digest, reply }: Kept, asked: Omit<Kept, 'reply'>): ToolReply {
  if (tool === asked.tool && input_digest === asked.input_digest) return reply;
  return {
    ok: false,
    error: {
      code: 'INPUT_INVALID',
      message: 'this turn id was given to another command: each needs one of its own',
    },
  };
}
