import type { Language } from '../domain/language/language.ts';
import type { Cancel, Clocks, Scheduler } from '../runtime/clocks.ts';
import { messageOf } from '../runtime/edge-error.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Health, Service, Unsubscribe } from '../runtime/service.ts';
import type { SpeechEngine, SpokenAs } from './ports/speech-engine.ts';

/**
 * Most urgent first. `answer` is what a person waits for; `medium` and `low` are alarms too; `message` is a text that
 * somebody sent to be spoken, which gives way to everything else.
 */
export const ANNOUNCEMENT_PRIORITIES = ['critical', 'high', 'answer', 'medium', 'low', 'message'] as const;
export type AnnouncementPriority = (typeof ANNOUNCEMENT_PRIORITIES)[number];

export interface Announcement {
  readonly text: string;
  readonly language: Language;
  readonly priority: AnnouncementPriority;
  /** From this monotonic time on the line is no longer true, and `instead` is said in its place. */
  readonly stale?: { readonly atMs: number; readonly instead: string };
}

/** What became of a line. `played` and `kept` mean that it was spoken to its end, aloud or into a file. */
export type SpokenOutcome = { readonly text: string } & (
  | SpokenAs
  /** It gave way to others in a full queue. */
  | { readonly kind: 'dropped' }
  /** It was silenced after so much of its sound; 0 when nobody could hear any of it. */
  | { readonly kind: 'stopped'; readonly heardMs: number }
  | { readonly kind: 'failed'; readonly reason: string }
);

export function wasSpoken(outcome: SpokenOutcome): boolean {
  return outcome.kind === 'played' || outcome.kind === 'kept';
}

export type SpeakingEvent =
  | { readonly kind: 'started' | 'first-sound'; readonly text: string; readonly atMs: number }
  | { readonly kind: 'ended'; readonly text: string; readonly atMs: number; readonly outcome: SpokenOutcome };

interface Parts {
  readonly clocks: Clocks;
  readonly scheduler: Scheduler;
  readonly logger: Logger;
  /** Whether a person is in the middle of an utterance; only critical lines talk over one. */
  readonly floor: { busy(): boolean };
}

interface Waiting extends Announcement {
  readonly resolve: (outcome: SpokenOutcome) => void;
}

export const QUEUE_CAPACITY = 32;
/** Longest time a line waits for a person to finish: no utterance is longer. */
const FLOOR_WAIT_MS = 15_000;
const FLOOR_LOOK_EVERY_MS = 50;
const SILENCED = new Error('silenced');
const PREEMPTED = new Error('something critical is to be said');

/**
 * The one queue to the loudspeaker. In: lines with a priority. Out: sound, one line at a time, the most urgent first and
 * in order within a priority. A full queue drops the oldest of its least urgent lines.
 */
export class Announcer implements Service {
  readonly name = 'announcer';
  readonly #engine: SpeechEngine;
  readonly #parts: Parts;
  readonly #queue: Waiting[] = [];
  readonly #listeners = new Set<(event: SpeakingEvent) => void>();
  #current: { readonly line: Waiting; readonly abort: AbortController; silenced: boolean } | undefined;
  /** Settles when the processes of the current line are gone; never rejects. */
  #speaking: Promise<void> = Promise.resolve();
  #cancelLook: Cancel | undefined;
  #floorSinceMs: number | undefined;
  #closed = false;
  #spoken = 0;
  #dropped = 0;
  #failure: string | undefined;

  constructor(engine: SpeechEngine, parts: Parts) {
    this.#engine = engine;
    this.#parts = parts;
  }

  async start(): Promise<void> {
    this.#closed = false;
  }

  async stop(): Promise<void> {
    this.#closed = true;
    this.silence();
    await this.#speaking;
  }

