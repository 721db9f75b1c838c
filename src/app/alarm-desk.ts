import {
  type AlarmEvent,
  type AlarmMessage,
  type AlarmPriority,
  alarmEventKey,
} from '../domain/alarm/alarm-event.ts';
import { type Language, languageOf } from '../domain/language/language.ts';
import type { Phrasebook } from '../domain/phrases/phrasebook.ts';
import type { Cancel, Clocks, Scheduler } from '../runtime/clocks.ts';
import { messageOf } from '../runtime/edge-error.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Health, Service } from '../runtime/service.ts';
import { type AnnouncementPriority, type Announcer, type SpokenOutcome, wasSpoken } from './announcer.ts';
import type { AlarmStore } from './ports/alarm-store.ts';

interface Parts {
  readonly store: AlarmStore;
  readonly announcer: Pick<Announcer, 'announce'>;
  readonly phrases: Phrasebook;
  readonly clocks: Clocks;
  readonly scheduler: Scheduler;
  readonly logger: Logger;
  readonly language: Language;
}

/** So many alarms are with the announcer at most; the others wait on disk, where nothing drops them. */
const MAX_IN_FLIGHT = 8;
/** After a line that could not be spoken, the next attempt waits this long. */
const RETRY_AFTER_MS = 15_000;

const SPOKEN_PRIORITY: Readonly<Record<AlarmPriority, AnnouncementPriority>> = {
  critical: 'critical',
  high: 'high',
  medium: 'normal',
  low: 'low',
};

/**
 * Alarm events. In: a checked message from outside. Out: a durable record, then a spoken line. What nobody has heard yet
 * stays on disk and is spoken as soon as that is possible, also after a restart; what was begun counts as heard.
 */
export class AlarmDesk implements Service {
  readonly name = 'alarms';
  readonly #parts: Parts;
  readonly #inFlight = new Set<string>();
  #cancelRetry: Cancel | undefined;
  #stopped = false;
  #received = 0;
  #duplicates = 0;
  #trouble: string | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    this.#stopped = false;
    await this.#speakWaiting();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelRetry?.();
  }

  health(): Health {
    const figures = {
      received: this.#received,
      duplicates: this.#duplicates,
      in_flight: this.#inFlight.size,
    };
    return this.#trouble === undefined
      ? { status: 'ok', detail: 'recording and speaking alarms', figures }
      : { status: 'degraded', detail: `alarms are recorded but not heard: ${this.#trouble}`, figures };
  }

  /** Resolves when the event is on disk; rejects when it could not be kept. Speaking goes on afterwards. */
  async receive(source: string, name: string, message: AlarmMessage): Promise<void> {
    const event: AlarmEvent = {
      ...message,
      source,
      name,
      received_at: this.#parts.clocks.wall().toISOString(),
    };
    if ((await this.#parts.store.record(event)) === 'duplicate') {
      this.#duplicates += 1;
      return;
    }
    this.#received += 1;
    // A critical one goes past the others; the announcer puts it first.
    if (this.#inFlight.size < MAX_IN_FLIGHT || event.priority === 'critical') this.#announce(event);
  }

  async #speakWaiting(): Promise<void> {
    const waiting = await this.#parts.store.unannounced(2 * MAX_IN_FLIGHT);
    for (const event of waiting) {
      if (this.#inFlight.size >= MAX_IN_FLIGHT) return;
      this.#announce(event);
    }
  }

  #announce(event: AlarmEvent): void {
    const key = alarmEventKey(event);
    // The broker may deliver an event while the start reads it from disk.
    if (this.#inFlight.has(key)) return;
    this.#inFlight.add(key);
    const { text, language } = this.#line(event);
    this.#parts.announcer
      .announce({ text, language, priority: SPOKEN_PRIORITY[event.priority] })
      .then((outcome) => this.#settle(event, key, outcome))
      .catch((error: unknown) => {
        this.#inFlight.delete(key);
        this.#parts.logger.error(
          { error: messageOf(error) },
          'an alarm was spoken, but that could not be recorded',
        );
      });
  }

  async #settle(event: AlarmEvent, key: string, outcome: SpokenOutcome): Promise<void> {
    // Cut off by the daemon's own end is not heard: it is said again after the start.
    const silenced = outcome.kind === 'stopped' && outcome.begun && !this.#stopped;
    const heard = wasSpoken(outcome) || silenced;
    if (heard) await this.#parts.store.markAnnounced(event);
    this.#inFlight.delete(key);
    if (this.#stopped) return;
    if (heard || outcome.kind === 'stopped') {
      this.#trouble = undefined;
      await this.#speakWaiting();
      return;
    }
    this.#trouble = outcome.kind === 'failed' ? outcome.reason : 'too many lines wait';
    this.#parts.logger.error(
      { source: event.source, alarm: event.name, outcome: outcome.kind },
      'an alarm could not be spoken yet',
    );
    this.#cancelRetry?.();
    this.#cancelRetry = this.#parts.scheduler.after(RETRY_AFTER_MS, () => {
      this.#speakWaiting().catch((error: unknown) =>
        this.#parts.logger.error({ error: messageOf(error) }, 'the alarms that wait could not be read'),
      );
    });
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
