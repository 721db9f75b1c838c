/** Whether an operation that failed may be tried again: `unknown-outcome` must be settled by reading, never by repeating. */
export type Retry = 'safe' | 'never' | 'unknown-outcome';

interface EdgeErrorDetail {
  /** What a person can do about it, one sentence. */
  readonly hint?: string;
  readonly retry?: Retry;
  readonly cause?: unknown;
}

/**
 * An operating error: something outside the program went wrong and somebody can mend it.
 * Programmer errors stay plain `Error`s and end the process.
 */
export class EdgeError extends Error {
  override readonly name = 'EdgeError';
  /** Stable, upper case with underscores, such as `MODBUS_TIMEOUT`. */
  readonly code: string;
  readonly retry: Retry;
  readonly hint: string | undefined;

  constructor(code: string, message: string, detail: EdgeErrorDetail = {}) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.code = code;
    this.retry = detail.retry ?? 'never';
    this.hint = detail.hint;
  }
}

export function isEdgeError(error: unknown, code?: string): error is EdgeError {
  return error instanceof EdgeError && (code === undefined || error.code === code);
}

/** The text of anything thrown, for a log field or a health detail. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
