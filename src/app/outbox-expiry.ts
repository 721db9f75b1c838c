import type { ClockState } from '../domain/envelope.ts';
import type { Clocks } from '../runtime/clocks.ts';

/**
 * When a message of the outbox expires, `keepMs` from now. None while the clock is not known to be right: once it is set,
 * any moment by it would be in the far past or future.
 */
export function expiryOf(
  keepMs: number,
  parts: { readonly clocks: Pick<Clocks, 'wall'>; readonly clockState: () => ClockState },
): { readonly expiresAt?: string } {
  if (parts.clockState() === 'unsynced') return {};
  return { expiresAt: new Date(parts.clocks.wall().getTime() + keepMs).toISOString() };
}
