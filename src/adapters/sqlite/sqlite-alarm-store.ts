import { z } from 'zod';
import type { AlarmStore } from '../../app/ports/alarm-store.ts';
import { type AlarmEvent, alarmEventKey, alarmEventSchema } from '../../domain/alarm/alarm-event.ts';
import type { Database } from './database.ts';

const bodySchema = z.object({ body: z.string() });

/** Alarm events in `state.db`. */
export class SqliteAlarmStore implements AlarmStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async record(event: AlarmEvent): Promise<'new' | 'duplicate'> {
    const added = await this.#database.write((writer) =>
      writer.run('INSERT INTO alarm_event (key, body) VALUES (?, ?) ON CONFLICT (key) DO NOTHING', [
        alarmEventKey(event),
        JSON.stringify(event),
      ]),
    );
    return added === 1 ? 'new' : 'duplicate';
  }

  async unannounced(limit: number): Promise<readonly AlarmEvent[]> {
    const rows = await this.#database.all(
      bodySchema,
      'SELECT body FROM alarm_event WHERE announced = 0 ORDER BY arrival LIMIT ?',
      [limit],
    );
    return rows.map((row) => alarmEventSchema.parse(JSON.parse(row.body)));
  }

  async markAnnounced(event: AlarmEvent): Promise<void> {
    await this.#database.write((writer) =>
      writer.run('UPDATE alarm_event SET announced = 1 WHERE key = ?', [alarmEventKey(event)]),
    );
  }
}
