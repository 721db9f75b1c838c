import { existsSync, statSync } from 'node:fs';
import { z } from 'zod';
import type { Cancel, Clocks, Scheduler } from '../../runtime/clocks.ts';
import { EdgeError, messageOf } from '../../runtime/edge-error.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Health } from '../../runtime/service.ts';
import { Database } from './database.ts';
import { setAside } from './database-file.ts';
import { keepWithin } from './memory-bounds.ts';
import { isToBeCleared } from './memory-erasure.ts';
import { MemoryFrequencies } from './memory-frequencies.ts';
import { MEMORY_MIGRATIONS } from './memory-migrations.ts';
import { INTO_MEMORY, insertOnce, memoryRows } from './memory-rows.ts';
import { type Salvaged, salvage } from './memory-salvage.ts';
import { isDamage } from './sqlite-failure.ts';

export interface MemoryParts {
  readonly clocks: Clocks;
  readonly scheduler: Scheduler;
  readonly logger: Logger;
  /** How the file is opened; `Database.open` when not given. */
  readonly openDatabase?: typeof Database.open;
}

/** The file while it is open. */
export interface OpenMemory {
  readonly database: Database;
  readonly frequencies: MemoryFrequencies;
}

const DATABASE_OPTIONS = { checkFirst: false, ownReader: true, prompt: true } as const;
/** Of the connection that reads, in KiB. */
const READER_CACHE_KIB = 16_384;
/** What is left to do, or did not work, is tried again after so long, in ms. */
const TICK_MS = 30_000;
/** A damaged file is read for so long at most, in ms. */
const SALVAGE_MS = 20_000;

/** The life of `memory.db`: opened, kept small, set aside and saved from when it is damaged, cleared after an erasure. */
export class MemoryFile {
  readonly file: string;
  readonly #parts: MemoryParts;
  #open: OpenMemory | undefined;
  /** The end of the line of what opens, replaces or clears the file: one at a time. */
  #line: Promise<unknown> = Promise.resolve();
  #timer: Cancel | undefined;
  #stopped = false;
  #trouble: string | undefined;
  #isToBeCleared = false;
  #note: string | undefined;
  #saved: Salvaged | undefined;

  constructor(file: string, parts: MemoryParts) {
    this.file = file;
    this.#parts = parts;
  }

  /** Opens the file; one that is damaged is set aside. Without a disk it starts all the same, `down`, and tries again. */
  async start(): Promise<void> {
    this.#stopped = false;
    await this.#inLine(() => this.#openFile()).catch((error: unknown) => this.#failed('opening', error));
    this.#schedule();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.();
    await this.#line;
    await this.#open?.database.close();
    this.#open = undefined;
  }

  /** Checks the whole file; a damaged one is set aside, what can be read of it saved, and false. */
  async check(): Promise<boolean> {
    await this.#line;
    const open = this.#open;
    if (open === undefined) return true;
    const fault = await open.database.check().catch((error: unknown) => {
      if (isDamage(error)) return messageOf(error);
      throw error;
    });
    if (fault === undefined) return true;
    await this.#replace(open, fault);
    await this.#line;
    return false;
  }

