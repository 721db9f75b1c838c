import { type AlarmEvent, type AlarmMessage, alarmEventKey, alarmKey } from '../domain/alarm/alarm-event.ts';
import { type Language, languageOf } from '../domain/language/language.ts';
import type { Capture } from '../domain/memory/capture.ts';
import type { Phrasebook } from '../domain/phrases/phrasebook.ts';
import { spokenTime } from '../domain/phrases/spoken-time.ts';
import type { Cancel, Clocks, Scheduler } from '../runtime/clocks.ts';
import { messageOf } from '../runtime/edge-error.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Health, Service } from '../runtime/service.ts';
import { type Announcer, type SpokenOutcome, wasSpoken } from './announcer.ts';
import type { AlarmStore } from './ports/alarm-store.ts';

interface Parts {
  readonly store: AlarmStore;
  readonly announcer: Pick<Announcer, 'announce'>;
  readonly phrases: Phrasebook;
  readonly clocks: Clocks;
  readonly scheduler: Scheduler;
  readonly logger: Logger;
  readonly language: Language;
  /** Is told the words of an alarm that has been heard. Never throws. */
  readonly onHeard?: (text: string) => void;
  /** What is to be remembered of an event. */
  readonly capture?: (event: AlarmEvent) => Capture;
  /** Something to be remembered is on disk. */
  readonly onCaptured?: () => void;
}

/** So many alarms are with the announcer at most; the others wait on disk, where nothing drops them. */
const MAX_IN_FLIGHT = 8;
/** Read from disk at once: more than can be in flight, so that lines that fail do not hide the ones behind them. */
const WINDOW = 64;
/** After a line that could not be spoken, or was silenced early, the same alarm waits this long. */
const RETRY_AFTER_MS = 10_000;
/** A silenced line counts as heard from this much of its sound on: source and text have begun. */
const HEARD_FROM_MS = 1500;
/** Older than this when it is said, an alarm is said with its time. */
const NEWS_FOR_MS = 60_000;
/** Events spoken although they could not be recorded are remembered, so that they are not said at every delivery. */
const MAX_UNRECORDED = 256;

/** What happened to an event that nobody has heard yet. */
interface Trial {
  readonly silenced: number;
  readonly notBeforeMs: number;
}

/**
 * Alarm events. In: a checked message from outside. Out: a durable record, then a spoken line. What nobody has heard yet
 * stays on disk and is spoken as soon as that is possible, the most urgent first, also after a restart.
 */
export class AlarmDesk implements Service {
  readonly name = 'alarms';
  readonly #parts: Parts;
  readonly #inFlight = new Map<string, AlarmEvent>();
  readonly #trials = new Map<string, Trial>();
  readonly #unrecorded = new Set<string>();
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
      : { status: 'degraded', detail: this.#trouble, figures };
  }

