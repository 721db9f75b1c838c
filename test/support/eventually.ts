import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 10;

/** Waits until `probe` returns something other than false or undefined, and returns it; fails at the deadline. */
export async function eventually<T>(
  what: string,
  probe: () => T | false | undefined | Promise<T | false | undefined>,
  deadlineMs = 10_000,
): Promise<T> {
  const untilMs = performance.now() + deadlineMs;
  for (;;) {
    const found = await probe();
    if (found !== false && found !== undefined) return found;
    if (performance.now() > untilMs) throw new Error(`not within ${deadlineMs} ms: ${what}`);
    await sleep(POLL_MS);
  }
}
