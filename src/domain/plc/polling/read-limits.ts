import type { RegisterSpan } from '../modbus-request.ts';
import type { RegisterTable } from '../register-address.ts';
import type { LearnedLimits } from './read-plan.ts';

/** Two cells that a device does not give in one answer, though it gives each. */
interface Parting {
  readonly table: RegisterTable;
  readonly first: number;
  readonly last: number;
}

/** The most that was answered and the least that was refused for its length. */
interface LengthBounds {
  answered: number;
  refused: number;
}

/**
 * What a device was found to give at once beyond what its map says: how many registers, and which may not be read
 * together. Learned from refusals, forgotten with the program.
 */
export class ReadLimits implements LearnedLimits {
  readonly #partings: Parting[] = [];
  readonly #bounds = new Map<RegisterTable, LengthBounds>();
  #revision = 0;

  /** Changes whenever a plan made before may no longer be the best. */
  get revision(): number {
    return this.#revision;
  }

  /** Whether anything was learned that a plan keeps to. */
  get isLimited(): boolean {
    return (
      this.#partings.length > 0 ||
      [...this.#bounds.values()].some(({ refused }) => refused !== Number.POSITIVE_INFINITY)
    );
  }

  /** A device that was mended or replaced is asked as its map says. */
  forget(): void {
    this.#partings.length = 0;
    this.#bounds.clear();
    this.#revision += 1;
  }

  /** Half way between what was answered and what was refused, so that the limit is found in a few reads. */
  most(table: RegisterTable): number {
    const bounds = this.#bounds.get(table);
    if (bounds === undefined || bounds.refused === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
    return Math.max(1, bounds.answered, Math.floor((bounds.answered + bounds.refused) / 2));
  }

  isParted(table: RegisterTable, first: number, last: number): boolean {
    return this.#partings.some(
      (parting) => parting.table === table && parting.first >= first && parting.last <= last,
    );
  }

  noteAnswered({ table, count }: RegisterSpan): void {
    const bounds = this.#boundsOf(table);
    if (count <= bounds.answered) return;
    bounds.answered = count;
    if (bounds.refused === Number.POSITIVE_INFINITY) return;
    this.#revision += 1;
    // It gave this much: whatever was refused before was not refused for its length.
    if (bounds.refused <= bounds.answered) bounds.refused = Number.POSITIVE_INFINITY;
  }

  /**
   * The whole of `span` was refused, while everything up to `left` and everything from `right` on was given. Registers
   * between the two belong to no point: they are the likely cause. Without any it is the length, unless as much has been
   * given before.
   */
  noteRefusedTogether({ table, count }: RegisterSpan, left: number, right: number): void {
    this.#revision += 1;
    const bounds = this.#boundsOf(table);
    const isGap = right - left > 1;
    const isLength = !isGap && count > bounds.answered && count > 2;
    if (isLength) {
      bounds.refused = Math.min(bounds.refused, count);
      return;
    }
    this.#partings.push({ table, first: left, last: right });
    // Refusals that were put down to length may have had this cause.
    bounds.refused = Number.POSITIVE_INFINITY;
  }

  #boundsOf(table: RegisterTable): LengthBounds {
    const known = this.#bounds.get(table);
    if (known !== undefined) return known;
    const bounds = { answered: 0, refused: Number.POSITIVE_INFINITY };
    this.#bounds.set(table, bounds);
    return bounds;
  }
}