  health(): Health {
    const figures = { spoken: this.#spoken, dropped: this.#dropped, waiting: this.#queue.length };
    return this.#failure === undefined
      ? { status: 'ok', detail: this.#current === undefined ? 'silent' : 'speaking', figures }
      : { status: 'degraded', detail: `the last line could not be spoken: ${this.#failure}`, figures };
  }

  /** Never rejects; resolves when the sound has ended, or with the reason why there was none. */
  announce(announcement: Announcement): Promise<SpokenOutcome> {
    return new Promise((resolve) => {
      if (this.#closed) {
        resolve({ kind: 'stopped', heardMs: 0, text: announcement.text });
        return;
      }
      this.#queue.push({ ...announcement, resolve });
      if (this.#queue.length > QUEUE_CAPACITY) this.#dropOne();
      const urgent = announcement.priority === 'critical' && this.#current?.line.priority !== 'critical';
      if (urgent) this.#current?.abort.abort(PREEMPTED);
      this.#next();
    });
  }

  /** Ends the line that is spoken and forgets those that wait: all of them, or only answers. */
  silence(which: 'all' | 'answers' = 'all'): void {
    const meant = ({ priority }: Announcement): boolean => which === 'all' || priority === 'answer';
    const silenced = this.#queue.filter(meant);
    this.#queue.splice(0, this.#queue.length, ...this.#queue.filter((line) => !meant(line)));
    for (const { text, resolve } of silenced) resolve({ kind: 'stopped', heardMs: 0, text });
    if (this.#current !== undefined && meant(this.#current.line)) {
      this.#current.silenced = true;
      this.#current.abort.abort(SILENCED);
    }
    if (this.#queue.length > 0) return;
    this.#cancelLook?.();
    this.#cancelLook = undefined;
    this.#floorSinceMs = undefined;
  }

  /** A line is likely to come within seconds, such as while a person speaks: the engine may get ready. */
  expectLine(): void {
    if (!this.#closed && this.#current === undefined) this.#engine.prepare?.();
  }

  onSpeaking(listener: (event: SpeakingEvent) => void): Unsubscribe {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #dropOne(): void {
    const least = [...ANNOUNCEMENT_PRIORITIES]
      .reverse()
      .find((priority) => this.#queue.some((each) => each.priority === priority));
    const index = this.#queue.findIndex((each) => each.priority === least);
    const [victim] = this.#queue.splice(index, 1);
    if (victim === undefined) return;
    this.#dropped += 1;
    this.#parts.logger.warn(
      { priority: victim.priority, waiting: this.#queue.length },
      'a line gave way in the full speech queue',
    );
    victim.resolve({ kind: 'dropped', text: victim.text });
  }

  #next(): void {
    if (this.#current !== undefined || this.#queue.length === 0) return;
    const urgent = ANNOUNCEMENT_PRIORITIES.find((priority) =>
      this.#queue.some((each) => each.priority === priority),
    );
    if (urgent !== 'critical' && this.#mustWait()) {
      this.#cancelLook ??= this.#parts.scheduler.after(FLOOR_LOOK_EVERY_MS, () => {
        this.#cancelLook = undefined;
        this.#next();
      });
      return;
    }
    this.#floorSinceMs = undefined;
    const [line] = this.#queue.splice(
      this.#queue.findIndex((each) => each.priority === urgent),
      1,
    );
    if (line !== undefined) this.#speaking = this.#speak(line);
  }

  #mustWait(): boolean {
    if (!this.#parts.floor.busy()) return false;
    const nowMs = this.#parts.clocks.monotonicMs();
    this.#floorSinceMs ??= nowMs;
    return nowMs - this.#floorSinceMs < FLOOR_WAIT_MS;
  }

  async #speak(line: Waiting): Promise<void> {
    const abort = new AbortController();
    const current = { line, abort, silenced: false };
    this.#current = current;
    const { clocks, logger } = this.#parts;
    const { language, resolve, stale } = line;
    const text = stale !== undefined && clocks.monotonicMs() >= stale.atMs ? stale.instead : line.text;
    let firstSoundAtMs: number | undefined;
    this.#tell({ kind: 'started', text, atMs: clocks.monotonicMs() });
    let outcome: SpokenOutcome;
    try {
      const as = await this.#engine.speak({ text, language }, abort.signal, () => {
        firstSoundAtMs = clocks.monotonicMs();
        this.#tell({ kind: 'first-sound', text, atMs: firstSoundAtMs });
      });
      outcome = { ...as, text };
      this.#spoken += 1;
      this.#failure = undefined;
    } catch (error) {
      if (abort.signal.aborted) {
        const nowMs = clocks.monotonicMs();
        outcome = { kind: 'stopped', heardMs: nowMs - (firstSoundAtMs ?? nowMs), text };
      } else {
        this.#failure = messageOf(error);
        outcome = { kind: 'failed', text, reason: this.#failure };
        logger.error({ reason: this.#failure }, 'a line could not be spoken');
      }
    }
    this.#current = undefined;
    this.#tell({ kind: 'ended', text, atMs: clocks.monotonicMs(), outcome });
    // What gave way to something critical is said again from its beginning.
    const gaveWay = outcome.kind === 'stopped' && abort.signal.reason === PREEMPTED;
    if (gaveWay && !current.silenced && !this.#closed) this.#queue.unshift(line);
    else resolve(outcome);
    this.#next();
  }

  #tell(event: SpeakingEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}
