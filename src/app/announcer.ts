import type { Clocks, Scheduler } from '../runtime/clocks.ts';
import { messageOf } from '../runtime/edge-error.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Health, Service, Unsubscribe } from '../runtime/service.ts';
import { AnnouncementQueue, type AnnouncePriority } from './announcement-queue.ts';
import type { SpeechEngine, SpeechLine, SpokenAs } from './ports/speech-engine.ts';

const DEFAULT_CAPACITY = 32;
/** No line below critical waits longer than this for a person to finish. */
const FLOOR_CAP_MS = 15_000;
const FLOOR_CHECK_MS = 50;

export interface Announcement extends SpeechLine {
  readonly priority: AnnouncePriority;
  /** Names the line in the log and in `SpeakingEvent`. */
  readonly id?: string;
}

/**
 * `played` to its end, `kept` as a file, `dropped` because the queue was full of lines at least as important,
 * `stopped` by `silence` or shutdown, `failed` in every engine.
 */
export type SpokenOutcome =
  | SpokenAs
  | { readonly kind: 'dropped' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly reason: string };

/** `first-sound` is left out by engines that cannot tell. */
export interface SpeakingEvent {
  readonly kind: 'started' | 'first-sound' | 'ended';
  readonly text: string;
  readonly id: string | undefined;
  /** Monotonic time. */
  readonly atMs: number;
}

/** Who may speak: a person in the middle of an utterance is not interrupted for less than a critical line. */
export interface Floor {
  busy(): boolean;
}

export interface AnnouncerOptions {
  /** Lines that may wait, 1 or more; default 32. */
  readonly capacity?: number;
  readonly floor?: Floor;
}

interface Waiting extends Announcement {
  readonly settle: (outcome: SpokenOutcome) => void;
  heldSinceMs: number | undefined;
}

const FREE_FLOOR: Floor = { busy: () => false };

/**
 * Lines come in from answers and alarms, one at a time goes to the speech engine, each caller learns what became of
 * its line. Higher priority first, first come first served within one.
 */
export class Announcer implements Service {
  readonly name = 'announcer';
  readonly #engine: SpeechEngine;
  readonly #clocks: Clocks;
  readonly #scheduler: Scheduler;
  readonly #logger: Logger;
  readonly #floor: Floor;
  readonly #queue: AnnouncementQueue<Waiting>;
  readonly #listeners = new Set<(event: SpeakingEvent) => void>();
  #current: { readonly controller: AbortController; readonly done: Promise<void> } | undefined;
  #cancelCheck: (() => void) | undefined;
  #state: 'new' | 'running' | 'stopped' = 'new';
  #last: SpeechLine | undefined;
  #lastOutcome: SpokenOutcome | undefined;
  #spoken = 0;
  #failed = 0;

  constructor(
    engine: SpeechEngine,
    deps: { readonly clocks: Clocks; readonly scheduler: Scheduler; readonly logger: Logger },
    options: AnnouncerOptions = {},
  ) {
    this.#engine = engine;
    this.#clocks = deps.clocks;
    this.#scheduler = deps.scheduler;
    this.#logger = deps.logger;
    this.#floor = options.floor ?? FREE_FLOOR;
    this.#queue = new AnnouncementQueue(options.capacity ?? DEFAULT_CAPACITY);
  }

