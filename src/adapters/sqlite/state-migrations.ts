/** `state.db`, one entry a version; entries are never changed once they were released, only added to. */
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
  `CREATE TABLE machine_lock (
     machine TEXT PRIMARY KEY,
     person_id TEXT NOT NULL,
     person_name TEXT NOT NULL,
     at TEXT NOT NULL,
     reason TEXT
   ) STRICT;`,
];
