import type { Audit, AuditKind, AuditTrail } from '../../src/app/ports/audit.ts';

/** An audit that is a list, and whose disk a test can break. */
export class AuditList implements Audit, AuditTrail {
  readonly entries: { readonly kind: AuditKind; readonly detail: Readonly<Record<string, unknown>> }[] = [];
  /** Called before each entry is kept. */
  onAppend: (kind: AuditKind) => void = () => undefined;

  async append(kind: AuditKind, detail: Readonly<Record<string, unknown>>): Promise<void> {
    await Promise.resolve();
    this.onAppend(kind);
    this.entries.push({ kind, detail });
  }

  details(kind: AuditKind): Readonly<Record<string, unknown>>[] {
    return this.entries.filter((entry) => entry.kind === kind).map(({ detail }) => detail);
  }

  async withoutEnd(begun: AuditKind, ended: AuditKind, limit: number): Promise<readonly unknown[]> {
    const ids = new Set(this.details(ended).map(({ id }) => id));
    return this.details(begun)
      .filter(({ id }) => !ids.has(id))
      .slice(-limit);
  }
}
