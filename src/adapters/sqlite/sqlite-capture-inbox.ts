import { z } from 'zod';
import type { CaptureInbox, WaitingCapture } from '../../app/ports/capture-inbox.ts';
import { type Capture, captureSchema } from '../../domain/memory/capture.ts';
import type { Clocks } from '../../runtime/clocks.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Database, Writer } from './database.ts';
import { readRow } from './session-rows.ts';

const rowSchema = z.object({ arrival: z.int(), body: z.string() });

interface Parts {
  readonly database: Database;
  readonly clocks: Clocks;
  readonly logger: Logger;
}

/** Puts a happening into the inbox within somebody's transaction. */
export async function writeCapture(writer: Writer, capture: Capture, at: string): Promise<void> {
  await writer.run('INSERT INTO memory_draft (session_id, drafted_at, body) VALUES (?, ?, ?)', [
    capture.origin.sessionId ?? capture.origin.kind,
    at,
    JSON.stringify(capture),
  ]);
}

/** The inbox in `state.db`; commits of sessions write into it as well. */
export class SqliteCaptureInbox implements CaptureInbox {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async waiting(limit: number): Promise<readonly WaitingCapture[]> {
    const { database, logger } = this.#parts;
    const rows = await database.all(
      rowSchema,
      'SELECT arrival, body FROM memory_draft ORDER BY arrival LIMIT ?',
      [limit],
    );
    const unreadable: number[] = [];
    const waiting = rows.flatMap(({ arrival, body }): WaitingCapture[] => {
      const read = readRow(captureSchema, body);
      if (read.ok) return [{ arrival, capture: read.value }];
      logger.error(
        { arrival, fault: read.fault },
        'something to be remembered cannot be read and is dropped',
      );
      unreadable.push(arrival);
      return [];
    });
    // Left where they are they would fill the batch for good.
    if (unreadable.length > 0) await this.done(unreadable);
    return waiting;
  }

  async add(capture: Capture): Promise<void> {
    const { database, clocks } = this.#parts;
    await database.write((writer) => writeCapture(writer, capture, clocks.wall().toISOString()), 'audit');
  }

  async done(arrivals: readonly number[]): Promise<void> {
    await this.#parts.database.write(
      (writer) =>
        writer.run('DELETE FROM memory_draft WHERE arrival IN (SELECT value FROM json_each(?))', [
          JSON.stringify(arrivals),
        ]),
      'audit',
    );
  }

  async count(): Promise<number> {
    const [row] = await this.#parts.database.all(
      z.object({ count: z.int() }),
      'SELECT count(*) AS count FROM memory_draft',
    );
    return row?.count ?? 0;
  }
}
