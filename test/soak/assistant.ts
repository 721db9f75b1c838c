/**
 * `kill -9` of a whole assistant that two people talk to, at moments nobody chose (as often as the first argument says; the
 * second is the seed): nothing may be lost, no write, order or report may come twice, and a mail only under its one id. Of
 * many kills some have to fall where it matters. Ends with one JSON line, after SIGTERM too.
 */

import { report } from '../bench/report.ts';
import { killAssistantAgainAndAgain } from '../support/assistant-kills.ts';
import { scratchDirectory } from '../support/state-site.ts';

const KILLS = Number(process.argv[2] ?? 300);
const SEED = Number(process.argv[3] ?? Math.floor(Math.random() * 1e9));
/** So many kills cannot all miss these by chance. */
const MANY_KILLS = 50;
const HAS_TO_FALL = ['running_write-value', 'confirming'];

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
const missed = kills < MANY_KILLS ? [] : HAS_TO_FALL.filter((place) => (fell[place] ?? 0) === 0);
for (const place of missed) console.log(`none of ${kills} kills fell on ${place}: they prove nothing of it`);
const where = Object.entries(fell).map(([place, times]) => [`fell_${place}`, times]);
report(
  'assistant',
  { faults: faults.length, kills, missed: missed.length, ...Object.fromEntries(where), ...figures },
  { faults: 0, missed: 0 },
);
