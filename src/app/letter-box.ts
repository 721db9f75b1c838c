import type { Told } from './told.ts';

/** So many lines wait for one person; the oldest gives way, and is in the session's timeline all the same. */
const MAX_LINES = 20;
/** For so many people lines wait; those of whoever was told longest ago give way. */
const MAX_STATIONS = 200;

interface Letter {
  readonly line: string;
  settle(told: Told): void;
}

export interface TakenLetters {
  readonly lines: readonly string[];
  told(told: Told): void;
}

/** Lines for whoever types, told between two commands: they wait until the next answer, and nobody else hears them. */
export class LetterBox {
  /** The one told last stands last. */
  readonly #waiting = new Map<string, Letter[]>();

  /** Resolves when the line was shown, or when it gave way to others. */
  keep(station: string, line: string): Promise<Told> {
    return new Promise((settle) => {
      const letters = this.#waiting.get(station) ?? [];
      letters.push({ line, settle });
      this.#waiting.delete(station);
      this.#waiting.set(station, letters);
      if (letters.length > MAX_LINES) giveWay(letters.splice(0, 1));
      const [oldest] = this.#waiting;
      if (this.#waiting.size <= MAX_STATIONS || oldest === undefined) return;
      this.#waiting.delete(oldest[0]);
      giveWay(oldest[1]);
    });
  }

  /** What was told since the last time, the oldest first, for whoever says whether it was read: otherwise it goes on waiting. */
  take(station: string): TakenLetters {
    const letters = this.#waiting.get(station) ?? [];
    this.#waiting.delete(station);
    return {
      lines: letters.map(({ line }) => line),
      told: (told) => {
        if (told.heard) for (const { settle } of letters) settle(told);
        else if (letters.length > 0) this.#waitAgain(station, letters);
      },
    };
  }

  #waitAgain(station: string, letters: readonly Letter[]): void {
    const all = [...letters, ...(this.#waiting.get(station) ?? [])];
    giveWay(all.splice(0, Math.max(0, all.length - MAX_LINES)));
    this.#waiting.set(station, all);
  }
}

function giveWay(letters: readonly Letter[]): void {
  for (const { settle } of letters) settle({ heard: false, why: 'it gave way to newer lines' });
}
