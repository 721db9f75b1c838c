import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import sqlite3 from 'sqlite3';
import type { z } from 'zod';
import { EdgeError, messageOf } from '../../runtime/edge-error.ts';
import type { Health } from '../../runtime/service.ts';
import { connect, failed, identityOf, setAside } from './database-file.ts';
import { isBusy, isDamage, machineHint } from './sqlite-failure.ts';
import { type Parameter, StatementCache } from './statement-cache.ts';
import { WalCheckpoints } from './wal-checkpoints.ts';
import { type Lane, WriteLanes } from './write-lanes.ts';

export interface DatabaseOptions {
  /** `FULL` (the default) survives a power cut with all that `write` resolved for; `NORMAL` may lose the last commits, never the file. */
  readonly synchronous?: 'FULL' | 'NORMAL';
  /** Checks the whole file before it is used; without it, call `check` later. True by default. */
  readonly checkFirst?: boolean;
  /** `all` reads through a connection of its own: it sees whole transactions only, and does not wait for them. */
  readonly ownReader?: boolean;
  /** For a file that people and alarms wait for: more of it stays in memory, and no commit waits for a checkpoint. */
  readonly prompt?: boolean;
  /** A new file can give freed pages back to the disk (`PRAGMA incremental_vacuum`). */
  readonly shrinkable?: boolean;
}

/** At most so much of a prompt file stays in memory, in KiB. */
const PROMPT_CACHE_KIB = 16_384;
/** The writer checkpoints a prompt file itself when its log has so many pages: 32 MB. */
const PROMPT_LOG_PAGES = 8000;

/** So long is waited for another program that holds the file, in ms. */
const BUSY_WAIT_MS = 2000;
/** So long while another program may be bringing the file to the newest version, in ms. */
const MIGRATION_WAIT_MS = 30_000;

/** Each may wait `BUSY_WAIT_MS` where a program holds the file for good. */
const WAL_ATTEMPTS = 2;

/** The statements that may be used inside `write`; one object a transaction. */
export interface Writer {
  run(sql: string, parameters?: readonly Parameter[]): Promise<number>;
  /** As `run`, for a view whose triggers write: SQLite counts none of their rows. */
  runView(sql: string, parameters: readonly Parameter[]): Promise<void>;
  /** Is called once what was written is on disk, before the next transaction begins. */
  onCommitted(tell: () => void): void;
  all<S extends z.ZodType>(row: S, sql: string, parameters?: readonly Parameter[]): Promise<z.output<S>[]>;
}

/** One call of `write` that waits for its transaction. */
interface Job {
  readonly lane: Lane;
  /** Alone it needs no BEGIN and no COMMIT around it. */
  readonly isOneStatement: boolean;
  /** Does the work; what it resolves with tells the caller, once the transaction is on disk. */
  attempt(writer: Writer): Promise<() => void>;
  reject(error: EdgeError): void;
}

/**
 * One SQLite file with WAL and, unless asked otherwise, `synchronous=FULL`: what `write` resolved for survives a power cut.
 * Writes that wait share one transaction and so one sync of the disk, alarms before sessions and these before the audit.
 */
export class Database {
  readonly file: string;
  readonly #handle: sqlite3.Database;
  #reader: sqlite3.Database | undefined;
  readonly #statements: StatementCache;
  #readerStatements: StatementCache | undefined;
  #checkpoints: WalCheckpoints | undefined;
  readonly #lanes = new WriteLanes<Job>();
  /** What runs between two transactions. */
  readonly #between: (() => Promise<void>)[] = [];
  #opened: string | undefined;
  #writing: Promise<void> | undefined;
  #transactions = 0;
  #refused = 0;
  #trouble: string | undefined;

