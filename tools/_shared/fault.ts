import type { Say } from '../../src/domain/tool/say.ts';
import type { HandlerFault } from '../../src/tooling/handler-api.ts';

/** An error that says what went wrong in a way that a person or a planner can act on. */
export function fault(
  code: HandlerFault['code'],
  message: string,
  more: { readonly hint?: string; readonly say?: Say } = {},
): Error {
  return Object.assign(new Error(message), { code, ...more });
}

/** The code of an error of a capability. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
