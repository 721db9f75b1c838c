/** Where it is kept which pseudonym is whose. Rejects with EdgeError STATE_DB_FAILED or STATE_DB_BUSY. */
export interface PseudonymStore {
  /** Pseudonyms by the ids of their people. */
  all(): Promise<ReadonlyMap<string, string>>;
  /** One that is taken already is left out; whoever has one keeps it. */
  add(pseudonyms: ReadonlyMap<string, string>): Promise<void>;
}
