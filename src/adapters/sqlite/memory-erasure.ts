import { z } from 'zod';
import type { Erasure, ErasureCounts } from '../../app/ports/memory-store.ts';
import { namesAnyOf } from '../../domain/memory/names-any-of.ts';
import type { Writer } from './database.ts';
import { splitTerms } from './memory-frequencies.ts';
import { bodySchema, countSchema, episodeOf, factOf } from './memory-rows.ts';

const foundSchema = bodySchema.extend({ arrival: z.int(), id: z.string(), terms: z.string() });
const foundFactSchema = bodySchema.extend({ id: z.string() });
const neighbourSchema = z.object({ arrival: z.int(), terms: z.string(), around: z.string() });
const termSchema = z.object({ term: z.string() });

/**
 * Removes a person from `memory.db` in the transaction of `writer`, and marks the file to be cleared of the bytes. What was
 * around a removed episode stands in the words of its neighbours: those that no other episode has as its own go there too.
 */
export async function erasePerson(
  writer: Writer,
  person: Erasure,
  tombstone: { readonly id: string; readonly atMs: number },
): Promise<Omit<ErasureCounts, 'files' | 'cleared'>> {
  const episodes = await episodesOf(writer, person);
  const facts = await factsNaming(writer, person);
  const ids = JSON.stringify([...episodes.map(({ id }) => id), ...facts]);
  await writer.run('DELETE FROM episode WHERE arrival IN (SELECT value FROM json_each(?))', [
    JSON.stringify(episodes.map(({ arrival }) => arrival)),
  ]);
  await writer.run('DELETE FROM fact WHERE id IN (SELECT value FROM json_each(?))', [JSON.stringify(facts)]);
  const pseudonymised = await writer.run(
    `UPDATE fact SET user_id = ?1, body = json_set(body, '$.userId', ?1)
       WHERE user_id IN (SELECT value FROM json_each(?2))`,
    [person.pseudonym, JSON.stringify(person.personIds)],
  );
  await writer.run(
    `UPDATE fact SET body = json_remove(body, '$.episodeId')
       WHERE body ->> '$.episodeId' IN (SELECT value FROM json_each(?))`,
    [ids],
  );
  await dropFromAround(writer, [...episodes.flatMap(({ terms }) => splitTerms(terms)), ...formTerms(person)]);
  const logEntries = await pseudonymiseLog(writer, person, ids);
  await writer.run('DELETE FROM change WHERE id IN (SELECT value FROM json_each(?))', [ids]);
  await writer.run("INSERT INTO tombstone (id, at, reason, episodes, facts) VALUES (?, ?, 'erase', ?, ?)", [
    tombstone.id,
    tombstone.atMs,
    episodes.length,
    facts.length,
  ]);
  await writer.run("INSERT INTO change (kind, id) VALUES ('erase', ?)", [tombstone.id]);
  await writer.run(
    `INSERT INTO memory_log (at, action, target, source, bytes_before, bytes_after) VALUES (?, 'erase', ?, 'operator', ?, 0)`,
    [tombstone.atMs, tombstone.id, episodes.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0)],
  );
  // A term that is gone can still stand in the index as what separates two of its pages.
  await writer.run("INSERT INTO episode_fts (episode_fts) VALUES ('rebuild')");
  await writer.run("INSERT INTO meta (key, value) VALUES ('to_clear', '') ON CONFLICT (key) DO NOTHING");
  return { id: tombstone.id, episodes: episodes.length, facts: facts.length, pseudonymised, logEntries };
}

/** Whether bytes of something that was erased may still be in the files. */
export async function isToBeCleared(writer: Pick<Writer, 'all'>): Promise<boolean> {
  const [found] = await writer.all(countSchema, "SELECT count(*) AS n FROM meta WHERE key = 'to_clear'");
  return (found?.n ?? 0) > 0;
}

/** As a text can stand inside JSON, in the cases that SQLite itself does not fold. */
function spellings({ personIds, forms }: Erasure): string {
  const all = [...personIds, ...forms].flatMap((form) => [form, form.toLowerCase(), form.toUpperCase()]);
  return JSON.stringify([...new Set(all.map((form) => JSON.stringify(form).slice(1, -1)))]);
}

