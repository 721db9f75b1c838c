import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import sqlite3 from 'sqlite3';
import type { z } from 'zod';
import { EdgeError, messageOf } from '../../runtime/edge-error.ts';

type Parameter = string | number | null;

/** The statements that may be used inside `write`. */
export interface Writer {
  run(sql: string, parameters?: readonly Parameter[]): Promise<number>;
  all<S extends z.ZodType>(row: S, sql: string, parameters?: readonly Parameter[]): Promise<z.output<S>[]>;
}

/**
 * One SQLite file with WAL and `synchronous=FULL`: what `write` resolved for survives a power cut.
 * All writes go through one queue, so that a transaction never holds another's statements.
 */
export class Database {
  readonly file: string;
  readonly #handle: sqlite3.Database;
  #tail: Promise<unknown> = Promise.resolve();

  private constructor(file: string, handle: sqlite3.Database) {
    this.file = file;
    this.#handle = handle;
  }

  /**
   * Opens or creates the file and brings it to the newest of `migrations` (numbered from 1 by their place).
   * A file that fails its check is set aside as `FILE.damaged-TIME` and a new one begun; `damaged` then names it.
   * Throws EdgeError STATE_DB_FAILED when the directory cannot be written or the file is from a newer program.
   */
  static async open(
    file: string,
    migrations: readonly string[],
    now: Date,
  ): Promise<{ readonly database: Database; readonly damaged: string | undefined }> {
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o750 });
    } catch (error) {
      throw failed(
        `cannot make ${dirname(file)}`,
        error,
        'make the directory writable for this user, or set state_dir',
      );
    }
    try {
      return { database: await Database.#openChecked(file, migrations), damaged: undefined };
    } catch (error) {
      if (!isDamage(error) || !existsSync(file)) throw error;
      const aside = `${file}.damaged-${now.toISOString().replace(/[:.]/gu, '-')}`;
      for (const ending of ['', '-wal', '-shm']) {
        if (existsSync(file + ending)) renameSync(file + ending, aside + ending);
      }
      return { database: await Database.#openChecked(file, migrations), damaged: aside };
    }
  }

  static async #openChecked(file: string, migrations: readonly string[]): Promise<Database> {
    const handle = await new Promise<sqlite3.Database>((resolve, reject) => {
      const opened = new sqlite3.Database(file, (error) =>
        error === null ? resolve(opened) : reject(error),
      );
    }).catch((error: unknown) => {
      throw failed(`cannot open ${file}`, error, 'make the file and its directory writable for this user');
    });
    const database = new Database(file, handle);
    try {
      handle.configure('busyTimeout', 2000);
      await database.#exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;');
      const check = await database.#get('PRAGMA quick_check(1)');
      if (check['quick_check'] !== 'ok') throw new DamagedError(String(check['quick_check']));
      await database.#migrate(migrations);
      return database;
    } catch (error) {
      await database.close();
      throw error instanceof DamagedError || error instanceof EdgeError || isDamage(error)
        ? error
        : failed(`cannot prepare ${file}`, error, 'see the cause');
    }
  }

  async #migrate(migrations: readonly string[]): Promise<void> {
    const version = Number((await this.#get('PRAGMA user_version'))['user_version']);
    if (version > migrations.length) {
      throw new EdgeError(
        'STATE_DB_FAILED',
        `${this.file} is of version ${version}; this program knows up to ${migrations.length}`,
        {
          hint: 'install the newer program again, or move the file away',
        },
      );
    }
    for (const [index, sql] of migrations.entries()) {
      if (index < version) continue;
      await this.#exec(`BEGIN IMMEDIATE; ${sql}; PRAGMA user_version = ${index + 1}; COMMIT;`);
    }
  }

  /** Runs `work` in one transaction; when it rejects, nothing of it remains. */
  write<T>(work: (writer: Writer) => Promise<T>): Promise<T> {
    const result = this.#tail.then(async () => {
      await this.#exec('BEGIN IMMEDIATE');
      try {
        const value = await work({
          run: (sql, parameters) => this.#run(sql, parameters),
          all: (row, sql, parameters) => this.all(row, sql, parameters),
        });
        await this.#exec('COMMIT');
        return value;
      } catch (error) {
        await this.#exec('ROLLBACK');
        throw error;
      }
    });
    this.#tail = result.catch(() => undefined);
    return result.catch((error: unknown) => {
      throw error instanceof EdgeError
        ? error
        : failed(`writing ${this.file}`, error, 'check free space and the disk');
    });
  }

  async all<S extends z.ZodType>(
    row: S,
    sql: string,
    parameters: readonly Parameter[] = [],
  ): Promise<z.output<S>[]> {
    const rows = await new Promise<unknown[]>((resolve, reject) => {
      this.#handle.all(sql, parameters, (error, found) => (error === null ? resolve(found) : reject(error)));
    });
    return rows.map((found) => row.parse(found));
  }

  /** Waits for the writes in the queue, then closes; a second call does nothing more. */
  async close(): Promise<void> {
    await this.#tail;
    await new Promise<void>((resolve) => this.#handle.close(() => resolve()));
  }

  #run(sql: string, parameters: readonly Parameter[] = []): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#handle.run(sql, parameters, function done(error) {
        if (error === null) resolve(this.changes);
        else reject(error);
      });
    });
  }

  #exec(sql: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#handle.exec(sql, (error) => (error === null ? resolve() : reject(error)));
    });
  }

  #get(sql: string): Promise<Record<string, unknown>> {
    return new Promise((resolve, reject) => {
      this.#handle.get(sql, (error: Error | null, row: Record<string, unknown> | undefined) =>
        error === null ? resolve(row ?? {}) : reject(error),
      );
    });
  }
}

class DamagedError extends Error {}

function isDamage(error: unknown): boolean {
  const code = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
  return error instanceof DamagedError || code === 'SQLITE_NOTADB' || code === 'SQLITE_CORRUPT';
}

function failed(what: string, cause: unknown, hint: string): EdgeError {
  return new EdgeError('STATE_DB_FAILED', `${what}: ${messageOf(cause)}`, { hint, cause });
}
