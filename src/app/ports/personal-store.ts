import type { PersonNames } from '../../domain/privacy/person-names.ts';
import type { ErasedPerson } from '../../domain/privacy/pseudonymise.ts';

/** Whom to erase, and how their names are found and replaced. */
export interface Erasure {
  readonly person: ErasedPerson;
  readonly names: PersonNames;
}

/** What became of a store's share. */
export interface ErasedShare {
  /** Rows, files or things in memory that were changed or removed. */
  readonly count: number;
  /** What a person still has to do by hand, in words. */
  readonly byHand?: readonly string[];
}

/** Somewhere where something about people is kept. */
export interface PersonalStore {
  /** In counts and in the log. */
  readonly name: string;
  /** May be called again after it failed or was cut off: what is gone already is not counted again. Rejects with EdgeErrors of the store. */
  erase(erasure: Erasure): Promise<ErasedShare>;
}

/** An erasure that was begun. Times in ISO 8601. */
export interface BegunErasure {
  readonly request: string;
  /** Keyed hash of the person's id: what the far side and backups match by. */
  readonly key: string;
  readonly person: ErasedPerson;
}

/** What is known of erasures, in the order in which they count. Rejects with EdgeError STATE_DB_FAILED or STATE_DB_BUSY. */
export interface ErasureLedger {
  /** Puts it into the audit and tells the far side, in one transaction. */
  begin(begun: BegunErasure): Promise<void>;
  /** Those that a restart has cut off, the oldest first. */
  unfinished(): Promise<readonly BegunErasure[]>;
  /** Deletes who was behind the pseudonym and what was kept of the request, and puts the counts into the audit. */
  end(begun: BegunErasure, counts: Readonly<Record<string, number>>): Promise<void>;
  /** Leaves nothing of what was deleted in the file. */
  purge(): Promise<void>;
  /** Keys of all who were erased: what a backup that was made before has to leave out. */
  keys(): Promise<readonly string[]>;
}