  /** Lines announced before wait until now. */
  async start(): Promise<void> {
    if (this.#state !== 'new') return;
    this.#state = 'running';
    this.#advance();
  }

  /** Never rejects. After `stop` every line is `stopped` unsaid. */
  announce(announcement: Announcement): Promise<SpokenOutcome> {
    if (this.#state === 'stopped') return Promise.resolve({ kind: 'stopped' });
    return new Promise((resolve) => {
      const victim = this.#queue.push({ ...announcement, settle: resolve, heldSinceMs: undefined });
      if (victim !== undefined) {
        this.#logger.warn({ id: victim.id, priority: victim.priority }, 'a line was dropped unsaid');
        victim.settle({ kind: 'dropped' });
      }
      this.#advance();
    });
  }

  /** A line is likely to come soon; what can be got ready, is. */
  expectLine(): void {
    if (this.#state === 'running' && this.#current === undefined) this.#engine.prepare?.();
  }

  /** Tells that the floor may have become free, so that a held line need not wait for the next check. */
  floorChanged(): void {
    this.#advance();
  }

  /** Silences the line being spoken and forgets those that wait. Resolves when the sound has stopped. */
  async silence(): Promise<void> {
    for (const waiting of this.#queue.clear()) waiting.settle({ kind: 'stopped' });
    const current = this.#current;
    current?.controller.abort(new Error('silenced'));
    await current?.done;
  }

  /** The line that was spoken last, for "repeat"; also one that was silenced half way. */
  lastSpoken(): SpeechLine | undefined {
    return this.#last;
  }

  /** For muting the microphone while the daemon speaks. */
  onSpeaking(listener: (event: SpeakingEvent) => void): Unsubscribe {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async stop(deadlineMs: number): Promise<void> {
    this.#state = 'stopped';
    this.#cancelCheck?.();
    let cancel = (): void => undefined;
    const late = new Promise<void>((resolve) => {
      cancel = this.#scheduler.after(deadlineMs, resolve);
    });
    await Promise.race([this.silence(), late]);
    cancel();
  }

  health(): Health {
    const figures = {
      queued: this.#queue.size,
      dropped: this.#queue.dropped,
      spoken: this.#spoken,
      failed: this.#failed,
    };
    if (this.#state !== 'running')
      return { status: this.#state === 'new' ? 'starting' : 'off', detail: 'silent', figures };
    const outcome = this.#lastOutcome;
    if (outcome?.kind === 'failed')
      return { status: 'down', detail: `the last line failed: ${outcome.reason}`, figures };
    if (outcome?.kind === 'kept')
      return {
        status: 'degraded',
        detail: `no speaker: lines are kept as files, the last as ${outcome.file}`,
        figures,
      };
    return { status: 'ok', detail: 'speaks', figures };
  }

  #advance(): void {
    this.#cancelCheck?.();
    this.#cancelCheck = undefined;
    if (this.#state !== 'running' || this.#current !== undefined) return;
    const next = this.#queue.peek();
    if (next === undefined) return;
    if (this.#mustWait(next)) {
      this.#cancelCheck = this.#scheduler.after(FLOOR_CHECK_MS, () => this.#advance());
      return;
    }
    this.#queue.shift();
    const controller = new AbortController();
    // A listener of `started` may announce: by then this line must already count as the current one.
    const done = Promise.resolve().then(() => this.#speak(next, controller.signal));
    this.#current = { controller, done };
  }

  #mustWait(next: Waiting): boolean {
    if (next.priority === 'critical' || !this.#floor.busy()) return false;
    const nowMs = this.#clocks.monotonicMs();
    next.heldSinceMs ??= nowMs;
    return nowMs - next.heldSinceMs < FLOOR_CAP_MS;
  }

  async #speak(waiting: Waiting, signal: AbortSignal): Promise<void> {
    const { text, language, id } = waiting;
    this.#emit('started', waiting);
    let outcome: SpokenOutcome;
    try {
      outcome = await this.#engine.speak({ text, language }, signal, () =>
        this.#emit('first-sound', waiting),
      );
    } catch (error) {
      outcome = signal.aborted ? { kind: 'stopped' } : { kind: 'failed', reason: messageOf(error) };
      if (!signal.aborted) this.#logger.error({ id, err: error }, 'a line could not be spoken');
    }
    this.#settled(waiting, outcome);
  }

  #settled(waiting: Waiting, outcome: SpokenOutcome): void {
    if (outcome.kind === 'failed') this.#failed += 1;
    else {
      this.#spoken += 1;
      this.#last = { text: waiting.text, language: waiting.language };
    }
    if (outcome.kind !== 'stopped') this.#lastOutcome = outcome;
    this.#current = undefined;
    this.#emit('ended', waiting);
    waiting.settle(outcome);
    this.#advance();
  }

  #emit(kind: SpeakingEvent['kind'], { text, id }: Announcement): void {
    const event = { kind, text, id, atMs: this.#clocks.monotonicMs() };
    for (const listener of this.#listeners) listener(event);
  }
}
