import type { AlarmEvent } from '../../domain/alarm/alarm-event.ts';
import type { Capture } from '../../domain/memory/capture.ts';

/** Where alarm events are kept before anybody is told that they arrived. */
export interface AlarmStore {
  /**
   * Resolves when the event is on disk, and with it what is to be remembered of it; `duplicate` when that event of that alarm was
   * there already.
   */
  record(event: AlarmEvent, remembered?: Capture): Promise<'new' | 'duplicate'>;
  /**
   * Events recorded but not yet spoken, the most urgent first, then the oldest, at most `limit`. One that cannot be read
   * any more comes as a critical alarm that says so.
   */
  unannounced(limit: number): Promise<readonly AlarmEvent[]>;
  /** Takes an event as `record` was given it or as `unannounced` gave it. */
  markAnnounced(event: AlarmEvent): Promise<void>;
}
