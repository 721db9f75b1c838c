/** A run of characters cut into words of a recogniser's vocabulary. */
export interface Segmentation {
  /** The fewest known words that make up the run, in order; stretches no known word covers stand among them as they are. */
  readonly words: readonly string[];
  /** The stretches that no known word covers. */
  readonly unknown: readonly string[];
}

/** Longest word a vocabulary is asked about, in characters. */
export const MAX_WORD_CHARACTERS = 6;

interface Step {
  readonly uncovered: number;
  readonly words: number;
  readonly from: number;
  readonly isKnown: boolean;
}

/** Cuts `run` so that as few characters as possible stay uncovered and, among such cuts, as few words as possible are used. */
export function segment(run: string, known: ReadonlySet<string>): Segmentation {
  if (known.has(run)) return { words: [run], unknown: [] };
  const characters = [...run];
  const best: Step[] = [{ uncovered: 0, words: 0, from: 0, isKnown: true }];
  for (let end = 1; end <= characters.length; end++) {
    const before = best[end - 1];
    if (before === undefined) break;
    let step: Step = {
      uncovered: before.uncovered + 1,
      words: before.words + 1,
      from: end - 1,
      isKnown: false,
    };
    for (let from = Math.max(0, end - MAX_WORD_CHARACTERS); from < end; from++) {
      const head = best[from];
      if (head === undefined || !known.has(characters.slice(from, end).join(''))) continue;
      const isBetter =
        head.uncovered < step.uncovered ||
        (head.uncovered === step.uncovered && head.words + 1 < step.words + (step.isKnown ? 0 : 1));
      if (isBetter) step = { uncovered: head.uncovered, words: head.words + 1, from, isKnown: true };
    }
    best.push(step);
  }
  return readBack(characters, best);
}

function readBack(characters: readonly string[], best: readonly Step[]): Segmentation {
  const words: string[] = [];
  const unknown: string[] = [];
  let unknownUntil = -1;
  for (let end = characters.length; end > 0; ) {
    const step = best[end];
    if (step === undefined) break;
    const piece = characters.slice(step.from, end).join('');
    if (step.isKnown) words.unshift(piece);
    else if (unknownUntil === end) {
      words[0] = piece + (words[0] ?? '');
      unknown[0] = piece + (unknown[0] ?? '');
    } else {
      words.unshift(piece);
      unknown.unshift(piece);
    }
    unknownUntil = step.isKnown ? -1 : step.from;
    end = step.from;
  }
  return { words, unknown };
}
