/**
 * Remembers into the memory file named on the command line, one capture after the other, until it is killed. Prints the number
 * of each that is on disk for sure. What it writes is a function of that number alone.
 */
import { writeSync } from 'node:fs';
import { SqliteMemoryStore } from '../../src/adapters/sqlite/sqlite-memory-store.ts';
import { systemClocks, systemScheduler } from '../../src/runtime/clocks.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { capture } from './memory-site.ts';

const [file = '', first = '0'] = process.argv.slice(2);
const store = new SqliteMemoryStore(
  { file },
  { clocks: systemClocks(), scheduler: systemScheduler, logger: silentLogger() },
);
await store.start();
for (let n = Number(first); ; n += 1) {
  await store.commit(capture(n));
  writeSync(1, `${n}\n`);
}
