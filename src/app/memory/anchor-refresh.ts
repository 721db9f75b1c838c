import type { AnchorKind } from '../../domain/memory/mention.ts';
import type { Clocks, Scheduler } from '../../runtime/clocks.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { AnchorDirectory } from '../ports/anchor-directory.ts';

const LOOKUP_TIMEOUT_MS = 5_000;
const RETRY_AFTER_MS = 3_600_000;
const MOST_AT_ONCE = 4;
const MOST_REMEMBERED = 1_000;

interface AnchorRefreshParts {
  readonly directory: AnchorDirectory;
  readonly clocks: Pick<Clocks, 'monotonicMs'>;
  readonly scheduler: Scheduler;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Looks names up again beside everything else: nobody waits for it, few run at once, and a failure is tried again in an hour. */
export class AnchorRefresh {
  readonly #parts: AnchorRefreshParts;
  readonly #running = new Set<string>();
  readonly #notBeforeMs = new Map<string, number>();

  constructor(parts: AnchorRefreshParts) {
    this.#parts = parts;
  }

  /** Calls `found` with what goes by the name now; not at all where nothing does, or the directory fails or takes too long. */
  begin(key: string, kind: AnchorKind, name: string, found: (ids: readonly string[]) => void): void {
    const { clocks } = this.#parts;
    const isEarly = clocks.monotonicMs() < (this.#notBeforeMs.get(key) ?? 0);
    if (isEarly || this.#running.has(key) || this.#running.size >= MOST_AT_ONCE) return;
    this.#running.add(key);
    void this.#lookUp(kind, name)
      .then((ids) => {
        if (ids.length > 0) found(ids);
        else this.#later(key);
      })
      .catch((error: unknown) => {
        this.#later(key);
        this.#parts.logger.warn({ error: String(error), kind }, 'a name could not be looked up again');
      })
      .finally(() => this.#running.delete(key));
  }

  async #lookUp(kind: AnchorKind, name: string): Promise<readonly string[]> {
    const { directory, scheduler } = this.#parts;
    const abort = new AbortController();
    // A directory that does not heed its signal must not hold a place either.
    const late = new Promise<never>((_, reject) => {
      abort.signal.addEventListener('abort', () => reject(new Error(`no answer in ${LOOKUP_TIMEOUT_MS} ms`)));
    });
    const cancel = scheduler.after(LOOKUP_TIMEOUT_MS, () => abort.abort());
    try {
      return await Promise.race([directory.lookup(kind, name, abort.signal), late]);
    } finally {
      cancel();
    }
  }

  #later(key: string): void {
    this.#notBeforeMs.delete(key);
    this.#notBeforeMs.set(key, this.#parts.clocks.monotonicMs() + RETRY_AFTER_MS);
    for (const oldest of this.#notBeforeMs.keys()) {
      if (this.#notBeforeMs.size <= MOST_REMEMBERED) break;
      this.#notBeforeMs.delete(oldest);
    }
  }
}
