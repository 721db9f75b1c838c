import {
  type LockRefusal,
  lockRefusal,
  MAX_LOCK_REASON,
  type MachineLock,
  type MachineLocksView,
  unlockRefusal,
} from '../domain/gate/machine-lock.ts';
import type { Caller } from '../domain/tool/tool-call.ts';
import type { Clocks } from '../runtime/clocks.ts';
import type { Audit } from './ports/audit.ts';
import type { LockStore } from './ports/lock-store.ts';
import type { ErasedShare, Erasure, PersonalStore } from './ports/personal-store.ts';

export interface MachineLocksParts {
  readonly store: LockStore;
  readonly audit: Audit;
  readonly clocks: Clocks;
  readonly hasMachine: (id: string) => boolean;
  /** Told when a machine has been locked, so that questions about it end. */
  readonly onLocked?: (lock: MachineLock) => void;
}

export type LockOutcome =
  | { readonly ok: true; readonly lock: MachineLock }
  | { readonly ok: false; readonly reason: LockRefusal; readonly lock: MachineLock | undefined };

/** Which machines are locked, and by whom. A lock outlives the process; only a person ends it. */
export class MachineLocks implements PersonalStore {
  readonly name = 'locks';
  readonly #parts: MachineLocksParts;
  readonly #locks = new Map<string, MachineLock>();
  /** Changes come one after the other, so that two of one machine are decided in turn. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(parts: MachineLocksParts) {
    this.#parts = parts;
  }

  /** Rejects with the EdgeErrors of the store: without its locks nothing may be written. */
  static async open(parts: MachineLocksParts): Promise<MachineLocks> {
    const locks = new MachineLocks(parts);
    for (const lock of await parts.store.all()) locks.#locks.set(lock.machine, lock);
    return locks;
  }

  /** The locks in force, for the gate. */
  get view(): MachineLocksView {
    return this.#locks;
  }

  /** Rejects with EdgeError STATE_DB_FAILED or STATE_DB_BUSY; the machine is locked all the same, until the process ends. */
  lock(
    machine: string,
    caller: Pick<Caller, 'role' | 'person' | 'station'>,
    reason?: string,
  ): Promise<LockOutcome> {
    return this.#inTurn(async () => {
      const before = this.#locks.get(machine);
      if (!this.#parts.hasMachine(machine)) return { ok: false, reason: 'unknown_machine', lock: before };
      const refusal = lockRefusal(before, caller);
      const { person, station } = caller;
      if (refusal !== undefined || person === undefined)
        return { ok: false, reason: refusal ?? 'unnamed', lock: before };
      const lock: MachineLock = {
        machine,
        by: { id: person.id, name: person.name },
        at: this.#parts.clocks.wall().toISOString(),
        ...(reason === undefined ? {} : { reason: reason.slice(0, MAX_LOCK_REASON) }),
      };
      // In force before it is on disk: a disk that fails must not leave the person at the machine unprotected.
      this.#locks.set(machine, lock);
      this.#parts.onLocked?.(lock);
      await this.#parts.store.put(lock);
      await this.#parts.audit.append('machine.locked', { ...lock, station });
      return { ok: true, lock };
    });
  }

  /** Rejects with EdgeError STATE_DB_FAILED or STATE_DB_BUSY; the machine stays locked then. */
  unlock(machine: string, caller: Pick<Caller, 'role' | 'person' | 'station'>): Promise<LockOutcome> {
    return this.#inTurn(async () => {
      const lock = this.#locks.get(machine);
      const refusal = unlockRefusal(lock, caller);
      if (refusal !== undefined || lock === undefined)
        return { ok: false, reason: refusal ?? 'not_locked', lock };
      const { person, station } = caller;
      await this.#parts.audit.append('machine.unlocked', { machine, lock, by: person, station });
      await this.#parts.store.remove(machine);
      this.#locks.delete(machine);
      return { ok: true, lock };
    });
  }

  /** Locks of the person stay, under their pseudonym, for a supervisor to end. Rejects with the EdgeErrors of the store. */
  erase({ person, names }: Erasure): Promise<ErasedShare> {
    return this.#inTurn(async () => {
      const byHand: string[] = [];
      let count = 0;
      for (const lock of this.#locks.values()) {
        const { reason, ...held } = lock;
        const cleaned = reason === undefined ? undefined : names.inText(reason).slice(0, MAX_LOCK_REASON);
        const isTheirs = lock.by.id === person.id;
        if (!isTheirs && cleaned === reason) continue;
        const changed: MachineLock = {
          ...held,
          by: isTheirs ? { id: person.pseudonym, name: person.pseudonym } : lock.by,
          ...(cleaned === undefined ? {} : { reason: cleaned }),
        };
        await this.#parts.store.put(changed);
        this.#locks.set(lock.machine, changed);
        count += 1;
        if (isTheirs)
          byHand.push(`${lock.machine} stays locked, by ${person.pseudonym}: a supervisor has to unlock it`);
      }
      return { count, byHand };
    });
  }

  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const next = this.#last.then(change);
    this.#last = next.catch(() => undefined);
    return next;
  }
}