  /**
   * Resolves when the event is on disk; speaking goes on afterwards. Rejects when it could not be kept: it is spoken all
   * the same, once, and the sender should send it again.
   */
  async receive(source: string, name: string, message: AlarmMessage): Promise<void> {
    const event: AlarmEvent = {
      ...message,
      source,
      name,
      received_at: this.#parts.clocks.wall().toISOString(),
    };
    const key = alarmEventKey(event);
    let kept: 'new' | 'duplicate';
    try {
      kept = await this.#parts.store.record(event, this.#parts.capture?.(event));
    } catch (error) {
      this.#speakUnrecorded(event, key);
      this.#trouble = `alarms cannot be recorded: ${messageOf(error)}`;
      throw error;
    }
    if (kept === 'duplicate') {
      this.#duplicates += 1;
      this.#parts.logger.info({ source, alarm: name, id: message.id }, 'an alarm event came a second time');
      return;
    }
    this.#received += 1;
    this.#parts.onCaptured?.();
    if (this.#unrecorded.delete(key)) {
      await this.#parts.store.markAnnounced(event);
      this.#trouble = undefined;
    } else if (this.#inFlight.size < MAX_IN_FLIGHT || event.priority === 'critical') this.#announce(event);
  }

  /** Never rejects: what cannot be read now is tried again. */
  async #speakWaiting(): Promise<void> {
    try {
      for (const event of await this.#parts.store.unannounced(WINDOW)) {
        if (this.#inFlight.size >= MAX_IN_FLIGHT) return;
        const trial = this.#trials.get(alarmEventKey(event));
        if (trial === undefined || trial.notBeforeMs <= this.#parts.clocks.monotonicMs())
          this.#announce(event);
      }
    } catch (error) {
      this.#trouble = `the alarms that wait cannot be read: ${messageOf(error)}`;
      this.#parts.logger.error({ error: messageOf(error) }, 'the alarms that wait cannot be read');
      this.#tryLater();
    }
  }

  #announce(event: AlarmEvent): void {
    const key = alarmEventKey(event);
    // One event of an alarm at a time, so that "over" is never said before "raised"; the next comes from disk.
    const alarm = alarmKey(event);
    for (const other of this.#inFlight.values()) if (alarmKey(other) === alarm) return;
    this.#inFlight.set(key, event);
    const line = this.#line(event);
    this.#parts.announcer
      .announce({ ...line, priority: event.priority })
      .then((outcome) => this.#settle(event, key, line.text, outcome))
      .catch((error: unknown) => {
        this.#inFlight.delete(key);
        this.#trouble = `an alarm was spoken, but that could not be recorded: ${messageOf(error)}`;
        this.#parts.logger.error(
          { error: messageOf(error) },
          'an alarm was spoken, but that could not be recorded',
        );
        this.#tryLater();
      });
  }

  async #settle(event: AlarmEvent, key: string, text: string, outcome: SpokenOutcome): Promise<void> {
    // Cut off by the daemon's own end is not heard: it is said again after the start.
    const heard = wasSpoken(outcome) || (!this.#stopped && this.#silencedAndHeard(event, key, outcome));
    if (heard) await this.#parts.store.markAnnounced(event);
    this.#inFlight.delete(key);
    if (this.#stopped) return;
    if (heard) {
      this.#parts.onHeard?.(text);
      this.#trials.delete(key);
      this.#trouble = undefined;
      await this.#speakWaiting();
      return;
    }
    const silenced =
      (this.#trials.get(key)?.silenced ?? 0) + (outcome.kind === 'stopped' && outcome.heardMs > 0 ? 1 : 0);
    this.#trials.set(key, { silenced, notBeforeMs: this.#parts.clocks.monotonicMs() + RETRY_AFTER_MS });
    if (outcome.kind !== 'stopped') {
      const reason = outcome.kind === 'failed' ? outcome.reason : 'too many lines wait';
      this.#trouble = `alarms are recorded but not heard: ${reason}`;
      this.#parts.logger.error(
        { source: event.source, alarm: event.name, outcome: outcome.kind },
        'an alarm could not be spoken yet',
      );
    }
    this.#tryLater();
    await this.#speakWaiting();
  }

  /** A person who silences a line has heard it; one that is critical or high is said once more all the same. */
  #silencedAndHeard(event: AlarmEvent, key: string, outcome: SpokenOutcome): boolean {
    if (outcome.kind !== 'stopped' || outcome.heardMs < HEARD_FROM_MS) return false;
    const urgent = event.priority === 'critical' || event.priority === 'high';
    return !urgent || (this.#trials.get(key)?.silenced ?? 0) > 0;
  }

  #speakUnrecorded(event: AlarmEvent, key: string): void {
    if (this.#unrecorded.has(key) || this.#unrecorded.size >= MAX_UNRECORDED) return;
    this.#unrecorded.add(key);
    void this.#parts.announcer.announce({ ...this.#line(event), priority: event.priority });
  }

  #tryLater(): void {
    this.#cancelRetry?.();
    this.#cancelRetry = this.#parts.scheduler.after(RETRY_AFTER_MS + 1, () => void this.#speakWaiting());
  }

  /** In the site's language when the sender gave it, else in one it gave; with its time when it is no news any more. */
  #line(event: AlarmEvent): { readonly text: string; readonly language: Language } {
    const { phrases, clocks } = this.#parts;
    const given = event.text;
    const own = typeof given === 'string' ? given : given[this.#parts.language];
    const other = typeof given === 'string' ? given : (given.en ?? given.zh);
    const text = own ?? other ?? event.name;
    const language = own !== undefined && typeof given !== 'string' ? this.#parts.language : languageOf(text);
    const key = event.state === 'raised' ? 'alarm_raised' : 'alarm_cleared';
    const values = { source: event.source, text, priority: phrases.priority(language, event.priority) };
    const line = phrases.say(language, key, values);
    const happened = new Date(event.ts ?? event.received_at);
    if (clocks.wall().getTime() - happened.getTime() < NEWS_FOR_MS) return { text: line, language };
    return {
      text: phrases.say(language, 'alarm_earlier', { time: spokenTime(happened, language), alarm: line }),
      language,
    };
  }
}
