export const REPORT_FORMATS = ['xlsx', 'csv'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** A file of the reports directory. */
export interface ReportFile {
  /** Its name, by which it is found again. */
  readonly file: string;
  /** What it is about, one word such as `history`, `compare` or `log`. */
  readonly kind: string;
  readonly title: string;
  readonly format: ReportFormat;
  readonly bytes: number;
  /** ISO 8601. */
  readonly created_at: string;
}

export interface NewReport {
  readonly kind: string;
  /** A few words in any language; what a file name cannot hold is left out. */
  readonly title: string;
  readonly format: ReportFormat;
  /** Equal for repeats of one intent: the file of the first time is then kept and given. */
  readonly key: string;
}

/** A file that is being written; nobody sees it before `commit`. */
export interface ReportDraft {
  /** Rejects with EdgeError REPORT_TOO_LARGE. */
  append(bytes: Uint8Array): Promise<void>;
  /** Resolves when it is on disk under its name. Rejects with EdgeError REPORTS_FAILED; nothing is left then. */
  commit(): Promise<ReportFile>;
  discard(): Promise<void>;
}

export interface ReportQuery {
  readonly kind?: string | undefined;
  /** Milliseconds since 1970; `toMs` is not included. */
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
  readonly limit: number;
}

/** Where reports are kept for people to take. */
export interface ReportStore {
  /** Rejects with EdgeError REPORTS_FAILED when the directory cannot be written. */
  begin(report: NewReport): Promise<ReportDraft>;
  /** The newest first. */
  find(query: ReportQuery): Promise<readonly ReportFile[]>;
  info(file: string): Promise<ReportFile | undefined>;
  /** Its absolute path, for whoever sends it; undefined when there is no such report. */
  pathOf(file: string): Promise<string | undefined>;
  /** False when there was none. */
  remove(file: string): Promise<boolean>;
}
