/**
 * `kill -9` of a whole assistant that two people talk to, at moments nobody chose (as often as the first argument says; the
 * second is the seed): nothing may be lost, and no write, order, mail or report may come twice. Ends with one JSON line, after
 * SIGTERM too.
 */

import { report } from '../bench/report.ts';
import { killAssistantAgainAndAgain } from '../support/assistant-kills.ts';
import { scratchDirectory } from '../support/state-site.ts';

const KILLS = Number(process.argv[2] ?? 300);
const SEED = Number(process.argv[3] ?? Math.floor(Math.random() * 1e9));

console.log(`seed ${SEED}`);
const directory = scratchDirectory();
const early = new AbortController();
process.once('SIGTERM', () => early.abort());
const { kills, fell, figures, faults } = await killAssistantAgainAndAgain(
  directory.path,
  KILLS,
  SEED,
  early.signal,
);
directory.remove();

for (const fault of faults) console.log(fault);
const where = Object.entries(fell).map(([place, times]) => [`fell_${place}`, times]);
report(
  'assistant',
  { faults: faults.length, kills, ...Object.fromEntries(where), ...figures },
  { faults: 0 },
);
