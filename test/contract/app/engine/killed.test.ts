import { expect, it } from 'vitest';
import { killAssistantAgainAndAgain } from '../../../support/assistant-kills.ts';
import { scratchDirectory } from '../../../support/state-site.ts';

/** As many as fit into the time of a test; hundreds are the matter of `scripts/soak assistant`. */
const KILLS = 6;

it('loses nothing, repeats no write, order or report, and sends a mail again under its one id alone, when it is killed at any moment of a conversation', {
  timeout: 300_000,
}, async () => {
  const directory = scratchDirectory();
  const seed = Math.floor(Math.random() * 1e9);
  try {
    const { figures, ...seen } = await killAssistantAgainAndAgain(directory.path, KILLS, seed);
    expect(seen).toMatchObject({ seed, faults: [] });
    // Kills that met nobody who talks would prove nothing.
    expect(figures['consents']).toBeGreaterThan(0);
  } finally {
    directory.remove();
  }
});
