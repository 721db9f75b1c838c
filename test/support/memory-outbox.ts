import type { OutboxMessage, OutboxStanding, OutboxStore } from '../../src/app/ports/session-store.ts';

interface Held {
  readonly message: OutboxMessage;
  attempts: number;
  state: 'waiting' | 'delivered' | 'set aside';
  why: string | undefined;
}

/** An outbox without a disk, for tests of what is done with one. */
export class MemoryOutbox implements OutboxStore {
  readonly held = new Map<string, Held>();

  async waiting(channel: string, limit: number) {
    return [...this.held.values()]
      .filter(({ message, state }) => message.channel === channel && state === 'waiting')
      .slice(0, limit)
      .map(({ message, attempts }) => ({ ...message, attempts, queuedAt: '2026-03-05T08:00:00.000Z' }));
  }

  async add(message: OutboxMessage): Promise<OutboxStanding> {
    const known = this.held.get(message.id);
    if (known !== undefined && known.state !== 'waiting')
      return known.state === 'set aside'
        ? { state: known.state, why: known.why ?? '' }
        : { state: 'delivered' };
    this.held.set(message.id, { message, attempts: 0, state: 'waiting', why: undefined });
    return { state: 'waiting' };
  }

  async delivered(id: string): Promise<void> {
    this.#of(id).state = 'delivered';
  }

  async failed(id: string, why: string, final: boolean): Promise<void> {
    const held = this.#of(id);
    held.attempts += 1;
    held.why = why;
    if (final) held.state = 'set aside';
  }

  async backlog(): Promise<Readonly<Record<string, number>>> {
    const counts: Record<string, number> = {};
    for (const { message, state } of this.held.values())
      if (state === 'waiting') counts[message.channel] = (counts[message.channel] ?? 0) + 1;
    return counts;
  }

  async prune(): Promise<number> {
    return 0;
  }

  #of(id: string): Held {
    const held = this.held.get(id);
    if (held === undefined) throw new Error(`there is no message ${id}`);
    return held;
  }
}
