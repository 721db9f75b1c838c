/** One entry of a PLC's event log. */
export interface LogRecord {
  /** By the PLC's own clock, Unix seconds. */
  readonly atS: number;
  /** Records ever written before this one, plus one. */
  readonly sequence: number;
  readonly code: number;
  readonly value: number;
}

/** The event log of a PLC: a ring of `capacity` records, in which each new one takes the place of the oldest. */
export class LogRing {
  readonly #capacity: number;
  readonly #records: (LogRecord | undefined)[];
  #written = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#records = new Array<LogRecord | undefined>(capacity).fill(undefined);
  }

  /** Records ever written. */
  get written(): number {
    return this.#written;
  }

  append(entry: Pick<LogRecord, 'atS' | 'code' | 'value'>): void {
    const at = this.#written % this.#capacity;
    this.#written += 1;
    this.#records[at] = { ...entry, sequence: this.#written };
  }

  /** What is in the place `slot`, 0 to below the capacity; undefined where nothing has been written yet. */
  at(slot: number): LogRecord | undefined {
    return this.#records[slot];
  }
}
