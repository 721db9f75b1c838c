import type { Database, Statement } from 'sqlite3';

export type Parameter = string | number | null | Buffer;

/** So many statements stay compiled; the one used longest ago gives way. */
const CAPACITY = 64;

/** The statements of one connection, compiled once: compiling costs about twice of what a small one takes to run. */
export class StatementCache {
  readonly #handle: Database;
  /** The one used last stands last. */
  readonly #compiled = new Map<string, Promise<Statement>>();
  #closed = false;

  constructor(handle: Database) {
    this.#handle = handle;
  }

  /** Resolves with how many rows changed. */
  async run(sql: string, parameters: readonly Parameter[] = []): Promise<number> {
    const statement = await this.#compile(sql);
    return new Promise((resolve, reject) => {
      statement.run(parameters, function done(error: Error | null) {
        if (error === null) resolve(this.changes);
        else reject(error);
      });
    });
  }

  async all(sql: string, parameters: readonly Parameter[] = []): Promise<unknown[]> {
    const statement = await this.#compile(sql);
    return new Promise((resolve, reject) => {
      statement.all(parameters, (error: Error | null, rows: unknown[]) =>
        error === null ? resolve(rows) : reject(error),
      );
    });
  }

  /** Lets go of all and takes no more: a connection with compiled statements cannot be closed. */
  async close(): Promise<void> {
    this.#closed = true;
    const compiled = [...this.#compiled.values()];
    this.#compiled.clear();
    await Promise.all(compiled.map(finalize));
  }

  #compile(sql: string): Promise<Statement> {
    const known = this.#compiled.get(sql);
    this.#compiled.delete(sql);
    const statement = known ?? this.#prepare(sql);
    this.#compiled.set(sql, statement);
    const [oldest] = this.#compiled;
    if (this.#compiled.size > CAPACITY && oldest !== undefined) {
      this.#compiled.delete(oldest[0]);
      void finalize(oldest[1]);
    }
    return statement;
  }

  #prepare(sql: string): Promise<Statement> {
    if (this.#closed) return Promise.reject(new Error('the database is closed'));
    const prepared = new Promise<Statement>((resolve, reject) => {
      const statement = this.#handle.prepare(sql, (error: Error | null) =>
        error === null ? resolve(statement) : reject(error),
      );
    });
    prepared.catch(() => {
      if (this.#compiled.get(sql) === prepared) this.#compiled.delete(sql);
    });
    return prepared;
  }
}

/** One that could not be compiled has nothing to let go of. */
function finalize(statement: Promise<Statement>): Promise<void> {
  return statement.then(
    (compiled) => new Promise<void>((resolve) => compiled.finalize(() => resolve())),
    () => undefined,
  );
}
