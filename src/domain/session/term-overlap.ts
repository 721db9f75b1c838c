import { languageOf } from '../language/language.ts';
import { tokenise } from '../language/tokens.ts';

/** Words that say nothing of what a turn is about. */
const STOP_WORDS = new Set(
  (
    'a an the of in on at to for from with and or is are was were be been do does did has have had will would can could ' +
    'please me my i you your we our what which who how when where there here tell show give get let say ' +
    '的 了 是 在 和 与 请 我 你 他 吗 呢 吧 把 给 个 一 下 就 都 也 要 有'
  ).split(' '),
);
const HAN = /^\p{Script=Han}$/u;

/** The terms of a text: words, and of Chinese the pairs of neighbouring characters (a lone one stands for itself). */
export function termsOf(text: string): readonly string[] {
  const terms: string[] = [];
  let run: string[] = [];
  const close = (): void => {
    if (run.length === 1) terms.push(...run);
    for (let i = 0; i + 1 < run.length; i++) terms.push(`${run[i]}${run[i + 1]}`);
    run = [];
  };
  for (const { text: word } of tokenise(text, languageOf(text))) {
    const isHan = HAN.test(word);
    if (!isHan || STOP_WORDS.has(word)) close();
    if (STOP_WORDS.has(word)) continue;
    if (isHan) run.push(word);
    else terms.push(word);
  }
  close();
  return terms;
}

/**
 * How much of what a query is about is found in each text, 0 to 1: the TF-IDF weight of the query's terms that the text holds,
 * as a share of the weight of all of them. A term's weight is its count in the query times ln(1 + N/(1 + n)), where n of
 * the N texts hold it.
 */
export function termOverlaps(query: string, texts: readonly string[]): readonly number[] {
  const sets = texts.map((text) => new Set(termsOf(text)));
  const counts = new Map<string, number>();
  for (const term of termsOf(query)) counts.set(term, (counts.get(term) ?? 0) + 1);
  const weights = [...counts].map(([term, count]) => {
    const holding = sets.filter((set) => set.has(term)).length;
    return { term, weight: count * Math.log(1 + texts.length / (1 + holding)) };
  });
  const total = weights.reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0) return texts.map(() => 0);
  return sets.map(
    (set) => weights.reduce((sum, { term, weight }) => sum + (set.has(term) ? weight : 0), 0) / total,
  );
}
