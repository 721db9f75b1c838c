import { EdgeError } from '../runtime/edge-error.ts';

/** The result of looking at one part. */
export interface Check {
  readonly part: string;
  readonly ok: boolean;
  readonly detail: string;
  /** What to do about it. */
  readonly fix?: string;
}

export function good(part: string, detail: string): Check {
  return { part, ok: true, detail };
}

export function bad(part: string, detail: string, fix: string): Check {
  return { part, ok: false, detail, fix };
}

/** Of an EdgeError; whatever else is thrown is thrown on. */
export function failed(part: string, error: unknown): Check {
  if (!(error instanceof EdgeError)) throw error;
  return bad(part, error.message, error.hint ?? 'see the message');
}
