/** The words an audit entry may be filed under. */
export type AuditKind =
  | 'daemon.ready'
  | 'daemon.stopping'
  | 'turn.started'
  | 'turn.ended'
  | 'session.violation'
  | 'tool.called'
  | 'plc.write.begun'
  | 'plc.write.ended';

/** The record an auditor reads: append-only, each entry chained to the one before by its hash. */
export interface Audit {
  /** Resolves when the entry is on disk. Rejects with EdgeError STATE_DB_FAILED, or STATE_DB_BUSY when too many wait. */
  append(kind: AuditKind, detail: Readonly<Record<string, unknown>>): Promise<void>;
}
