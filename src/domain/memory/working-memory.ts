import type { JsonValue } from '../json.ts';

/** One thing that a session holds for the moment: what was opened, remembered or recalled last. */
export interface Slot {
  readonly name: string;
  readonly value: JsonValue;
  /** Monotonic, milliseconds. */
  readonly putAtMs: number;
  /** A newer value stands in its place; it is kept so that "the one before" can be asked for. */
  readonly isDeprecated: boolean;
}

interface Held {
  /** The newest first. */
  slots: readonly Slot[];
  bytes: number;
}

export const WORKING_TTL_MS = 2 * 3_600_000;
export const WORKING_MAX_BYTES = 5_000_000;
/** Values of one name: the present one and the one before. */
const VERSIONS = 2;
const MAX_SLOTS = 40;

/**
 * What sessions hold in mind, in this process alone: at most 5 MB in all and 2 hours each; the session unused for longest gives way. A
 * new value never changes an old one: it stands before it, and the old one is deprecated.
 */
export class WorkingMemory {
  readonly #maxBytes: number;
  readonly #bySession = new Map<string, Held>();
  #bytes = 0;

  constructor(maxBytes = WORKING_MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** False for a value that is larger than all there may be. */
  put(sessionId: string, name: string, value: JsonValue, nowMs: number): boolean {
    if (name.length + sizeOf(value) > this.#maxBytes) return false;
    const before = this.#alive(sessionId, nowMs);
    const older = before
      .map((slot) => (slot.name === name ? { ...slot, isDeprecated: true } : slot))
      .filter(
        (slot, at) =>
          slot.name !== name ||
          before.slice(0, at).filter((each) => each.name === name).length < VERSIONS - 1,
      );
    let slots = [{ name, value, putAtMs: nowMs, isDeprecated: false }, ...older].slice(0, MAX_SLOTS);
    while (bytesOf(slots) > this.#maxBytes) slots = slots.slice(0, -1);
    this.#keep(sessionId, slots);
    this.#expire(nowMs);
    for (const oldest of this.#bySession.keys()) {
      if (this.#bytes <= this.#maxBytes || oldest === sessionId) break;
      this.forget(oldest);
    }
    return true;
  }

  get(sessionId: string, name: string, nowMs: number): JsonValue | undefined {
    return this.#alive(sessionId, nowMs).find((slot) => slot.name === name && !slot.isDeprecated)?.value;
  }

  /** All that a session holds, the newest first. */
  slots(sessionId: string, nowMs: number): readonly Slot[] {
    return this.#alive(sessionId, nowMs);
  }

  forget(sessionId: string): void {
    const held = this.#bySession.get(sessionId);
    if (held === undefined) return;
    this.#bytes -= held.bytes;
    this.#bySession.delete(sessionId);
  }

  clear(): void {
    this.#bySession.clear();
    this.#bytes = 0;
  }

  get figures(): { readonly sessions: number; readonly bytes: number } {
    return { sessions: this.#bySession.size, bytes: this.#bytes };
  }

  /** Those that are not too old; looking at a session keeps it from giving way. */
  #alive(sessionId: string, nowMs: number): readonly Slot[] {
    const held = this.#bySession.get(sessionId);
    if (held === undefined) return [];
    const alive = held.slots.filter(({ putAtMs }) => nowMs - putAtMs < WORKING_TTL_MS);
    if (alive.length === 0) this.forget(sessionId);
    else this.#keep(sessionId, alive);
    return alive;
  }

  /** Sessions whose newest slot is too old. */
  #expire(nowMs: number): void {
    for (const [id, { slots }] of this.#bySession)
      if (slots.every(({ putAtMs }) => nowMs - putAtMs >= WORKING_TTL_MS)) this.forget(id);
  }

  #keep(sessionId: string, slots: readonly Slot[]): void {
    this.forget(sessionId);
    const bytes = bytesOf(slots);
    this.#bySession.set(sessionId, { slots, bytes });
    this.#bytes += bytes;
  }
}

function bytesOf(slots: readonly Slot[]): number {
  return slots.reduce((sum, { name, value }) => sum + name.length + sizeOf(value), 0);
}

/** Of a value as JSON, in bytes. */
function sizeOf(value: JsonValue): number {
  return Buffer.byteLength(JSON.stringify(value));
}
