import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditKind } from '../../src/app/ports/audit.ts';
import { jsonObjectSchema } from '../../src/domain/json.ts';
import type { Action } from '../../src/domain/session/action.ts';
import { openState } from './state-site.ts';

/** What is in a state directory whose program has ended. */
export interface StateAfter {
  readonly actions: readonly Action[];
  readonly audited: ReadonlyMap<AuditKind, readonly Readonly<Record<string, unknown>>[]>;
  /** Messages that have not reached their far side. */
  readonly waiting: number;
  /** Names of the reports. */
  readonly reports: readonly string[];
  /** What is broken in the state itself. */
  readonly faults: readonly string[];
}

const ALL = 1_000_000;

export async function stateAfter(directory: string, kinds: readonly AuditKind[]): Promise<StateAfter> {
  const { database, audit, sessions, outbox } = await openState(directory);
  try {
    const stored = await sessions.live(ALL);
    const unreadable = stored.reduce((sum, session) => sum + session.unreadable, 0);
    const broken = await audit.firstBreak();
    const backlog = await outbox.backlog();
    const names = readdirSync(directory);
    const audited = new Map<AuditKind, readonly Readonly<Record<string, unknown>>[]>();
    for (const kind of kinds)
      audited.set(
        kind,
        (await audit.entries(kind, ALL)).map(({ detail }) => jsonObjectSchema.parse(detail)),
      );
    return {
      actions: stored.flatMap(({ actions }) => actions),
      audited,
      waiting: Object.values(backlog).reduce((sum, count) => sum + count, 0),
      reports: names.includes('reports') ? readdirSync(join(directory, 'reports')) : [],
      faults: [
        ...(unreadable === 0 ? [] : [`${unreadable} rows of the ledger cannot be read`]),
        ...(broken === undefined ? [] : [`the audit breaks at ${broken}`]),
        ...names.filter((name) => name.includes('damaged')).map((name) => `state.db was damaged: ${name}`),
      ],
    };
  } finally {
    await database.close();
  }
}
