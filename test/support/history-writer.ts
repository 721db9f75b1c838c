/**
 * Records samples into the history file named on the command line, until it is killed. Prints the number of the newest
 * sample that is on disk for sure. What it writes is a function of that number alone.
 */
import { SqliteHistoryStore } from '../../src/adapters/sqlite/sqlite-history-store.ts';
import { systemClocks, systemScheduler } from '../../src/runtime/clocks.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { WRITTEN_START_MS, writtenSample } from './history-written.ts';

const [file = '', bootId = '', first = '0'] = process.argv.slice(2);
const store = new SqliteHistoryStore(
  { file, flushIntervalMs: 1_000_000 },
  {
    clocks: { ...systemClocks(), bootId, wall: () => new Date(WRITTEN_START_MS) },
    scheduler: systemScheduler,
    logger: silentLogger(),
    clockState: () => 'synced',
  },
);
await store.start();
for (let n = Number(first); ; n += 20) {
  for (let i = 0; i < 20; i += 1) store.append([writtenSample(n + i, bootId)]);
  await ((n / 20) % 5 === 4 ? store.checkpoint() : store.flush());
  process.stdout.write(`${n + 19}\n`);
}
