/** The middle of the 1.5 to 2 tokens that a Chinese character takes. */
const PER_HAN = 1.75;
const PER_WORD = 1.3;
/** A longer run of letters or digits (a hash, a number, a path) counts as several words. */
const WORD_LETTERS = 12;

const PARTS =
  /(?<han>\p{Script=Han})|(?<word>(?:(?!\p{Script=Han})[\p{L}\p{M}\p{N}])+)|(?<sign>[^\s\p{L}\p{M}\p{N}])/gu;

/**
 * About how many tokens a text costs, rounded up: 1.75 for a Chinese character, 1.3 for each word or number and each 12 letters
 * of a longer one, 1 for any other sign. An estimate that needs no model; it is meant to be rather too high.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const { groups } of text.matchAll(PARTS)) {
    if (groups?.['han'] !== undefined) tokens += PER_HAN;
    else if (groups?.['word'] !== undefined)
      tokens += PER_WORD * Math.ceil(groups['word'].length / WORD_LETTERS);
    else tokens += 1;
  }
  // 1.75 and 1.3 are no binary fractions: without this, ten words would come to 14.
  return Math.ceil(Math.round(tokens * 1000) / 1000);
}

/** The beginning of a text that takes at most `limit` tokens; the whole of it where that fits. */
export function firstTokens(text: string, limit: number): string {
  const characters = [...text];
  let fits = 0;
  let over = characters.length + 1;
  while (over - fits > 1) {
    const middle = Math.floor((fits + over) / 2);
    if (estimateTokens(characters.slice(0, middle).join('')) <= limit) fits = middle;
    else over = middle;
  }
  return characters.slice(0, fits).join('');
}
