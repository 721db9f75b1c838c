import { z } from 'zod';
import type { AlarmStore } from '../../app/ports/alarm-store.ts';
import {
  ALARM_PRIORITIES,
  type AlarmEvent,
  alarmEventKey,
  alarmEventSchema,
} from '../../domain/alarm/alarm-event.ts';
import type { Capture } from '../../domain/memory/capture.ts';
import type { Database } from './database.ts';
import { writeCapture } from './sqlite-capture-inbox.ts';

const rowSchema = z.object({ arrival: z.int(), key: z.string(), body: z.string() });
type Row = z.infer<typeof rowSchema>;

const keySchema = z.tuple([z.string(), z.string(), z.string()]);
const receivedSchema = z.object({ received_at: z.string() });

/**
 * A broker delivers again within minutes. The same words after longer than this are news from a sender that numbers its
 * events from 1 again.
 */
const DELIVERED_AGAIN_WITHIN_MS = 3_600_000;

/** Alarm events in `state.db`. */
export class SqliteAlarmStore implements AlarmStore {
  readonly #database: Database;
  /** Rows whose key is not that of the event they were handed out as: the arrival by the event's key. */
  readonly #misfits = new Map<string, number>();

  constructor(database: Database) {
    this.#database = database;
  }

  async record(event: AlarmEvent, remembered?: Capture): Promise<'new' | 'duplicate'> {
    const added = await this.#database.write(async (writer) => {
      const changed = await writer.run(
        `INSERT INTO alarm_event (key, body, priority_rank) VALUES (?, ?, ?)
         ON CONFLICT (key) DO UPDATE SET body = excluded.body, announced = 0
         WHERE announced = 1 AND json_extract(body, '$.received_at') < ?`,
        [
          alarmEventKey(event),
          JSON.stringify(event),
          ALARM_PRIORITIES.indexOf(event.priority),
          new Date(Date.parse(event.received_at) - DELIVERED_AGAIN_WITHIN_MS).toISOString(),
        ],
      );
      if (changed === 1 && remembered !== undefined)
        await writeCapture(writer, remembered, event.received_at);
      return changed;
    });
    return added === 1 ? 'new' : 'duplicate';
  }

  async unannounced(limit: number): Promise<readonly AlarmEvent[]> {
    const rows = await this.#database.all(
      rowSchema,
      'SELECT arrival, key, body FROM alarm_event WHERE announced = 0 ORDER BY priority_rank, arrival LIMIT ?',
      [limit],
    );
    return rows.map((row) => {
      const event = eventOf(row);
      const key = alarmEventKey(event);
      if (key !== row.key) this.#misfits.set(key, row.arrival);
      return event;
    });
  }

  async markAnnounced(event: AlarmEvent): Promise<void> {
    const key = alarmEventKey(event);
    const arrival = this.#misfits.get(key);
    await this.#database.write((writer) =>
      arrival === undefined
        ? writer.run('UPDATE alarm_event SET announced = 1 WHERE key = ?', [key])
        : writer.run('UPDATE alarm_event SET announced = 1 WHERE arrival = ?', [arrival]),
    );
    this.#misfits.delete(key);
  }
}

function eventOf(row: Row): AlarmEvent {
  const body = jsonOf(row.body);
  const event = alarmEventSchema.safeParse(body);
  if (event.success) return event.data;
  const unreadable = {
    state: 'raised',
    priority: 'critical',
    text: { en: 'an alarm that cannot be read', zh: '一条无法读取的报警' },
    received_at: receivedSchema.safeParse(body).data?.received_at ?? new Date(0).toISOString(),
  } as const;
  const key = keySchema.safeParse(jsonOf(row.key));
  if (key.success) {
    const [source, name, id] = key.data;
    const named = alarmEventSchema.safeParse({ ...unreadable, source, name, id });
    if (named.success) return named.data;
  }
  return { ...unreadable, source: 'state.db', name: 'unreadable', id: `row ${row.arrival}` };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
