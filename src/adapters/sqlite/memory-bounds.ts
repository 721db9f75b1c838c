import type { Writer } from './database.ts';

/** So many entries of the log are kept. */
export const KEPT_LOG = 50_000;
/** So many changes: a copy elsewhere that stayed away for longer has to look at everything. */
const KEPT_CHANGES = 200_000;

/** Drops the oldest of what would grow for ever. */
export async function keepWithin(writer: Writer): Promise<void> {
  await writer.run('DELETE FROM memory_log WHERE seq <= (SELECT max(seq) FROM memory_log) - ?', [KEPT_LOG]);
  const dropped = await writer.run('DELETE FROM change WHERE seq <= (SELECT max(seq) FROM change) - ?', [
    KEPT_CHANGES,
  ]);
  if (dropped > 0)
    await writer.run(
      `INSERT INTO meta (key, value) SELECT 'dropped_changes', min(seq) - 1 FROM change WHERE true
         ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    );
}
