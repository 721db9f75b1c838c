import sqlite3 from 'sqlite3';

/** Plain FTS5 over texts, as anybody would set it up: its own words, any of which is enough, best first. */
export class PlainFts5 {
  readonly #database = new sqlite3.Database(':memory:');

  async open(): Promise<void> {
    await this.#run("CREATE VIRTUAL TABLE plain USING fts5(id UNINDEXED, text, tokenize = 'unicode61')");
  }

  add(id: string, text: string): Promise<void> {
    return this.#run('INSERT INTO plain (id, text) VALUES (?, ?)', [id, text]);
  }

  /** Ids, the best first. */
  search(text: string, limit: number): Promise<readonly string[]> {
    const words = [...text.matchAll(/[\p{L}\p{N}]+/gu)].map(([word]) => `"${word}"`);
    if (words.length === 0) return Promise.resolve([]);
    return new Promise((resolve, reject) => {
      this.#database.all(
        'SELECT id FROM plain WHERE plain MATCH ? ORDER BY bm25(plain) LIMIT ?',
        [words.join(' OR '), limit],
        (error: Error | null, rows: readonly { readonly id: string }[]) =>
          error === null ? resolve(rows.map(({ id }) => id)) : reject(error),
      );
    });
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#database.close(() => resolve()));
  }

  #run(sql: string, parameters: readonly string[] = []): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#database.run(sql, [...parameters], (error) => (error === null ? resolve() : reject(error)));
    });
  }
}
