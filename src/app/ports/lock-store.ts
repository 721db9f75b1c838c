import type { MachineLock } from '../../domain/gate/machine-lock.ts';

/** Where the locks of machines are kept. Rejects with EdgeError STATE_DB_FAILED or STATE_DB_BUSY. */
export interface LockStore {
  /** A lock that lacks its person comes back as one by an unknown one: it is never forgotten. */
  all(): Promise<readonly MachineLock[]>;
  put(lock: MachineLock): Promise<void>;
  remove(machine: string): Promise<void>;
}
