/**
 * `kill -9` of a program that carries out plans, hundreds of times at moments nobody chose (as many as the first argument
 * says): nothing may be lost, repeated or torn. Ends with one JSON line.
 */

import { report } from '../bench/report.ts';
import { killAgainAndAgain } from '../support/ledger-kills.ts';
import { scratchDirectory } from '../support/state-site.ts';

const KILLS = Number(process.argv[2] ?? 400);
const PROGRAMS = 2;

const directories = Array.from({ length: PROGRAMS }, () => scratchDirectory());
const found = await Promise.all(
  directories.map(({ path }) => killAgainAndAgain(path, Math.ceil(KILLS / PROGRAMS))),
);
for (const directory of directories) directory.remove();

const faults = found.flatMap((each) => each.faults);
for (const fault of faults) console.log(fault);
const sum = (of: (each: (typeof found)[number]) => number): number =>
  found.reduce((total, each) => total + of(each), 0);
report(
  'ledger',
  {
    faults: faults.length,
    kills: sum(({ kills }) => kills),
    killed_in_an_action: sum(({ cutInHalf }) => cutInHalf),
    sessions: sum(({ sessions }) => sessions),
    effects: sum(({ effects }) => effects),
  },
  { faults: 0 },
);
