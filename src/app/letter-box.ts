import type { Told } from './told.ts';

/** So many lines wait for one person; the oldest gives way, and is in the session's timeline all the same. */
const MAX_LINES = 20;
/** For so many people lines wait; those of whoever was told longest ago give way. */
const MAX_STATIONS = 200;

interface Letter {
  readonly line: string;
  settle(told: Told): void;
}

/** Lines for whoever types, told between two commands: they wait until the next answer, and nobody else hears them. */
export class LetterBox {
  /** The one told last stands last. */
  readonly #waiting = new Map<string, Letter[]>();

  /** Resolves when the line was taken to be shown, or when it gave way to others. */
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

  /** What was told since the last time, the oldest first: whoever takes it shows it. */
  take(station: string): readonly string[] {
    const letters = this.#waiting.get(station) ?? [];
    this.#waiting.delete(station);
    for (const { settle } of letters) settle({ heard: true });
    return letters.map(({ line }) => line);
  }
}

function giveWay(letters: readonly Letter[]): void {
  for (const { settle } of letters) settle({ heard: false, why: 'it gave way to newer lines' });
}
