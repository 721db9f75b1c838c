import { z } from 'zod';
import type { ErasedShare, Erasure, PersonalStore } from '../../app/ports/personal-store.ts';
import type { PersonNames } from '../../domain/privacy/person-names.ts';
import type { Database, Writer } from './database.ts';
import type { ErasedNames } from './erased-names.ts';
import type { Parameter } from './statement-cache.ts';

/** What of a table is searched. The audit is not among them: it holds pseudonyms, and what is chained stays. */
interface Searched {
  readonly table: string;
  /** Columns of JSON, in which keys and numbers stay. */
  readonly json: readonly string[];
  readonly text?: readonly string[];
  /** Columns of which no two may be equal. */
  readonly unique?: readonly string[];
}

const SEARCHED: readonly Searched[] = [
  { table: 'session', json: ['body'], text: ['station'] },
  { table: 'action', json: ['body'] },
  { table: 'session_message', json: ['body'] },
  { table: 'turn', json: ['report'], unique: ['turn_id'] },
  { table: 'memory_draft', json: ['body'] },
  { table: 'workflow', json: ['body'] },
  { table: 'ticket', json: ['body'] },
  { table: 'work_order', json: [], text: ['title', 'created_by', 'remote'], unique: ['key'] },
  { table: 'alarm_event', json: ['body'], unique: ['key'] },
  { table: 'outbox', json: ['body'], text: ['last_fault'], unique: ['id'] },
];
/** So many rows share a transaction: it bounds what an alarm waits for. */
const AT_ONCE = 200;
/** What waits there is for nobody but people; a ticket or a work order goes on without the name. */
const LETTERS = ['mail', 'memory'] as const;
const SET_ASIDE = 'it named a person who was erased';

const rowSchema = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));
type Row = z.infer<typeof rowSchema>;

/** Takes a person's names out of every row of `state.db`. */
export class StateScrub implements PersonalStore {
  readonly name = 'state.db';
  readonly #database: Database;
  readonly #erased: ErasedNames;
  readonly #now: () => Date;

  /** `now` is the wall clock. */
  constructor(database: Database, erased: ErasedNames, now: () => Date) {
    this.#database = database;
    this.#erased = erased;
    this.#now = now;
  }

  async erase({ person, names }: Erasure): Promise<ErasedShare> {
    // First: from here on nothing that is still in memory brings a name back.
    this.#erased.add(person.id, names);
    let count = 0;
    for (const searched of SEARCHED) count += await this.#scrub(searched, names);
    return { count };
  }

  async #scrub(searched: Searched, names: PersonNames): Promise<number> {
    let count = 0;
    for (let after = 0; ; ) {
      const from = after;
      const done = await this.#database.write(
        (writer) => this.#batch(writer, searched, names, from),
        'audit',
      );
      count += done.changed;
      if (done.last === undefined) return count;
      after = done.last;
    }
  }

  async #batch(
    writer: Writer,
    searched: Searched,
    names: PersonNames,
    after: number,
  ): Promise<{ readonly changed: number; readonly last: number | undefined }> {
    const { table, json, text = [], unique = [] } = searched;
    const rows = await writer.all(
      rowSchema,
      `SELECT rowid AS row_number, ${[...json, ...text, ...unique].join(', ')} FROM ${table}
       WHERE rowid > ? ORDER BY rowid LIMIT ${AT_ONCE}`,
      [after],
    );
    let changed = 0;
    for (const row of rows) {
      const changes = changesOf(row, searched, names);
      if (changes.length === 0) continue;
      changed += 1;
      const sets = changes.map(([column]) => `${column} = ?`).join(', ');
      await writer.run(`UPDATE ${table} SET ${sets} WHERE rowid = ?`, [
        ...changes.map(([, value]) => value),
        numberOf(row),
      ]);
      if (table === 'outbox') await this.#setAside(writer, numberOf(row));
    }
    const last = rows.at(-1);
    return { changed, last: last === undefined || rows.length < AT_ONCE ? undefined : numberOf(last) };
  }

  async #setAside(writer: Writer, row: number): Promise<void> {
    await writer.run(
      `UPDATE outbox SET state = 'set aside', last_fault = ?, ended_at = ? WHERE rowid = ? AND state = 'waiting'
       AND channel IN (${LETTERS.map((channel) => `'${channel}'`).join(', ')})`,
      [SET_ASIDE, this.#now().toISOString(), row],
    );
  }
}

function changesOf(
  row: Row,
  { json, text = [], unique = [] }: Searched,
  names: PersonNames,
): readonly (readonly [string, Parameter])[] {
  const changed = (
    column: string,
    clean: (kept: string) => string,
  ): readonly (readonly [string, Parameter])[] => {
    const kept = row[column];
    if (typeof kept !== 'string') return [];
    const cleaned = clean(kept);
    return cleaned === kept ? [] : [[column, cleaned]];
  };
  return [
    ...json.flatMap((column) => changed(column, (kept) => cleanJson(kept, names))),
    ...text.flatMap((column) => changed(column, (kept) => cleanField(kept, column, names))),
    // Two that differed in the name alone still differ.
    ...unique.flatMap((column) =>
      changed(column, (kept) => {
        const cleaned = cleanJson(kept, names);
        return cleaned === kept ? kept : `${cleaned}#${numberOf(row)}`;
      }),
    ),
  ];
}

/** What is no JSON is cleaned as the text that it is. */
function cleanJson(kept: string, names: PersonNames): string {
  let value: unknown;
  try {
    value = JSON.parse(kept);
  } catch {
    return names.inText(kept);
  }
  const cleaned = names.inValue(value);
  return cleaned === value ? kept : JSON.stringify(cleaned);
}

function cleanField(kept: string, column: string, names: PersonNames): string {
  const cleaned = z.record(z.string(), z.string()).parse(names.inValue({ [column]: kept }));
  return cleaned[column] ?? kept;
}

function numberOf(row: Row): number {
  return z.int().parse(row['row_number']);
}
