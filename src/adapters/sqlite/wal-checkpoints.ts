import sqlite3 from 'sqlite3';
import { connect } from './database-file.ts';

/** So many transactions between two checkpoints: a page that many of them touched is carried over once. */
const BETWEEN = 256;

/**
 * Carries what was committed from the write-ahead log into the file, on a connection and a thread of its own: a checkpoint
 * inside COMMIT makes an alarm wait for the sync of the whole file. The writer itself checkpoints only when the log has
 * grown far past what this keeps it at, and so lets the log begin anew (https://www.sqlite.org/wal.html#ckpt).
 */
export class WalCheckpoints {
  readonly #file: string;
  #handle: sqlite3.Database | undefined;
  #running: Promise<void> | undefined;
  #since = 0;
  #failed = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** Checkpoints that failed; what they would have carried over stays in the log, where it is as safe. */
  get failed(): number {
    return this.#failed;
  }

  /** A transaction is on disk. */
  committed(): void {
    this.#since += 1;
    if (this.#since < BETWEEN || this.#running !== undefined) return;
    this.#since = 0;
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  async close(): Promise<void> {
    await this.#running;
    const handle = this.#handle;
    if (handle !== undefined) await new Promise<void>((resolve) => handle.close(() => resolve()));
  }

  async #run(): Promise<void> {
    try {
      this.#handle ??= await connect(this.#file, sqlite3.OPEN_READWRITE);
      await exec(this.#handle, 'PRAGMA wal_checkpoint(PASSIVE)');
    } catch {
      this.#failed += 1;
    }
  }
}

function exec(handle: sqlite3.Database, sql: string): Promise<void> {
  return new Promise((resolve, reject) => {
    handle.exec(sql, (error) => (error === null ? resolve() : reject(error)));
  });
}
