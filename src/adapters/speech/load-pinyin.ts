import type { ToPinyin } from './speech-runs.ts';

/** Loads the dictionary on first use: it takes a third of a second and memory that an English station never needs. */
export async function loadPinyin(): Promise<ToPinyin> {
  const { pinyin } = await import('pinyin-pro');
  const toPinyin: ToPinyin = (text) =>
    pinyin(text, { toneType: 'num', v: true, nonZh: 'consecutive' })
      // espeak-ng counts the neutral tone as the fifth.
      .replace(/([a-zü])0/g, '$15')
      .replace(/\s+/g, ' ')
      .trim();
  // The first conversion builds the dictionary's search tree, most of the time there is to spend.
  toPinyin('好');
  return toPinyin;
}
