/**
 * A program that follows the ring of `PORT KIND CAPACITY` with its database in DIRECTORY, and has a consumer that writes
 * the number of each record it handled to stdout. Lives until it is killed.
 */
import { writeSync } from 'node:fs';
import { numbersOf, startLogReader } from './plc-log.ts';
import { ringPlant } from './pymodbus-ring.ts';

const [port, kind, capacity, directory = ''] = process.argv.slice(2);
const plant = ringPlant({
  port: Number(port),
  kind: kind === 'slot' ? 'slot' : 'records',
  capacity: Number(capacity),
  pollIntervalMs: 50,
});
await startLogReader(plant, directory, {
  before: (reader) => {
    reader.onRecord({
      name: 'printer',
      begin: 'oldest',
      handle: async (entry) => {
        for (const number of numbersOf([entry])) writeSync(1, `handled ${number}\n`);
      },
    });
  },
});
writeSync(1, 'ready\n');
