/**
 * `state.db`, one entry a version; entries are never changed once they were released, only added to. One that drops or
 * renames a table which the trigger `incoming_written` names drops the trigger first, and makes it anew at its end.
 */
export const STATE_MIGRATIONS: readonly string[] = [
  `CREATE TABLE audit (
     seq INTEGER PRIMARY KEY,
     at TEXT NOT NULL,
     clock TEXT NOT NULL CHECK (clock IN ('synced', 'unsynced')),
     boot_id TEXT NOT NULL,
     kind TEXT NOT NULL,
     detail TEXT NOT NULL,
     previous_hash TEXT NOT NULL,
     hash TEXT NOT NULL
   ) STRICT;
   CREATE TABLE alarm_event (
     arrival INTEGER PRIMARY KEY AUTOINCREMENT,
     key TEXT NOT NULL UNIQUE,
     body TEXT NOT NULL,
     announced INTEGER NOT NULL DEFAULT 0
   ) STRICT;
   CREATE INDEX alarm_event_unannounced ON alarm_event (arrival) WHERE announced = 0;`,
  // 0 is critical, 3 is low. A body that cannot be read counts as critical: nobody knows what it says.
  `ALTER TABLE alarm_event ADD COLUMN priority_rank INTEGER NOT NULL DEFAULT 0 CHECK (priority_rank BETWEEN 0 AND 3);
   UPDATE alarm_event SET priority_rank = CASE
     WHEN NOT json_valid(body) THEN 0
     ELSE CASE json_extract(body, '$.priority') WHEN 'high' THEN 1 WHEN 'medium' THEN 2 WHEN 'low' THEN 3 ELSE 0 END
   END;
   DROP INDEX alarm_event_unannounced;
   CREATE INDEX alarm_event_unannounced ON alarm_event (priority_rank, arrival) WHERE announced = 0;`,
  // `touched` counts commits over all sessions: the order in which they were used, whatever the wall clock did.
  `CREATE TABLE session (
     id TEXT PRIMARY KEY,
     station TEXT NOT NULL,
     version INTEGER NOT NULL CHECK (version >= 1),
     touched INTEGER NOT NULL,
     archived_at TEXT,
     body TEXT NOT NULL
   ) STRICT;
   CREATE INDEX session_touched ON session (touched);
   CREATE INDEX session_archived ON session (archived_at) WHERE archived_at IS NOT NULL;
   CREATE TABLE action (
     arrival INTEGER PRIMARY KEY,
     id TEXT NOT NULL UNIQUE,
     session_id TEXT NOT NULL,
     status TEXT NOT NULL,
     body TEXT NOT NULL
   ) STRICT;
   CREATE INDEX action_session ON action (session_id, arrival);
   CREATE TABLE session_message (
     session_id TEXT NOT NULL,
     seq INTEGER NOT NULL,
     body TEXT NOT NULL,
     PRIMARY KEY (session_id, seq)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE turn (
     turn_id TEXT PRIMARY KEY,
     session_id TEXT NOT NULL,
     report TEXT NOT NULL
   ) STRICT;
   CREATE INDEX turn_session ON turn (session_id);
   CREATE TABLE outbox (
     arrival INTEGER PRIMARY KEY,
     id TEXT NOT NULL UNIQUE,
     channel TEXT NOT NULL,
     state TEXT NOT NULL CHECK (state IN ('waiting', 'delivered', 'set aside')),
     attempts INTEGER NOT NULL DEFAULT 0,
     queued_at TEXT NOT NULL,
     ended_at TEXT,
     expires_at TEXT,
     last_fault TEXT,
     body TEXT NOT NULL
   ) STRICT;
   CREATE INDEX outbox_waiting ON outbox (channel, arrival) WHERE state = 'waiting';
   CREATE INDEX outbox_ended ON outbox (ended_at) WHERE ended_at IS NOT NULL;
   CREATE TABLE memory_draft (
     arrival INTEGER PRIMARY KEY AUTOINCREMENT,
     session_id TEXT NOT NULL,
     drafted_at TEXT NOT NULL,
     body TEXT NOT NULL
   ) STRICT;
   CREATE INDEX memory_draft_session ON memory_draft (session_id);
   CREATE TABLE workflow (
     id TEXT PRIMARY KEY,
     saved INTEGER NOT NULL,
     ended INTEGER NOT NULL CHECK (ended IN (0, 1)),
     saved_at TEXT NOT NULL,
     body TEXT NOT NULL
   ) STRICT;
   CREATE INDEX workflow_unfinished ON workflow (saved_at) WHERE ended = 0;
   CREATE INDEX audit_session ON audit (json_extract(detail, '$.session_id'), seq)
     WHERE json_extract(detail, '$.session_id') IS NOT NULL;`,
  `CREATE TABLE ticket (
     arrival INTEGER PRIMARY KEY AUTOINCREMENT,
     id TEXT NOT NULL UNIQUE,
     status TEXT NOT NULL CHECK (status IN ('open', 'acknowledged', 'resolved', 'expired')),
     body TEXT NOT NULL,
     -- What is to be told of it and is not in the outbox yet.
     untold TEXT
   ) STRICT;
   CREATE INDEX ticket_live ON ticket (arrival) WHERE status IN ('open', 'acknowledged');
   CREATE INDEX ticket_untold ON ticket (arrival) WHERE untold IS NOT NULL;`,
  // Numbers are never given twice: people call an order by its number.
  `CREATE TABLE work_order (
     number INTEGER PRIMARY KEY AUTOINCREMENT,
     key TEXT NOT NULL UNIQUE,
     machine TEXT,
     title TEXT NOT NULL,
     priority TEXT NOT NULL CHECK (priority IN ('low', 'normal', 'high')),
     state TEXT NOT NULL CHECK (state IN ('waiting', 'open', 'closed', 'refused', 'expired')),
     remote TEXT,
     created_at TEXT NOT NULL,
     created_by TEXT NOT NULL
   ) STRICT;
   CREATE INDEX work_order_state ON work_order (state, number);`,
  `CREATE TABLE machine_lock (
     machine TEXT PRIMARY KEY,
     person_id TEXT NOT NULL,
     person_name TEXT NOT NULL,
     at TEXT NOT NULL,
     reason TEXT
   ) STRICT;`,
  // Rows stand in the order of their arrival and indexes hold keys alone: a step touches few pages.
  `CREATE TABLE action_by_arrival (
     arrival INTEGER PRIMARY KEY,
     id TEXT NOT NULL,
     session_id TEXT NOT NULL,
     status TEXT NOT NULL,
     body TEXT NOT NULL
   ) STRICT;
   INSERT INTO action_by_arrival SELECT arrival, id, session_id, status, body FROM action;
   DROP TABLE action;
   ALTER TABLE action_by_arrival RENAME TO action;
   CREATE UNIQUE INDEX action_place ON action (session_id, id);
   CREATE TABLE message_by_arrival (
     arrival INTEGER PRIMARY KEY,
     session_id TEXT NOT NULL,
     seq INTEGER NOT NULL,
     body TEXT NOT NULL
   ) STRICT;
   INSERT INTO message_by_arrival (session_id, seq, body)
     SELECT session_id, seq, body FROM session_message ORDER BY session_id, seq;
   DROP TABLE session_message;
   ALTER TABLE message_by_arrival RENAME TO session_message;
   CREATE UNIQUE INDEX session_message_place ON session_message (session_id, seq);
   -- The beginning of an id finds its entries, and makes the index half as large.
   DROP INDEX audit_session;
   CREATE INDEX audit_session ON audit (substr(json_extract(detail, '$.session_id'), 1, 8), seq)
     WHERE json_extract(detail, '$.session_id') IS NOT NULL;
   -- What several sessions write is one statement, a JSON array for each table: each statement is a hop to SQLite's thread.
   CREATE VIEW incoming (sessions, actions, messages, outbox, memory, turns, audit)
     AS SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL;
   CREATE TRIGGER incoming_written INSTEAD OF INSERT ON incoming BEGIN
     -- Whoever made the statement may have looked before others wrote: it then changes nothing, and is made anew.
     SELECT RAISE(ABORT, 'stale') FROM json_each(NEW.sessions)
       WHERE value ->> 'version' <> 1 + coalesce((SELECT version FROM session WHERE id = value ->> 'id'), 0);
     SELECT RAISE(ABORT, 'stale') FROM json_each(NEW.audit)
       WHERE key = 0 AND (value ->> 'seq' <> 1 + coalesce((SELECT max(seq) FROM audit), 0)
         OR value ->> 'previous_hash' <> (SELECT hash FROM audit ORDER BY seq DESC LIMIT 1));
     INSERT INTO session (id, station, version, touched, archived_at, body)
       SELECT value ->> 'id', value ->> 'station', value ->> 'version',
         (SELECT coalesce(max(touched), 0) FROM session) + key + 1, value ->> 'archivedAt', value ->> 'body'
       FROM json_each(NEW.sessions) WHERE true
       ON CONFLICT (id) DO UPDATE SET version = excluded.version, touched = excluded.touched,
         archived_at = excluded.archived_at, body = excluded.body;
     INSERT INTO action (id, session_id, status, body)
       SELECT value ->> 'id', value ->> 'sessionId', value ->> 'status', value ->> 'body'
       FROM json_each(NEW.actions) WHERE true ORDER BY key
       ON CONFLICT (session_id, id) DO UPDATE SET status = excluded.status, body = excluded.body;
     INSERT INTO session_message (session_id, seq, body)
       SELECT value ->> 'sessionId', value ->> 'seq', value ->> 'body'
       FROM json_each(NEW.messages) WHERE true ORDER BY key
       ON CONFLICT (session_id, seq) DO UPDATE SET body = excluded.body;
     INSERT INTO outbox (id, channel, state, queued_at, expires_at, body)
       SELECT value ->> 'id', value ->> 'channel', 'waiting', value ->> 'at', value ->> 'expiresAt', value ->> 'body'
       FROM json_each(NEW.outbox) WHERE true ORDER BY key
       ON CONFLICT (id) DO UPDATE SET channel = excluded.channel, expires_at = excluded.expires_at, body = excluded.body
       WHERE state = 'waiting';
     INSERT INTO memory_draft (session_id, drafted_at, body)
       SELECT value ->> 'sessionId', value ->> 'at', value ->> 'body'
       FROM json_each(NEW.memory) ORDER BY key;
     INSERT INTO turn (turn_id, session_id, report)
       SELECT value ->> 'turnId', value ->> 'sessionId', value ->> 'report'
       FROM json_each(NEW.turns) WHERE true ORDER BY key
       ON CONFLICT (turn_id) DO UPDATE SET session_id = excluded.session_id, report = excluded.report;
     INSERT INTO audit (seq, at, clock, boot_id, kind, detail, previous_hash, hash)
       SELECT value ->> 'seq', value ->> 'at', value ->> 'clock', value ->> 'boot_id', value ->> 'kind',
         value ->> 'detail', value ->> 'previous_hash', value ->> 'hash'
       FROM json_each(NEW.audit) ORDER BY key;
   END;`,
  // Who is behind a pseudonym of the audit; and who was erased, by a keyed hash of the id, for backups made before to leave out.
  `CREATE TABLE person_pseudonym (
     person_id TEXT PRIMARY KEY,
     pseudonym TEXT NOT NULL UNIQUE
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE erasure (
     request TEXT PRIMARY KEY,
     person_key TEXT NOT NULL,
     begun_at TEXT NOT NULL,
     ended_at TEXT,
     -- Who is meant, for as long as it is under way: what a restart goes on with.
     pending TEXT
   ) STRICT;`,
];
