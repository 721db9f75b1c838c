import type { JsonObject, JsonValue } from '../../../domain/json.ts';

/** Of the daemon at most this many are asked for at a time; more wait here (the daemon refuses what is beyond). */
const MAX_USES_IN_FLIGHT = 32;
/** In one call; the daemon ends a worker that asks for more. */
const MAX_USES = 1000;

interface Use {
  readonly name: string;
  readonly args: JsonObject;
  readonly resolve: (value: JsonValue) => void;
  readonly reject: (error: Error) => void;
}

/** The uses of capabilities of one call. */
export class CapabilityClient {
  readonly #ask: (use: number, name: string, args: JsonObject) => void;
  readonly #open = new Map<number, Use>();
  readonly #waiting: Use[] = [];
  readonly #refused = new WeakMap<object, number>();
  #count = 0;
  #wanted = 0;
  #ended = false;

  constructor(ask: (use: number, name: string, args: JsonObject) => void) {
    this.#ask = ask;
  }

  use(name: string, args: JsonObject): Promise<JsonValue> {
    return new Promise((resolve, reject) => {
      this.#wanted += 1;
      if (this.#ended) reject(new Error('the call is over'));
      else if (this.#wanted > MAX_USES)
        reject(new Error(`more than ${MAX_USES} uses of capabilities in one call`));
      else {
        this.#waiting.push({ name, args, resolve, reject });
        this.#next();
      }
    });
  }

  answer(use: number, value: JsonValue): void {
    this.#settle(use)?.resolve(value);
  }

  refuse(use: number, code: string, message: string): void {
    const error = Object.assign(new Error(message), { code });
    this.#refused.set(error, use);
    this.#settle(use)?.reject(error);
  }

  /** The use whose rejection this is. */
  refusal(thrown: unknown): number | undefined {
    return typeof thrown === 'object' && thrown !== null ? this.#refused.get(thrown) : undefined;
  }

  end(): void {
    this.#ended = true;
  }

  #settle(use: number): Use | undefined {
    const found = this.#open.get(use);
    this.#open.delete(use);
    this.#next();
    return found;
  }

  #next(): void {
    while (!this.#ended && this.#open.size < MAX_USES_IN_FLIGHT) {
      const use = this.#waiting.shift();
      if (use === undefined) return;
      const id = this.#count++;
      this.#open.set(id, use);
      try {
        this.#ask(id, use.name, use.args);
      } catch (error) {
        // Arguments that are no JSON never leave.
        this.#open.delete(id);
        use.reject(error instanceof Error ? error : new TypeError('arguments that are no JSON'));
      }
    }
  }
}