const NAMED = `EXISTS (SELECT 1 FROM json_each(?) AS form WHERE instr(lower(body), lower(form.value)) > 0)`;

async function episodesOf(writer: Writer, person: Erasure) {
  const keys = person.personIds.map((id) => `person:${id}`);
  const rows = await writer.all(
    foundSchema,
    `SELECT episode.arrival, episode.id, body, terms || ' ' || around AS terms
       FROM episode JOIN episode_text USING (arrival)
       WHERE user_id IN (SELECT value FROM json_each(?))
         OR arrival IN (SELECT arrival FROM entity WHERE key IN (SELECT value FROM json_each(?)))
         OR ${NAMED}`,
    [JSON.stringify(person.personIds), JSON.stringify(keys), spellings(person)],
  );
  return rows.filter((row) => {
    const { userId, text, summary, entities, deeds } = episodeOf(row);
    const isOf = person.personIds.includes(userId);
    // What only sounds like the person was never said of them.
    const names = entities
      .filter(({ exact }) => exact)
      .flatMap(({ text: as, id }) => (id === undefined ? [as] : [as, id]));
    const targets = deeds.flatMap(({ target }) => (target === undefined ? [] : [target]));
    return isOf || namesPerson([text, summary, ...names, ...targets], person);
  });
}

async function factsNaming(writer: Writer, person: Erasure): Promise<string[]> {
  const rows = await writer.all(foundFactSchema, `SELECT id, body FROM fact WHERE ${NAMED}`, [
    spellings(person),
  ]);
  return rows
    .filter((row) => {
      const { subject, predicate, value, text } = factOf(row);
      return namesPerson([subject, predicate, String(value), text], person);
    })
    .map(({ id }) => id);
}

function namesPerson(texts: readonly string[], { personIds, forms }: Erasure): boolean {
  return texts.some((text) => namesAnyOf(text, [...personIds, ...forms]));
}

function formTerms({ personIds, forms }: Erasure): string[] {
  return [...personIds, ...personIds.map((id) => `person:${id}`), ...forms].flatMap(splitTerms);
}

async function dropFromAround(writer: Writer, terms: readonly string[]): Promise<void> {
  const orphans = await writer.all(
    termSchema,
    `SELECT term FROM episode_term AS known WHERE col = 'around' AND term IN (SELECT value FROM json_each(?))
       AND NOT EXISTS (SELECT 1 FROM episode_term WHERE term = known.term AND col = 'terms')`,
    [JSON.stringify([...new Set(terms)])],
  );
  const gone = new Set(orphans.map(({ term }) => term));
  for (const term of gone) {
    const rows = await writer.all(
      neighbourSchema,
      'SELECT arrival, terms, around FROM episode_text WHERE arrival IN (SELECT rowid FROM episode_fts WHERE episode_fts MATCH ?)',
      [`around : "${term.replaceAll('"', '""')}"`],
    );
    for (const { arrival, terms: own, around } of rows) {
      const kept = splitTerms(around).filter((other) => !gone.has(other));
      await writer.run(
        "INSERT INTO episode_fts (episode_fts, rowid, terms, around) VALUES ('delete', ?, ?, ?)",
        [arrival, own, around],
      );
      await writer.run('UPDATE episode_text SET around = ? WHERE arrival = ?', [kept.join(' '), arrival]);
      await writer.run('INSERT INTO episode_fts (rowid, terms, around) VALUES (?, ?, ?)', [
        arrival,
        own,
        kept.join(' '),
      ]);
    }
  }
}

/** An entry stays: that something was done, to nobody knows whom. */
async function pseudonymiseLog(writer: Writer, person: Erasure, ids: string): Promise<number> {
  const told = (column: string) =>
    `(${column} IN (SELECT value FROM json_each(?2))
      OR EXISTS (SELECT 1 FROM json_each(?3) AS form WHERE instr(lower(${column}), lower(form.value)) > 0))`;
  return writer.run(
    `UPDATE memory_log SET target = iif(${told('target')}, ?1, target), source = iif(${told('source')}, ?1, source)
       WHERE ${told('target')} OR ${told('source')}`,
    [person.pseudonym, ids, spellings(person)],
  );
}
