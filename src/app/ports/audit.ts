/** The words an audit entry may be filed under. */
export type AuditKind =
  | 'daemon.ready'
  | 'daemon.stopping'
  | 'turn.started'
  | 'turn.ended'
  | 'turn.outcome'
  | 'turn.rolled_back'
  | 'session.violation'
  | 'session.opened'
  | 'session.change'
  | 'session.archived'
  | 'session.conflict'
  | 'action.planned'
  | 'action.begun'
  | 'action.ended'
  | 'action.cancelled'
  | 'confirmation.opened'
  | 'confirmation.unheard'
  | 'confirmation.ended'
  | 'gate.refused'
  | 'tool.called'
  | 'tool.denied'
  | 'tool_parse_error'
  | 'rule.reloaded'
  | 'ticket.opened'
  | 'ticket.ended'
  | 'lock.changed'
  | 'badge.seen'
  | 'workflow.stage'
  | 'plc.write.begun'
  | 'plc.write.ended'
  | 'gate.decided'
  | 'badge.read'
  | 'machine.locked'
  | 'machine.unlocked'
  | 'memory.erase.begun'
  | 'memory.erase.ended'
  | 'memory.rejected'
  | 'memory.write_rejected'
  | 'memory.forgotten'
  | 'memory.reviewed';

/** The record an auditor reads: append-only, each entry chained to the one before by its hash. */
export interface Audit {
  /** Resolves when the entry is on disk. Rejects with EdgeError STATE_DB_FAILED, or STATE_DB_BUSY when too many wait. */
  append(kind: AuditKind, detail: Readonly<Record<string, unknown>>): Promise<void>;
}

/** What was begun, in the audit. */
export interface AuditTrail {
  /** The details of the newest entries of kind `begun` whose `id` no entry of kind `ended` has, oldest first, at most `limit`. */
  withoutEnd(begun: AuditKind, ended: AuditKind, limit: number): Promise<readonly unknown[]>;
}
