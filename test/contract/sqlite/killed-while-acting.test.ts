import { expect, it } from 'vitest';
import { killAgainAndAgain } from '../../support/ledger-kills.ts';
import { scratchDirectory } from '../../support/state-site.ts';

/** Two at a time, without a seed: a process differs in its timing each time anyway. */
const PROGRAMS = 2;
const KILLS_EACH = 12;

it('loses nothing, repeats no effect and tears nothing when it is killed at any moment of a plan', {
  timeout: 300_000,
}, async () => {
  const directories = Array.from({ length: PROGRAMS }, () => scratchDirectory());
  try {
    const reports = await Promise.all(directories.map(({ path }) => killAgainAndAgain(path, KILLS_EACH)));
    expect(reports.flatMap(({ faults }) => faults)).toEqual([]);
    // Kills that never met a plan half way would prove nothing.
    for (const { effects, cutInHalf } of reports)
      expect(Math.min(effects, cutInHalf)).toBeGreaterThan(KILLS_EACH / 4);
  } finally {
    for (const directory of directories) directory.remove();
  }
});