  /** Rejects with EdgeError MEMORY_DB_FAILED or STATE_DB_BUSY. */
  async use<T>(what: string, work: (open: OpenMemory) => Promise<T>): Promise<T> {
    const open = this.#open;
    if (open === undefined)
      throw new EdgeError('MEMORY_DB_FAILED', `${this.file} is not open`, {
        hint: 'see the health of memory for why',
        retry: 'safe',
      });
    try {
      return await work(open);
    } catch (error) {
      if (isDamage(causeOf(error)))
        void this.#replace(open, messageOf(error)).catch((failure: unknown) =>
          this.#failed('replacing', failure),
        );
      if (error instanceof EdgeError && error.code !== 'STATE_DB_FAILED') throw error;
      const hint = error instanceof EdgeError ? error.hint : undefined;
      throw new EdgeError('MEMORY_DB_FAILED', `${what} ${this.file}: ${messageOf(error)}`, {
        hint: hint ?? 'look at the log and at the disk; a damaged file is set aside by itself',
        cause: error,
        retry: 'safe',
      });
    }
  }

  /** Overwrites on the disk what was erased; false when that did not work yet. */
  async clear(): Promise<boolean> {
    this.#isToBeCleared = true;
    await this.#inLine(() => this.#clear()).catch((error: unknown) => this.#failed('clearing', error));
    return !this.#isToBeCleared;
  }

  health(): Health {
    const open = this.#open;
    const saved = this.#saved;
    const figures = {
      size_mb: this.bytes() / 1e6,
      ...open?.database.health().figures,
      ...(saved === undefined ? {} : { saved_episodes: saved.episodes, saved_facts: saved.facts }),
    };
    if (open === undefined)
      return { status: 'down', detail: this.#trouble ?? `${this.file} is not open`, figures };
    const { status, detail } = open.database.health();
    if (status !== 'ok') return { status, detail, figures };
    if (open.database.isRemoved())
      return { status: 'down', detail: `${this.file} was removed while it was open; restart`, figures };
    if (this.#isToBeCleared)
      return {
        status: 'degraded',
        detail: `what was erased may still be found in ${this.file}: ${this.#trouble ?? 'it is being cleared'}`,
        figures,
      };
    return this.#note === undefined
      ? { status: 'ok', detail: this.file, figures }
      : { status: 'degraded', detail: this.#note, figures };
  }

  /** What the file and its log take on the disk. */
  bytes(): number {
    return [this.file, `${this.file}-wal`].reduce(
      (sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
  }

  #schedule(): void {
    if (this.#stopped) return;
    this.#timer = this.#parts.scheduler.after(TICK_MS, () => {
      void this.#inLine(() => this.#tick())
        .catch((error: unknown) => this.#failed('keeping it in order', error))
        .finally(() => this.#schedule());
    });
  }

  async #tick(): Promise<void> {
    if (this.#open === undefined) await this.#openFile();
    if (this.#isToBeCleared) await this.#clear();
    await this.#open?.database.write(keepWithin, 'audit');
    this.#trouble = undefined;
  }

  async #openFile(): Promise<void> {
    const open = this.#parts.openDatabase ?? Database.open;
    const now = this.#parts.clocks.wall();
    const emptied = cannotBeOne(this.file) ? setAside(this.file, now) : undefined;
    const { database, damaged } = await open(this.file, MEMORY_MIGRATIONS, now, DATABASE_OPTIONS);
    try {
      await database.all(z.unknown(), `PRAGMA cache_size = -${READER_CACHE_KIB}`);
      await database.overwriteDeleted(true);
      this.#isToBeCleared = await isToBeCleared(database);
    } catch (error) {
      await database.close();
      throw error;
    }
    this.#open = { database, frequencies: new MemoryFrequencies(database) };
    this.#trouble = undefined;
    const aside = emptied ?? damaged;
    if (aside !== undefined) this.#saveFrom(aside, 'it is no database');
  }

  /** Sets the damaged file aside, begins a new one, and saves into it what can be read. */
  async #replace(damaged: OpenMemory, fault: string): Promise<void> {
    await this.#inLine(async () => {
      if (this.#open !== damaged) return;
      this.#open = undefined;
      await damaged.database.close();
      const aside = setAside(this.file, this.#parts.clocks.wall());
      await this.#openFile();
      this.#saveFrom(aside, fault);
    });
  }

  #saveFrom(aside: string, fault: string): void {
    const told = `memory.db was damaged and is set aside as ${aside}; a new one was begun`;
    this.#note = `${told}, and what can be read is being saved`;
    this.#parts.logger.error({ aside, fault }, told);
    void this.#inLine(async () => {
      const open = this.#open;
      if (open === undefined) return;
      const saved = await salvage(
        aside,
        async (found) => {
          const rows = memoryRows(found, { id: '', at: 0 });
          await open.database.write((writer) => insertOnce(writer.runView(INTO_MEMORY, rows)), 'audit');
        },
        this.#parts.clocks,
        SALVAGE_MS,
      );
      open.frequencies.forgetAll();
      this.#saved = saved;
      const rest = saved.isCutShort ? '; not all of it was looked at' : '';
      this.#note = `${told} with ${saved.episodes} episodes and ${saved.facts} facts saved from it${rest}`;
      this.#parts.logger.warn({ aside, ...saved }, 'what could be read of the damaged memory.db was saved');
    }).catch((error: unknown) => this.#failed('saving from the damaged file', error));
  }

  async #clear(): Promise<void> {
    const { database } = this.#open ?? {};
    if (database === undefined) return;
    await database.rebuild();
    await database.emptyLog();
    await database.write((writer) => writer.run("DELETE FROM meta WHERE key = 'to_clear'"), 'audit');
    this.#isToBeCleared = false;
  }

  #inLine<T>(job: () => Promise<T>): Promise<T> {
    const done = this.#line.then(job);
    this.#line = done.catch(() => undefined);
    return done;
  }

  #failed(what: string, error: unknown): void {
    const hint = error instanceof EdgeError && error.hint !== undefined ? `; ${error.hint}` : '';
    const trouble = `${messageOf(error)}${hint}`;
    if (this.#trouble !== trouble) this.#parts.logger.error({ error: trouble }, `memory: ${what} failed`);
    this.#trouble = trouble;
  }
}

/** A directory, or a file that is empty although it was begun: SQLite would refuse the one and say nothing of the other. */
function cannotBeOne(file: string): boolean {
  if (!existsSync(file)) return false;
  const found = statSync(file);
  return found.isDirectory() || (found.size === 0 && !existsSync(`${file}-wal`));
}

function causeOf(error: unknown): unknown {
  return error instanceof EdgeError ? error.cause : error;
}
