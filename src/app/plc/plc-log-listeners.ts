import { backoffMs } from '../../runtime/backoff.ts';
import type { Cancel, Scheduler } from '../../runtime/clocks.ts';
import { messageOf } from '../../runtime/edge-error.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Unsubscribe } from '../../runtime/service.ts';
import type { PlcLogEntry, PlcLogStore } from '../ports/plc-log-store.ts';

export interface PlcLogConsumer {
  /** Its place is kept under this name for ever. */
  readonly name: string;
  /** Where it begins the first time. */
  readonly begin: 'oldest' | 'now';
  /**
   * Gets each record, and each note of a loss, in the order they were kept. One that rejects gets the same again; after a
   * crash it may get again what it had: `id` tells.
   */
  handle(entry: PlcLogEntry): Promise<void>;
}

const BATCH = 100;
const RETRY = { baseMs: 1_000, maxMs: 60_000 };

interface Parts {
  readonly store: Pick<PlcLogStore, 'unhandled' | 'acknowledge'>;
  readonly scheduler: Scheduler;
  readonly logger: Logger;
}

/** Entries that were kept come in from the store, each consumer handles them at its own pace, its place goes back. */
export class PlcLogListeners {
  readonly #parts: Parts;
  readonly #deliveries = new Map<string, Delivery>();
  #isRunning = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Throws for a name that is taken: two could not share a place. */
  add(consumer: PlcLogConsumer): Unsubscribe {
    if (this.#deliveries.has(consumer.name)) throw new Error(`two consumers are called ${consumer.name}`);
    const delivery = new Delivery(consumer, this.#parts);
    this.#deliveries.set(consumer.name, delivery);
    if (this.#isRunning) delivery.start();
    return () => {
      void delivery.stop();
      this.#deliveries.delete(consumer.name);
    };
  }

  start(): void {
    this.#isRunning = true;
    for (const delivery of this.#deliveries.values()) delivery.start();
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    await Promise.all([...this.#deliveries.values()].map((delivery) => delivery.stop()));
  }

  notify(): void {
    for (const delivery of this.#deliveries.values()) delivery.wake();
  }

  /** What each consumer that is stuck complains about. */
  get troubles(): string[] {
    return [...this.#deliveries.values()].flatMap(({ trouble }) => (trouble === undefined ? [] : [trouble]));
  }
}

class Delivery {
  readonly #consumer: PlcLogConsumer;
  readonly #parts: Parts;
  #isRunning = false;
  #isAsked = false;
  /** After a failure nothing is tried before its pause is over. */
  #isPausing = false;
  #work: Promise<void> | undefined;
  #cancelRetry: Cancel = () => undefined;
  #failures = 0;
  trouble: string | undefined;

  constructor(consumer: PlcLogConsumer, parts: Parts) {
    this.#consumer = consumer;
    this.#parts = parts;
  }

  start(): void {
    this.#isRunning = true;
    this.wake();
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    this.#cancelRetry();
    await this.#work;
  }

  wake(): void {
    this.#isAsked = true;
    if (!this.#isRunning || this.#work !== undefined || this.#isPausing) return;
    this.#work = this.#deliver();
  }

  /** Never rejects. */
  async #deliver(): Promise<void> {
    try {
      while (this.#isRunning && this.#isAsked) {
        this.#isAsked = false;
        await this.#deliverKept();
      }
      this.#failures = 0;
      this.trouble = undefined;
    } catch (error) {
      this.trouble = `${this.#consumer.name}: ${messageOf(error)}`;
      this.#parts.logger.warn(
        { consumer: this.#consumer.name, error: messageOf(error) },
        'a log record could not be handled; it is tried again',
      );
      this.#isPausing = true;
      this.#cancelRetry = this.#parts.scheduler.after(backoffMs(this.#failures, RETRY), () => {
        this.#isPausing = false;
        this.wake();
      });
      this.#failures += 1;
    } finally {
      this.#work = undefined;
      if (this.#isAsked) this.wake();
    }
  }

  async #deliverKept(): Promise<void> {
    const { store } = this.#parts;
    const { name, begin } = this.#consumer;
    for (;;) {
      const entries = await store.unhandled(name, BATCH, begin);
      let handledId: number | undefined;
      try {
        for (const entry of entries) {
          if (!this.#isRunning) return;
          await this.#consumer.handle(entry);
          handledId = entry.id;
        }
      } finally {
        if (handledId !== undefined) await store.acknowledge(name, handledId);
      }
      if (entries.length < BATCH) return;
    }
  }
}
