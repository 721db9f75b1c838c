import {
  type AlarmEvent,
  type AlarmMessage,
  type AlarmPriority,
  alarmEventKey,
} from '../domain/alarm/alarm-event.ts';
import { type Language, languageOf } from '../domain/language/language.ts';
import type { Phrasebook } from '../domain/phrases/phrasebook.ts';
import type { Clocks } from '../runtime/clocks.ts';
import { messageOf } from '../runtime/edge-error.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Health, Service } from '../runtime/service.ts';
import { type AnnouncementPriority, type Announcer, wasSpoken } from './announcer.ts';
import type { AlarmStore } from './ports/alarm-store.ts';

interface Parts {
  readonly store: AlarmStore;
  readonly announcer: Announcer;
  readonly phrases: Phrasebook;
  readonly clocks: Clocks;
  readonly logger: Logger;
  readonly language: Language;
}

/** After a restart at most this many alarms that nobody has heard yet are spoken; all of them stay recorded. */
const MAX_CATCH_UP = 8;

const SPOKEN_PRIORITY: Readonly<Record<AlarmPriority, AnnouncementPriority>> = {
  critical: 'critical',
  high: 'high',
  medium: 'normal',
  low: 'low',
};

/**
 * Alarm events. In: a checked message from outside. Out: a durable record, then a spoken line. An event is spoken once,
 * also when the daemon was killed between recording and speaking it.
 */
export class AlarmDesk implements Service {
  readonly name = 'alarms';
  readonly #parts: Parts;
  /** Events waiting for the voice. The broker delivers what it kept at once, also before the catch-up of `start`. */
  readonly #inHand = new Set<string>();
  #received = 0;
  #duplicates = 0;
  #unheard = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    const unheard = await this.#parts.store.unannounced(MAX_CATCH_UP);
    for (const event of unheard) this.#announce(event);
  }

  async stop(): Promise<void> {
    // What was not spoken by now is spoken after the next start.
  }

  health(): Health {
    const figures = { received: this.#received, duplicates: this.#duplicates, unheard: this.#unheard };
    return this.#unheard > 0
      ? { status: 'degraded', detail: `${this.#unheard} alarms could not be spoken`, figures }
      : { status: 'ok', detail: 'recording and speaking alarms', figures };
  }

  /** Resolves when the event is on disk; rejects when it could not be kept. Speaking goes on afterwards. */
  async receive(source: string, name: string, message: AlarmMessage): Promise<void> {
    const event: AlarmEvent = {
      ...message,
      source,
      name,
      received_at: this.#parts.clocks.wall().toISOString(),
    };
    const kept = await this.#parts.store.record(event);
    if (kept === 'duplicate') {
      this.#duplicates += 1;
      return;
    }
    this.#received += 1;
    this.#announce(event);
  }

  #announce(event: AlarmEvent): void {
    const { announcer, store, logger } = this.#parts;
    const key = alarmEventKey(event);
    if (this.#inHand.has(key)) return;
    this.#inHand.add(key);
    const { text, language } = this.#line(event);
    announcer
      .announce({ text, language, priority: SPOKEN_PRIORITY[event.priority] })
      .then(async (outcome) => {
        if (wasSpoken(outcome)) await store.markAnnounced(event);
        else {
          this.#unheard += 1;
          logger.error(
            { source: event.source, alarm: event.name, outcome: outcome.kind },
            'an alarm could not be spoken',
          );
        }
      })
      .catch((error: unknown) =>
        logger.error({ error: messageOf(error) }, 'an alarm was spoken but could not be marked as spoken'),
      )
      .finally(() => this.#inHand.delete(key));
  }

  /** In the site's language when the sender gave it, else in one it gave. */
  #line(event: AlarmEvent): { readonly text: string; readonly language: Language } {
    const { phrases } = this.#parts;
    const given = event.text;
    const own = typeof given === 'string' ? given : given[this.#parts.language];
    const other = typeof given === 'string' ? given : (given.en ?? given.zh);
    const text = own ?? other ?? event.name;
    const language = own !== undefined && typeof given !== 'string' ? this.#parts.language : languageOf(text);
    const key = event.state === 'raised' ? 'alarm_raised' : 'alarm_cleared';
    const values = { source: event.source, text, priority: phrases.priority(language, event.priority) };
    return { text: phrases.say(language, key, values), language };
  }
}
