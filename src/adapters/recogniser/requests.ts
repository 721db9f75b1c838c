import { EdgeError } from '../../runtime/edge-error.ts';

const MAX_OPEN = 32;

interface Open<T> {
  readonly resolve: (answer: T) => void;
  readonly reject: (error: EdgeError) => void;
}

/** Questions to the child that await their answer, by number. */
export class Requests<T> {
  readonly #open = new Map<number, Open<T>>();
  #lastId = 0;

  get size(): number {
    return this.#open.size;
  }

  /** `ask` sends the question under the given number. Rejects with RECOGNISER_BUSY when too many are open. */
  ask(ask: (id: number) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#open.size >= MAX_OPEN)
        return reject(
          new EdgeError('RECOGNISER_BUSY', `${MAX_OPEN} questions to the recogniser are open`, {
            retry: 'safe',
          }),
        );
      this.#lastId += 1;
      this.#open.set(this.#lastId, { resolve, reject });
      ask(this.#lastId);
    });
  }

  answer(id: number, answer: T): void {
    this.#open.get(id)?.resolve(answer);
    this.#open.delete(id);
  }

  /** Ends all that are open, each by what `settle` does with it. */
  endAll(settle: (open: Open<T>) => void): void {
    const open = [...this.#open.values()];
    this.#open.clear();
    open.forEach(settle);
  }
}
