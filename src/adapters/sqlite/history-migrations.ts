/** `history.db`, one entry a version; entries are never changed once they were released, only added to. */
export const HISTORY_MIGRATIONS: readonly string[] = [
  // timeline 0 has sure times; another one is the number of the boot whose clock was never set.
  // journal: what came since the last checkpoint. block: one run of samples. op_s: seconds of operation when written.
  // hour and minute: what the blocks add up to, written with them. step_ms: 60,000, or 900,000 once thinned.
  `CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
   INSERT INTO meta VALUES ('generation', 0), ('op_s', 0);
   CREATE TABLE boot (id INTEGER PRIMARY KEY, boot_id TEXT NOT NULL UNIQUE, offset_ms REAL) STRICT;
   CREATE TABLE series (
     id INTEGER PRIMARY KEY, machine TEXT NOT NULL, point TEXT NOT NULL, UNIQUE (machine, point)
   ) STRICT;
   CREATE TABLE carry (
     series INTEGER NOT NULL, timeline INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (series, timeline)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE journal (id INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;
   CREATE TABLE block (
     id INTEGER PRIMARY KEY,
     series INTEGER NOT NULL,
     timeline INTEGER NOT NULL,
     start_ms INTEGER NOT NULL,
     end_ms INTEGER NOT NULL,
     reach_ms INTEGER NOT NULL,
     boot INTEGER NOT NULL,
     samples INTEGER NOT NULL,
     op_s INTEGER NOT NULL,
     data BLOB NOT NULL
   ) STRICT;
   CREATE INDEX block_range ON block (series, timeline, start_ms, reach_ms);
   CREATE INDEX block_age ON block (end_ms) WHERE timeline = 0;
   CREATE INDEX block_undated ON block (op_s) WHERE timeline <> 0;
   CREATE TABLE hour (
     series INTEGER NOT NULL,
     timeline INTEGER NOT NULL,
     hour INTEGER NOT NULL,
     samples INTEGER NOT NULL,
     changes INTEGER NOT NULL,
     covered_ms INTEGER NOT NULL,
     number_ms INTEGER NOT NULL,
     integral REAL NOT NULL,
     true_ms INTEGER NOT NULL,
     min REAL,
     min_at INTEGER,
     max REAL,
     max_at INTEGER,
     last_kind TEXT,
     last ANY,
     last_at INTEGER,
     PRIMARY KEY (series, timeline, hour)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE minute (
     id INTEGER PRIMARY KEY,
     series INTEGER NOT NULL,
     timeline INTEGER NOT NULL,
     hour INTEGER NOT NULL,
     step_ms INTEGER NOT NULL,
     data BLOB NOT NULL,
     UNIQUE (series, timeline, hour)
   ) STRICT;
   CREATE INDEX minute_fine ON minute (hour) WHERE timeline = 0 AND step_ms = 60000;`,
];
