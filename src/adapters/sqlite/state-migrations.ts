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
];
