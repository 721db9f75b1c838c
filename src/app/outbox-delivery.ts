import type { ClockState } from '../domain/envelope.ts';
import type { JsonObject } from '../domain/json.ts';
import { type BackoffOptions, backoffMs } from '../runtime/backoff.ts';
import type { Cancel, Clocks, Scheduler } from '../runtime/clocks.ts';
import { messageOf } from '../runtime/edge-error.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Health, Service, Unsubscribe } from '../runtime/service.ts';
import type { Delivery, OutboxDeliverer } from './ports/outbox-deliverer.ts';
import type { OutboxMessage, OutboxStanding, OutboxStore } from './ports/session-store.ts';

/** How the time of a message in the outbox ended. */
export interface OutboxEnd {
  readonly message: OutboxMessage;
  readonly end: 'delivered' | 'refused' | 'expired';
  readonly why?: string;
  readonly detail?: JsonObject;
}

/** What is known of a message when whoever sent it stops waiting; `waiting` is delivered later. */
export interface SendResult extends Pick<OutboxEnd, 'why' | 'detail'> {
  readonly state: OutboxEnd['end'] | 'waiting';
}

export interface OutboxDeliveryOptions extends BackoffOptions {
  /** Limit of one attempt, milliseconds. */
  readonly attemptMs: number;
  /** The outbox is looked at at least so often: a session may have put something in. */
  readonly lookMs: number;
}

interface Parts {
  readonly outbox: OutboxStore;
  readonly clocks: Clocks;
  readonly clockState: () => ClockState;
  readonly scheduler: Scheduler;
  readonly logger: Logger;
}

interface Channel {
  readonly deliverer: OutboxDeliverer;
  running: Promise<void> | undefined;
  /** Something was put in while it ran. */
  again: boolean;
  attempts: number;
  cancelTimer: Cancel | undefined;
  trouble: string | undefined;
}

const DEFAULTS: OutboxDeliveryOptions = { baseMs: 2_000, maxMs: 300_000, attemptMs: 20_000, lookMs: 30_000 };
/** So many messages are held in memory at once. */
const BATCH = 20;

/** Why a message was set aside that nobody wanted any more. */
const EXPIRED = 'expired';

type Listener = (ended: OutboxEnd) => void;

/**
 * Takes what waits in the outbox to the far side: each channel in order, one message at a time, at least once. What could
 * not be delivered is tried again with growing delays until it expires, and every end is told.
 */
export class OutboxDelivery implements Service {
  readonly name = 'outbox';
  readonly #options: OutboxDeliveryOptions;
  readonly #parts: Parts;
  readonly #channels: ReadonlyMap<string, Channel>;
  readonly #listeners = new Set<Listener>();
  #abort: AbortController | undefined;
  #backlog: Readonly<Record<string, number>> = {};

