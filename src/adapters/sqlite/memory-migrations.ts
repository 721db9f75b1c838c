/** `memory.db`, one entry a version; entries are never changed once they were released, only added to. */
export const MEMORY_MIGRATIONS: readonly string[] = [
  // episode is what is filtered and sorted by, small enough to stay in memory; what is long stands in episode_text.
  // entity: `kind:id`, in the order of time within each. change: what a copy elsewhere has to follow. tombstone: no content.
  `CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
   INSERT INTO meta VALUES ('feed', lower(hex(randomblob(16))));
   CREATE TABLE episode (
     arrival INTEGER PRIMARY KEY,
     id TEXT NOT NULL UNIQUE,
     at INTEGER NOT NULL,
     class TEXT NOT NULL,
     kind TEXT NOT NULL,
     scope TEXT NOT NULL,
     user_id TEXT NOT NULL,
     confirmed_at INTEGER NOT NULL,
     candidate_since INTEGER
   ) STRICT;
   CREATE INDEX episode_at ON episode (at);
   CREATE INDEX episode_candidate ON episode (candidate_since) WHERE candidate_since IS NOT NULL;
   CREATE TABLE episode_text (
     arrival INTEGER PRIMARY KEY, body TEXT NOT NULL, terms TEXT NOT NULL, around TEXT NOT NULL
   ) STRICT;
   -- Whatever stands between two spaces is one term, also with a hyphen, a colon or an accent.
   CREATE VIRTUAL TABLE episode_fts USING fts5(
     terms, around, content = 'episode_text', content_rowid = 'arrival', detail = column,
     tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'"
   );
   INSERT INTO episode_fts (episode_fts, rank) VALUES ('secure-delete', 1);
   CREATE VIRTUAL TABLE episode_term USING fts5vocab(episode_fts, col);
   CREATE TABLE entity (
     key TEXT NOT NULL, at INTEGER NOT NULL, arrival INTEGER NOT NULL, PRIMARY KEY (key, at, arrival)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE fact (
     arrival INTEGER PRIMARY KEY,
     id TEXT NOT NULL UNIQUE,
     scope TEXT NOT NULL,
     subject TEXT NOT NULL,
     predicate TEXT NOT NULL,
     status TEXT NOT NULL,
     user_id TEXT NOT NULL,
     recorded_at INTEGER NOT NULL,
     superseded_at INTEGER,
     is_disputed INTEGER NOT NULL,
     body TEXT NOT NULL
   ) STRICT;
   CREATE INDEX fact_key ON fact (subject, predicate, scope, recorded_at);
   CREATE INDEX fact_now ON fact (status, recorded_at) WHERE superseded_at IS NULL;
   CREATE TABLE memory_log (
     seq INTEGER PRIMARY KEY,
     at INTEGER NOT NULL,
     action TEXT NOT NULL,
     target TEXT NOT NULL,
     source TEXT NOT NULL,
     bytes_before INTEGER NOT NULL,
     bytes_after INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE change (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     kind TEXT NOT NULL CHECK (kind IN ('episode', 'fact', 'forget', 'erase')),
     id TEXT NOT NULL
   ) STRICT;
   CREATE TABLE tombstone (
     seq INTEGER PRIMARY KEY,
     id TEXT NOT NULL UNIQUE,
     at INTEGER NOT NULL,
     reason TEXT NOT NULL CHECK (reason IN ('forget', 'erase')),
     episodes INTEGER NOT NULL,
     facts INTEGER NOT NULL
   ) STRICT;
   -- Removing one removes it from the full text and from the entities it is found by.
   CREATE TRIGGER episode_removed BEFORE DELETE ON episode BEGIN
     INSERT INTO episode_fts (episode_fts, rowid, terms, around)
       SELECT 'delete', arrival, terms, around FROM episode_text WHERE arrival = OLD.arrival;
     DELETE FROM entity WHERE key IN (
         SELECT (value ->> 'kind') || ':' || (value ->> 'id') FROM episode_text, json_each(body, '$.entities')
         WHERE arrival = OLD.arrival AND value ->> 'id' IS NOT NULL
         UNION ALL SELECT 'person:' || OLD.user_id
         UNION ALL SELECT 'project:' || (body ->> '$.project') FROM episode_text
           WHERE arrival = OLD.arrival AND body ->> '$.project' IS NOT NULL
       ) AND at = OLD.at AND arrival = OLD.arrival;
     DELETE FROM episode_text WHERE arrival = OLD.arrival;
   END;
   -- What is written together is one statement, a JSON array for each table: each statement is a hop to SQLite's thread.
   CREATE VIEW incoming (episodes, amended, facts, forgotten_episodes, forgotten_facts, log, tombstone)
     AS SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL;
   CREATE TRIGGER incoming_written INSTEAD OF INSERT ON incoming BEGIN
     SELECT RAISE(ABORT, 'repeated') WHERE json_array_length(NEW.episodes) > 0 AND NOT EXISTS (
       SELECT 1 FROM json_each(NEW.episodes) WHERE NOT EXISTS (SELECT 1 FROM episode WHERE id = value ->> 'id'));
     INSERT INTO change (kind, id)
       SELECT 'episode', value ->> 'id' FROM json_each(NEW.episodes)
       WHERE NOT EXISTS (SELECT 1 FROM episode WHERE id = value ->> 'id') ORDER BY key;
     INSERT INTO episode (id, at, class, kind, scope, user_id, confirmed_at)
       SELECT value ->> 'id', value ->> 'at', value ->> 'class', value ->> 'kind', value ->> 'scope', value ->> 'userId',
         value ->> 'confirmedAt'
       FROM json_each(NEW.episodes) WHERE true ORDER BY key
       ON CONFLICT (id) DO NOTHING;
     INSERT INTO episode_fts (rowid, terms, around)
       SELECT arrival, value ->> 'terms', value ->> 'around'
       FROM json_each(NEW.episodes) CROSS JOIN episode ON episode.id = value ->> 'id'
       WHERE NOT EXISTS (SELECT 1 FROM episode_text WHERE episode_text.arrival = episode.arrival) ORDER BY arrival;
     INSERT INTO entity (key, at, arrival)
       SELECT entity.value, episode.at, arrival
       FROM json_each(NEW.episodes) AS incoming CROSS JOIN json_each(incoming.value, '$.entities') AS entity
         CROSS JOIN episode ON episode.id = incoming.value ->> 'id'
       WHERE NOT EXISTS (SELECT 1 FROM episode_text WHERE episode_text.arrival = episode.arrival)
       ON CONFLICT DO NOTHING;
     INSERT INTO episode_text (arrival, body, terms, around)
       SELECT arrival, value ->> 'body', value ->> 'terms', value ->> 'around'
       FROM json_each(NEW.episodes) CROSS JOIN episode ON episode.id = value ->> 'id' WHERE true ORDER BY arrival
       ON CONFLICT (arrival) DO NOTHING;
     UPDATE episode_text SET body = json_patch(body, amended.value ->> 'body')
       FROM json_each(NEW.amended) AS amended JOIN episode ON episode.id = amended.value ->> 'id'
       WHERE episode_text.arrival = episode.arrival AND amended.value ->> 'body' <> '{}';
     UPDATE episode SET class = coalesce(value ->> 'class', class),
         confirmed_at = coalesce(value ->> 'confirmedAt', confirmed_at),
         candidate_since = iif(json_type(value, '$.candidateSince') IS NULL, candidate_since, value ->> 'candidateSince')
       FROM json_each(NEW.amended) WHERE episode.id = value ->> 'id';
     INSERT INTO change (kind, id)
       SELECT 'episode', value ->> 'id' FROM json_each(NEW.amended)
       WHERE value ->> 'body' <> '{}' AND EXISTS (SELECT 1 FROM episode WHERE id = value ->> 'id') ORDER BY key;
     INSERT INTO fact (id, scope, subject, predicate, status, user_id, recorded_at, superseded_at, is_disputed, body)
       SELECT value ->> 'id', value ->> 'scope', value ->> 'subject', value ->> 'predicate', value ->> 'status',
         value ->> 'userId', value ->> 'recordedAt', value ->> 'supersededAt', value ->> 'isDisputed', value ->> 'body'
       FROM json_each(NEW.facts) WHERE true ORDER BY key
       ON CONFLICT (id) DO UPDATE SET scope = excluded.scope, subject = excluded.subject, predicate = excluded.predicate,
         status = excluded.status, user_id = excluded.user_id, recorded_at = excluded.recorded_at,
         superseded_at = excluded.superseded_at, is_disputed = excluded.is_disputed, body = excluded.body;
     INSERT INTO change (kind, id) SELECT 'fact', value ->> 'id' FROM json_each(NEW.facts) ORDER BY key;
     INSERT INTO tombstone (id, at, reason, episodes, facts)
       SELECT NEW.tombstone ->> 'id', NEW.tombstone ->> 'at', 'forget', episodes, facts FROM (
         SELECT (SELECT count(*) FROM episode WHERE id IN (SELECT value FROM json_each(NEW.forgotten_episodes))) AS episodes,
           (SELECT count(*) FROM fact WHERE id IN (SELECT value FROM json_each(NEW.forgotten_facts))) AS facts)
       WHERE episodes + facts > 0;
     INSERT INTO change (kind, id)
       SELECT 'forget', id FROM episode WHERE id IN (SELECT value FROM json_each(NEW.forgotten_episodes))
       UNION ALL SELECT 'forget', id FROM fact WHERE id IN (SELECT value FROM json_each(NEW.forgotten_facts));
     DELETE FROM episode WHERE id IN (SELECT value FROM json_each(NEW.forgotten_episodes));
     DELETE FROM fact WHERE id IN (SELECT value FROM json_each(NEW.forgotten_facts));
     INSERT INTO memory_log (at, action, target, source, bytes_before, bytes_after)
       SELECT value ->> 'at', value ->> 'action', value ->> 'target', value ->> 'source', value ->> 'before', value ->> 'after'
       FROM json_each(NEW.log) ORDER BY key;
   END;`,
];
