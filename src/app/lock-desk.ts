import type { LockRefusal, MachineLock } from '../domain/gate/machine-lock.ts';
import type { PeopleDirectory } from '../domain/people/directory.ts';
import { findByName } from '../domain/plc/find-by-name.ts';
import type { PlantModel } from '../domain/plc/plant-model.ts';
import type { Caller } from '../domain/tool/tool-call.ts';
import { EdgeError } from '../runtime/edge-error.ts';
import type { LockOutcome, MachineLocks } from './machine-locks.ts';
import { personNamed } from './named-caller.ts';

interface Parts {
  readonly locks: MachineLocks;
  readonly plant: Pick<PlantModel, 'machineList' | 'machineName'>;
  readonly people: PeopleDirectory;
}

/** A lock as people see it. */
export interface LockReport extends MachineLock {
  readonly names: { readonly en: string; readonly zh: string };
}

/** In the audit, where a lock of the command line was asked for. */
const STATION = 'ask';

/** Locks and unlocks machines for the command line: machines and people by any of their names. */
export class LockDesk {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Those in force, the oldest first. */
  list(): readonly LockReport[] {
    return [...this.#parts.locks.view.values()]
      .sort((one, other) => one.at.localeCompare(other.at))
      .map((lock) => this.#report(lock));
  }

  /**
   * Rejects with EdgeError INPUT_INVALID for a machine or a person that there is not, LOCK_REFUSED when somebody else has locked it or
   * the person may not, and with the EdgeErrors of the store.
   */
  async lock(written: string, by: string, reason?: string): Promise<LockReport> {
    const machine = findByName(written, this.#parts.plant.machineList(), 'machine');
    return this.#outcome(machine, await this.#parts.locks.lock(machine, this.#caller(by), reason));
  }

  /** The lock that was ended. Rejects as `lock` does; LOCK_REFUSED also when the machine is not locked. */
  async unlock(written: string, by: string): Promise<LockReport> {
    const known = this.#parts.plant.machineList();
    // A lock may be of a machine that the device map has no more.
    const machine = this.#parts.locks.view.has(written) ? written : findByName(written, known, 'machine');
    return this.#outcome(machine, await this.#parts.locks.unlock(machine, this.#caller(by)));
  }

  #outcome(machine: string, outcome: LockOutcome): LockReport {
    if (outcome.ok) return this.#report(outcome.lock);
    const holder = outcome.lock?.by.name;
    throw new EdgeError('LOCK_REFUSED', `${machine} ${REFUSALS[outcome.reason](holder)}`, {
      hint: HINTS[outcome.reason],
    });
  }

  #report(lock: MachineLock): LockReport {
    const { en, zh } = this.#parts.plant.machineName(lock.machine);
    return { ...lock, names: { en, zh } };
  }

  /** A site without a directory knows nobody's role: each is an operator under the name that is given. */
  #caller(by: string): Pick<Caller, 'role' | 'person' | 'station'> {
    const { people } = this.#parts;
    if (people.people.length === 0)
      return { role: 'operator', person: { id: by, name: by }, station: STATION };
    const { id, names, role } = personNamed(
      by,
      people,
      'say who with --by and an id or a name of the people file',
    );
    return { role, person: { id, name: names.en }, station: STATION };
  }
}

const REFUSALS: Readonly<Record<LockRefusal, (holder: string | undefined) => string>> = {
  unnamed: () => 'can be locked and unlocked only by somebody who is at least an operator',
  locked_by_other: (holder) => `is locked by ${holder}`,
  not_locked: () => 'is not locked',
  unknown_machine: () => 'is not in the device map',
};

const HINTS: Readonly<Record<LockRefusal, string>> = {
  unnamed: 'the people file says who is what',
  locked_by_other: 'whoever locked it unlocks it, or a supervisor',
  not_locked: 'hermes-edge locks shows those that are',
  unknown_machine: 'hermes-edge plant watch shows the machines',
};
