import type { SentenceBook } from '../domain/intent/sentence-book.ts';
import { nearest } from '../runtime/nearest.ts';

/** What in a sentence that is not understood nobody can know, and the words that may be meant; '' when all words are known. */
export function unknownWordsText(text: string, book: SentenceBook): string {
  const match = book.match(text);
  if (match.kind !== 'none' || match.unknownWords.length === 0) return '';
  // Chinese is told apart by its characters, of which none is nearer to another.
  if (book.language === 'zh') return `不认识：${match.unknownWords.map((word) => `“${word}”`).join('、')}。`;
  const vocabulary = book.vocabulary().map((word) => word.toLowerCase());
  return match.unknownWords
    .map((word) => {
      const meant = nearest(word, vocabulary);
      return `"${word}" is not known${meant === undefined ? '.' : `; did you mean "${meant}"?`}`;
    })
    .join('\n');
}
