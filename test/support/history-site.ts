import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { Database } from '../../src/adapters/sqlite/database.ts';
import type { HistoryLimits } from '../../src/adapters/sqlite/history-limits.ts';
import { SqliteHistoryStore } from '../../src/adapters/sqlite/sqlite-history-store.ts';
import type { ClockState } from '../../src/domain/envelope.ts';
import type { Sample } from '../../src/domain/history/sample.ts';
import type { Clocks, Scheduler } from '../../src/runtime/clocks.ts';
import { silentLogger } from '../../src/runtime/logger.ts';

/** A history store on a file of its own, whose clocks stand still unless told. */
export class HistorySite {
  readonly directory = mkdtempSync(join(tmpdir(), 'hermes-history-'));
  readonly file = join(this.directory, 'history.db');
  nowMs = Date.UTC(2026, 0, 15, 6);
  clock: ClockState = 'synced';
  /** The machine's time since it was switched on. */
  monotonicMs = 0;
  bootId = 'boot 1';
  readonly #limits: Partial<HistoryLimits>;
  #seq = 0;
  #due: (() => void)[] = [];
  #database: Database | undefined;

  constructor(limits: Partial<HistoryLimits> = {}) {
    this.#limits = limits;
  }

  /** Opens the file as another life of the program would. */
  async open(limits: Partial<HistoryLimits> = {}): Promise<SqliteHistoryStore> {
    const site = this;
    const clocks: Clocks = {
      monotonicMs: () => site.monotonicMs,
      wall: () => new Date(site.nowMs),
      get bootId() {
        return site.bootId;
      },
      nextSeq: () => ++this.#seq,
    };
    const scheduler: Scheduler = {
      after: (_, run) => {
        this.#due.push(run);
        return () => {
          this.#due = this.#due.filter((other) => other !== run);
        };
      },
    };
    const store = new SqliteHistoryStore(
      { file: this.file, ...this.#limits, ...limits },
      {
        clocks,
        scheduler,
        logger: silentLogger(),
        clockState: () => this.clock,
        openDatabase: async (...how) => {
          const opened = await Database.open(...how);
          this.#database = opened.database;
          return opened;
        },
      },
    );
    await store.start();
    return store;
  }

  /** Lets the flush timer ring, and returns when the store has set it again. */
  async ring(): Promise<void> {
    const due = this.#due.splice(0);
    for (const run of due) run();
    while (this.#due.length < due.length) await new Promise((resolve) => setImmediate(resolve));
  }

  /** SQLite reports its own limit of pages exactly as it reports a full disk. */
  async limitPages(pages: number): Promise<void> {
    await this.#database?.write((writer) => writer.all(z.unknown(), `PRAGMA max_page_count = ${pages}`));
  }

  advance(byMs: number): void {
    this.nowMs += byMs;
    this.monotonicMs += byMs;
  }

  reboot(bootId: string): void {
    this.bootId = bootId;
    this.monotonicMs = 0;
    this.#seq = 0;
  }

  sample(value: Sample['value'], change: Partial<Sample> = {}): Sample {
    this.#seq += 1;
    return {
      ref: { machine: 'oven', point: 'temperature' },
      value,
      quality: value === undefined ? 'bad' : 'good',
      atMs: this.nowMs,
      clock: this.clock,
      bootId: this.bootId,
      monotonicMs: this.monotonicMs,
      seq: this.#seq,
      ...change,
    };
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}
