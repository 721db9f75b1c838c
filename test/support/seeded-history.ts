import { SqliteHistoryStore } from '../../src/adapters/sqlite/sqlite-history-store.ts';
import type { PointRef } from '../../src/domain/plc/point-ref.ts';
import { systemClocks, systemScheduler } from '../../src/runtime/clocks.ts';
import { silentLogger } from '../../src/runtime/logger.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** China has no summer time. */
const SHANGHAI_OFFSET_MS = 8 * HOUR_MS;

/** One point's yesterday: one value until noon, another after it. */
export interface SeededDay {
  readonly ref: PointRef;
  readonly morning: number;
  readonly afternoon: number;
}

/** Writes yesterday, as Shanghai counts it, into a history file that no daemon uses yet: a value a minute. */
export async function seedYesterday(file: string, days: readonly SeededDay[]): Promise<void> {
  const clocks = systemClocks();
  const nowMs = clocks.wall().getTime();
  const todayMs = Math.floor((nowMs + SHANGHAI_OFFSET_MS) / DAY_MS) * DAY_MS - SHANGHAI_OFFSET_MS;
  const bootId = 'the day before';
  const store = new SqliteHistoryStore(
    { file, flushIntervalMs: HOUR_MS },
    {
      clocks: { ...clocks, bootId },
      scheduler: systemScheduler,
      logger: silentLogger(),
      clockState: () => 'synced',
    },
  );
  await store.start();
  for (const { ref, morning, afternoon } of days)
    for (let minute = 0; minute < DAY_MS / MINUTE_MS; minute += 1)
      store.append([
        {
          ref,
          value: minute < 12 * 60 ? morning : afternoon,
          quality: 'good',
          atMs: todayMs - DAY_MS + minute * MINUTE_MS,
          clock: 'synced',
          bootId,
          monotonicMs: minute * MINUTE_MS,
          seq: clocks.nextSeq(),
          holdMs: 2 * MINUTE_MS,
        },
      ]);
  await store.checkpoint();
  await store.stop();
}