  constructor(
    deliverers: readonly OutboxDeliverer[],
    parts: Parts,
    options: Partial<OutboxDeliveryOptions> = {},
  ) {
    this.#options = { ...DEFAULTS, ...options };
    this.#parts = parts;
    this.#channels = new Map(
      deliverers.map((deliverer) => [
        deliverer.channel,
        {
          deliverer,
          running: undefined,
          again: false,
          attempts: 0,
          cancelTimer: undefined,
          trouble: undefined,
        },
      ]),
    );
  }

  async start(): Promise<void> {
    this.#abort = new AbortController();
    for (const channel of this.#channels.keys()) this.wake(channel);
  }

  async stop(deadlineMs: number): Promise<void> {
    this.#abort?.abort(new Error('stopping'));
    this.#abort = undefined;
    for (const channel of this.#channels.values()) channel.cancelTimer?.();
    let cancel: Cancel | undefined;
    const late = new Promise<void>((resolve) => {
      cancel = this.#parts.scheduler.after(deadlineMs, resolve);
    });
    await Promise.race([Promise.all([...this.#channels.values()].map(({ running }) => running)), late]);
    cancel?.();
  }

  health(): Health {
    const troubled = [...this.#channels.values()].flatMap(({ deliverer, trouble }) =>
      trouble === undefined ? [] : [`${deliverer.channel}: ${trouble}`],
    );
    const figures = Object.fromEntries(
      Object.entries(this.#backlog).map(([channel, count]) => [`waiting_${channel}`, count]),
    );
    if (troubled.length === 0)
      return { status: 'ok', detail: 'everything that could be sent is sent', figures };
    return { status: 'degraded', detail: troubled.join('; '), figures };
  }

  onEnd(listener: Listener): Unsubscribe {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Looks at a channel now: something was put into it. A channel without a deliverer is left alone. */
  wake(name: string): void {
    const channel = this.#channels.get(name);
    const signal = this.#abort?.signal;
    if (channel === undefined || signal === undefined) return;
    channel.cancelTimer?.();
    channel.cancelTimer = undefined;
    if (channel.running !== undefined) {
      channel.again = true;
      return;
    }
    channel.running = this.#run(channel, signal).finally(() => {
      channel.running = undefined;
      if (signal.aborted) return;
      if (channel.again) {
        channel.again = false;
        this.wake(name);
      } else this.#lookLater(name, channel);
    });
  }

  /**
   * Puts a message into the outbox, where it is safe, and waits up to `waitMs` for it to be delivered. One that had its end
   * under this id before, perhaps before a restart, has it at once. Rejects with the EdgeErrors of the store when it could not
   * be kept.
   */
  async send(message: OutboxMessage, waitMs: number): Promise<SendResult> {
    const ended = this.#waitFor(message.id, waitMs);
    try {
      const standing = await this.#parts.outbox.add(message);
      if (standing.state !== 'waiting') ended.give(endOf(standing));
    } catch (error) {
      ended.give({ state: 'waiting' });
      throw error;
    }
    this.wake(message.channel);
    return ended.promise;
  }

  #waitFor(
    id: string,
    waitMs: number,
  ): { readonly promise: Promise<SendResult>; give(known: SendResult): void } {
    let give: (known: SendResult) => void = () => undefined;
    const known = new Promise<SendResult>((resolve) => {
      give = resolve;
    });
    const cancel = this.#parts.scheduler.after(waitMs, () => give({ state: 'waiting' }));
    const forget = this.onEnd(({ message, end, ...more }) => {
      if (message.id === id) give({ state: end, ...more });
    });
    const promise = known.finally(() => {
      cancel();
      forget();
    });
    return { promise, give };
  }

  async #run(channel: Channel, signal: AbortSignal): Promise<void> {
    try {
      await this.#pass(channel, signal);
      this.#backlog = await this.#parts.outbox.backlog();
    } catch (error) {
      channel.attempts += 1;
      channel.trouble = messageOf(error);
      this.#parts.logger.error(
        { channel: channel.deliverer.channel, error: channel.trouble },
        'the outbox could not be worked on',
      );
    }
  }

  async #pass(channel: Channel, signal: AbortSignal): Promise<void> {
    const { outbox } = this.#parts;
    const waiting = await outbox.waiting(channel.deliverer.channel, BATCH);
    let trouble: string | undefined;
    let isBlocked = false;
    for (const message of waiting) {
      if (signal.aborted) return;
      if (this.#isExpired(message)) {
        await outbox.failed(message.id, EXPIRED, true);
        this.#tell({ message, end: 'expired' });
        continue;
      }
      if (isBlocked) continue;
      const result = await this.#attempt(channel.deliverer, message, signal);
      // Cut off by stop: nobody knows what became of it, so that it is delivered again.
      if (signal.aborted && result.kind !== 'delivered') return;
      if (result.kind === 'delivered') {
        await outbox.delivered(message.id);
        this.#tell({
          message,
          end: 'delivered',
          ...(result.detail === undefined ? {} : { detail: result.detail }),
        });
      } else if (result.kind === 'never') {
        await outbox.failed(message.id, result.why, true);
        this.#tell({ message, end: 'refused', why: result.why });
      } else {
        await outbox.failed(message.id, result.why, false);
        trouble = result.why;
        isBlocked = result.scope === 'channel';
      }
    }
    channel.trouble = trouble;
    channel.attempts = trouble === undefined ? 0 : channel.attempts + 1;
    if (waiting.length === BATCH && trouble === undefined) channel.again = true;
  }

  async #attempt(
    deliverer: OutboxDeliverer,
    message: OutboxMessage,
    stopping: AbortSignal,
  ): Promise<Delivery> {
    const limit = new AbortController();
    const stop = (): void => limit.abort(new Error('stopping'));
    stopping.addEventListener('abort', stop, { once: true });
    const cancel = this.#parts.scheduler.after(this.#options.attemptMs, () =>
      limit.abort(new Error(`no answer within ${this.#options.attemptMs} ms`)),
    );
    try {
      return await deliverer.deliver(message, limit.signal);
    } catch (error) {
      return { kind: 'later', why: messageOf(error), scope: 'channel' };
    } finally {
      cancel();
      stopping.removeEventListener('abort', stop);
    }
  }

  /** A box whose clock is not known to be right lets nothing expire: the time it compares with may be any. */
  #isExpired({ expiresAt }: OutboxMessage): boolean {
    if (expiresAt === undefined || this.#parts.clockState() === 'unsynced') return false;
    return Date.parse(expiresAt) <= this.#parts.clocks.wall().getTime();
  }

  #lookLater(name: string, channel: Channel): void {
    const { baseMs, maxMs, lookMs } = this.#options;
    const delayMs = channel.attempts === 0 ? lookMs : backoffMs(channel.attempts - 1, { baseMs, maxMs });
    channel.cancelTimer = this.#parts.scheduler.after(delayMs, () => this.wake(name));
  }

  #tell(ended: OutboxEnd): void {
    const { channel, id } = ended.message;
    this.#parts.logger.info({ channel, id, end: ended.end, why: ended.why }, 'a message left the outbox');
    for (const listener of this.#listeners) listener(ended);
  }
}

function endOf(standing: Exclude<OutboxStanding, { state: 'waiting' }>): SendResult {
  if (standing.state === 'set aside')
    return standing.why === EXPIRED ? { state: 'expired' } : { state: 'refused', why: standing.why };
  return { state: 'delivered' };
}
