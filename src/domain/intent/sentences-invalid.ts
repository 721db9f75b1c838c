import { EdgeError } from '../../runtime/edge-error.ts';

/** A sentence file, or the site's names put into it, cannot be used as written. */
export function sentencesInvalid(message: string, hint?: string): EdgeError {
  return new EdgeError('SENTENCES_INVALID', message, hint === undefined ? {} : { hint });
}
