import type { z } from 'zod';

/** What is wrong with a request, on one line: `text: say what to ask; station: …`. */
export function issuesText(error: z.ZodError): string {
  return error.issues
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
    .join('; ');
}
