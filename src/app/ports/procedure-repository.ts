import type { DiagnosisReport } from '../../domain/memory/diagnosis-report.ts';
import type { PastCases } from '../../domain/memory/past-cases.ts';
import type { ProcedureLibrary } from '../../domain/procedures/procedure-library.ts';

/** One state of all procedures and reports. */
export interface ProcedureVersion {
  /** 40 hexadecimal digits. */
  readonly commit: string;
  /** When it was committed, milliseconds since 1970. */
  readonly atMs: number;
}

/** What there is at one version. */
export interface ProcedureShelf {
  readonly version: ProcedureVersion;
  readonly procedures: ProcedureLibrary;
  readonly cases: PastCases;
}

/** One change of a procedure. */
export interface ProcedureChange extends ProcedureVersion {
  readonly author: string;
  /** The first line of its message. */
  readonly what: string;
}

/** What became of the copy elsewhere. */
export interface PushState {
  /** Everything that is here is there too; undefined where no remote is configured. */
  readonly pushed: boolean | undefined;
  /** Commits that are only here. */
  readonly ahead: number;
  readonly fault: { readonly message: string; readonly hint: string | undefined } | undefined;
  /** The branch at the remote that holds what is here, while it contradicts what is there. */
  readonly conflict: string | undefined;
}

/** Procedures and confirmed diagnoses with their versions. */
export interface ProcedureRepository {
  /** The newest version; undefined while there is none to read from. Never rejects. */
  read(): Promise<ProcedureShelf | undefined>;
  /**
   * Resolves when it is on the disk. `repeated` when a report with its id is there already: nothing is changed then. Rejects
   * with EdgeError PROCEDURES_FAILED, or PROCEDURES_BUSY when too much waits to be written.
   */
  commitReport(
    report: DiagnosisReport,
  ): Promise<{ readonly outcome: 'written' | 'repeated'; readonly version: ProcedureVersion }>;
  /** Changes of one procedure, the newest first. Rejects with EdgeError PROCEDURES_FAILED. */
  history(id: string, limit: number): Promise<readonly ProcedureChange[]>;
  pushState(): PushState;
}
