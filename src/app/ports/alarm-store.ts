import type { AlarmEvent } from '../../domain/alarm/alarm-event.ts';

/** Where alarm events are kept before anybody is told that they arrived. */
export interface AlarmStore {
  /** Resolves when the event is on disk; `duplicate` when that event of that alarm was there already. */
  record(event: AlarmEvent): Promise<'new' | 'duplicate'>;
  /** Events recorded but not yet spoken, oldest first, at most `limit`. */
  unannounced(limit: number): Promise<readonly AlarmEvent[]>;
  markAnnounced(event: AlarmEvent): Promise<void>;
}