  private constructor(file: string, handle: sqlite3.Database) {
    this.file = file;
    this.#handle = handle;
    this.#statements = new StatementCache(handle);
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
    options: DatabaseOptions = {},
  ): Promise<{ readonly database: Database; readonly damaged: string | undefined }> {
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o750 });
    } catch (error) {
      throw failed(
        `cannot make ${dirname(file)}`,
        error,
        machineHint(error) ?? 'make the directory writable for this user, or set state_dir',
      );
    }
    try {
      return { database: await Database.#openChecked(file, migrations, options), damaged: undefined };
    } catch (error) {
      if (!(error instanceof DamagedError || isDamage(error)) || !existsSync(file)) throw error;
      const aside = setAside(file, now);
      return { database: await Database.#openChecked(file, migrations, options), damaged: aside };
    }
  }

  /**
   * Opens a file that another program may be writing, to look into it: nothing in it or around it is changed.
   * Throws EdgeError STATE_DB_FAILED when it cannot be read or is no database.
   */
  static async openForReading(file: string): Promise<Database> {
    const handle = await connect(file, sqlite3.OPEN_READONLY);
    const database = new Database(file, handle);
    try {
      handle.configure('busyTimeout', BUSY_WAIT_MS);
      const fault = await database.check();
      if (fault !== undefined) throw new DamagedError(fault);
      return database;
    } catch (error) {
      await database.close();
      const hint =
        error instanceof DamagedError || isDamage(error)
          ? 'it is damaged: the daemon sets it aside at its next start'
          : (machineHint(error) ?? 'see the cause');
      throw failed(`cannot read ${file}`, error, hint);
    }
  }

  static async #openChecked(
    file: string,
    migrations: readonly string[],
    options: DatabaseOptions,
  ): Promise<Database> {
    const handle = await connect(file, sqlite3.OPEN_READWRITE | sqlite3.OPEN_CREATE);
    const database = new Database(file, handle);
    try {
      handle.configure('busyTimeout', BUSY_WAIT_MS);
      // Only before the first page is written does a file take this on.
      if (options.shrinkable === true) await database.#exec('PRAGMA auto_vacuum = INCREMENTAL;');
      await database.#becomeWal();
      await database.#exec(
        `PRAGMA synchronous = ${options.synchronous ?? 'FULL'}; PRAGMA foreign_keys = ON;`,
      );
      const fault = options.checkFirst === false ? undefined : await database.check();
      if (fault !== undefined) throw new DamagedError(fault);
      await database.#migrate(migrations);
      if (options.prompt === true) {
        await database.#exec(
          `PRAGMA cache_size = -${PROMPT_CACHE_KIB}; PRAGMA wal_autocheckpoint = ${PROMPT_LOG_PAGES};`,
        );
        database.#checkpoints = new WalCheckpoints(file);
      }
      if (options.ownReader === true) {
        database.#reader = await connect(file, sqlite3.OPEN_READONLY);
        database.#reader.configure('busyTimeout', BUSY_WAIT_MS);
        database.#readerStatements = new StatementCache(database.#reader);
      }
      database.#opened = identityOf(file);
      return database;
    } catch (error) {
      await database.close();
      throw error instanceof DamagedError || error instanceof EdgeError || isDamage(error)
        ? error
        : failed(`cannot prepare ${file}`, error, machineHint(error) ?? 'see the cause');
    }
  }

  /** Of programs that begin a new file at once, SQLite refuses all but one without waiting: the others look again. */
  async #becomeWal(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#exec('PRAGMA journal_mode = WAL;');
        return;
      } catch (error) {
        if (!isBusy(error) || attempt === WAL_ATTEMPTS) throw error;
      }
    }
  }

  async #migrate(migrations: readonly string[]): Promise<void> {
    const newest = migrations.length;
    if ((await this.#version(newest)) === newest) return;
    this.#handle.configure('busyTimeout', MIGRATION_WAIT_MS);
    await this.#exec('BEGIN IMMEDIATE;');
    // Another program may have done it meanwhile: from here on nobody does.
    const missing = migrations.slice(await this.#version(newest));
    await this.#exec([...missing, `PRAGMA user_version = ${newest}`, 'COMMIT;'].join(';\n'));
    this.#handle.configure('busyTimeout', BUSY_WAIT_MS);
  }

  async #version(newest: number): Promise<number> {
    const version = Number((await this.#get('PRAGMA user_version'))['user_version']);
    if (version <= newest) return version;
    throw new EdgeError(
      'STATE_DB_FAILED',
      `${this.file} is of version ${version}; this program knows up to ${newest}`,
      { hint: 'install the newer program again, or move the file away' },
    );
  }

  /**
   * Runs `work` in a transaction that it may share with others that wait; when it rejects, nothing of it remains
   * and the others are written without it. `work` may therefore run more than once: it changes nothing but the file.
   * Rejects with EdgeError STATE_DB_FAILED, or STATE_DB_BUSY when too many writes wait already.
   */
  write<T>(work: (writer: Writer) => Promise<T>, lane: Lane = 'alarm'): Promise<T> {
    return this.#enqueue(work, lane, false);
  }

  /**
   * As `write`, for work that is one statement: where nothing shares its transaction it is one by itself, and so one hop to
   * SQLite's thread instead of three. Rejects with TypeError at a second statement; the first
   * one then stands.
   */
  writeOne<T>(work: (writer: Writer) => Promise<T>, lane: Lane): Promise<T> {
    return this.#enqueue(work, lane, true);
  }

  #enqueue<T>(work: (writer: Writer) => Promise<T>, lane: Lane, isOneStatement: boolean): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const taken = this.#lanes.push({
        lane,
        isOneStatement,
        attempt: async (writer) => {
          const value = await work(writer);
          return () => resolve(value);
        },
        reject,
      });
      if (!taken) {
        this.#refused += 1;
        const hint = 'the disk is slower than what is to be recorded: look for a flood of requests or alarms';
        reject(
          new EdgeError('STATE_DB_BUSY', `too many writes wait for ${this.file}`, { hint, retry: 'safe' }),
        );
        return;
      }
      this.#writing ??= this.#writeWaiting();
    });
  }

  async #writeWaiting(): Promise<void> {
    // What the caller writes in the same breath joins the first transaction.
    await Promise.resolve();
    for (;;) {
      for (const work of this.#between.splice(0)) await work();
      const jobs = this.#lanes.next();
      if (jobs.length > 0) await this.#commit(jobs);
      else if (this.#between.length === 0) break;
    }
    this.#writing = undefined;
  }

  async #commit(jobs: readonly Job[]): Promise<void> {
    const isWhole = jobs.length === 1 && jobs[0]?.isOneStatement === true;
    const told: (() => void)[] = [];
    let current: Job | undefined;
    let changes = 0;
    let statements = 0;
    const next = (): StatementCache => {
      statements += 1;
      if (isWhole && statements > 1) throw new TypeError('a second statement would be another transaction');
      return this.#statements;
    };
    const writer: Writer = {
      run: async (sql, parameters) => {
        const changed = await next().run(sql, parameters);
        changes += changed;
        return changed;
      },
      runView: async (sql, parameters) => {
        await next().run(sql, parameters);
        changes += 1;
      },
      all: (row, sql, parameters) => this.#all(next(), row, sql, parameters),
      onCommitted: (tell) => void told.push(tell),
    };
    try {
      if (!isWhole) await this.#statements.run('BEGIN IMMEDIATE');
      const written: (() => void)[] = [];
      for (const job of jobs) {
        current = job;
        written.push(await job.attempt(writer));
      }
      if (!isWhole) {
        current = undefined;
        await this.#statements.run('COMMIT');
      }
      this.#transactions += 1;
      this.#checkpoints?.committed();
      // A transaction that changed nothing has not touched the disk, and proves nothing about it.
      if (changes > 0) this.#trouble = undefined;
      for (const tell of [...told, ...written]) tell();
    } catch (error) {
      // SQLite ends the transaction itself after some errors, and ROLLBACK then fails: the first error is the cause.
      await this.#exec('ROLLBACK').catch(() => undefined);
      this.#settleFailed(jobs, current, error);
    }
  }

  #settleFailed(jobs: readonly Job[], culprit: Job | undefined, error: unknown): void {
    const hint = machineHint(error);
    if (hint !== undefined) this.#trouble = `${messageOf(error)}; ${hint}`;
    const failure =
      error instanceof EdgeError
        ? error
        : failed(`writing ${this.file}`, error, hint ?? 'see the cause and the log');
    const atFault = culprit === undefined || hint !== undefined ? jobs : [culprit];
    for (const job of atFault) job.reject(failure);
    this.#lanes.putBack(jobs.filter((job) => !atFault.includes(job)));
  }

  /**
   * From now on what is deleted or replaced is overwritten with zeros, or no more: it costs every write time. Rejects with EdgeError
   * STATE_DB_FAILED.
   */
  overwriteDeleted(isOn: boolean): Promise<void> {
    return this.#alone(() => this.#exec(`PRAGMA secure_delete = ${isOn ? 'ON' : 'OFF'};`));
  }

  /**
   * Makes the file anew without anything that was deleted or replaced, in room for as much again; writes wait for it, readers do
   * not. Rejects with EdgeError STATE_DB_FAILED.
   */
  rebuild(): Promise<void> {
    return this.#alone(() => this.#exec('VACUUM;'));
  }

  /** Carries the log into the file and empties it. Rejects with EdgeError STATE_DB_FAILED, also while a reader holds it. */
  emptyLog(): Promise<void> {
    return this.#alone(async () => {
      const { busy } = await this.#get('PRAGMA wal_checkpoint(TRUNCATE)');
      if (busy !== 0) throw new Error('somebody reads it');
    });
  }

  #alone(work: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#between.push(() =>
        work().then(resolve, (error: unknown) =>
          reject(failed(`cleaning ${this.file}`, error, machineHint(error) ?? 'see the cause')),
        ),
      );
      this.#writing ??= this.#writeWaiting();
    });
  }

  /** The first fault that a check of the whole file finds, or undefined: about a second on 150 MB, beside other work. */
  async check(): Promise<string | undefined> {
    const found = String((await this.#get('PRAGMA quick_check(1)', this.#reader))['quick_check']);
    return found === 'ok' ? undefined : found;
  }

  /** Whether the file at the path is no longer the one that is open: what is written then is lost. */
  isRemoved(): boolean {
    return identityOf(this.file) !== this.#opened;
  }

  /** Follows the last write that touched the disk. */
  health(): Health {
    const { alarm, session, audit } = this.#lanes.waiting;
    const figures = {
      waiting_alarms: alarm,
      waiting_sessions: session,
      waiting_audit: audit,
      refused: this.#refused,
      transactions: this.#transactions,
      checkpoints_failed: this.#checkpoints?.failed ?? 0,
    };
    return this.#trouble === undefined
      ? { status: 'ok', detail: this.file, figures }
      : { status: 'down', detail: `cannot write ${this.file}: ${this.#trouble}`, figures };
  }

  all<S extends z.ZodType>(row: S, sql: string, parameters?: readonly Parameter[]): Promise<z.output<S>[]> {
    return this.#all(this.#readerStatements ?? this.#statements, row, sql, parameters);
  }

  async #all<S extends z.ZodType>(
    statements: StatementCache,
    row: S,
    sql: string,
    parameters: readonly Parameter[] = [],
  ): Promise<z.output<S>[]> {
    const rows = await statements.all(sql, parameters);
    return rows.map((found) => row.parse(found));
  }

  /** Writes what waits, then closes; a second call does nothing more. */
  async close(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
    const reader = this.#reader;
    await Promise.all([
      this.#statements.close(),
      this.#readerStatements?.close(),
      this.#checkpoints?.close(),
    ]);
    if (reader !== undefined) await new Promise<void>((resolve) => reader.close(() => resolve()));
    await new Promise<void>((resolve) => this.#handle.close(() => resolve()));
  }

  #exec(sql: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#handle.exec(sql, (error) => (error === null ? resolve() : reject(error)));
    });
  }

  #get(sql: string, handle = this.#handle): Promise<Record<string, unknown>> {
    return new Promise((resolve, reject) => {
      handle.get(sql, (error: Error | null, row: Record<string, unknown> | undefined) =>
        error === null ? resolve(row ?? {}) : reject(error),
      );
    });
  }
}

class DamagedError extends Error {}
