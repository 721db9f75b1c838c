import type { SentenceBook } from '../domain/intent/sentence-book.ts';
import { backoffMs } from '../runtime/backoff.ts';
import type { Cancel, Scheduler } from '../runtime/clocks.ts';
import { messageOf } from '../runtime/edge-error.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Health, Service } from '../runtime/service.ts';
import type { Recogniser } from './ports/recogniser.ts';

interface Parts {
  readonly recogniser: Recogniser;
  readonly book: SentenceBook;
  readonly logger: Logger;
  readonly scheduler: Scheduler;
}

const RETRY = { baseMs: 1000, maxMs: 30_000 };
/** So many words are named in health; all of them are in the log. */
const NAMED = 8;

/** Gives the recogniser its grammar, and names the words of sentences and machines that its model does not know. */
export class GrammarLoader implements Service {
  readonly name = 'grammar';
  readonly #parts: Parts;
  #cancel: Cancel | undefined;
  #stopped = false;
  #attempt = 0;
  #health: Health = { status: 'starting', detail: 'waiting for the recogniser' };

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    await this.#load();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel?.();
  }

  health(): Health {
    return this.#health;
  }

  async #load(): Promise<void> {
    const { recogniser, book, logger, scheduler } = this.#parts;
    try {
      const known = await recogniser.knownWords(book.candidates());
      const phrases = book.grammar({ known });
      if (phrases.length === 0) {
        this.#health = {
          status: 'down',
          detail: 'the voice model knows none of the sentences: is it of the configured language?',
        };
        logger.error({ language: book.language }, 'the voice model knows none of the sentences');
        return;
      }
      await recogniser.setGrammar(phrases);
      this.#report(phrases.length, known);
    } catch (error) {
      this.#health = { status: 'down', detail: `no grammar yet: ${messageOf(error)}` };
      if (this.#stopped) return;
      this.#cancel = scheduler.after(backoffMs(this.#attempt, RETRY), () => {
        this.#attempt += 1;
        void this.#load();
      });
    }
  }

  #report(phrases: number, known: ReadonlySet<string>): void {
    const unknown = this.#parts.book.unknownWords(known);
    for (const { word, where, nearest, blocking } of unknown) {
      const detail = { word, where, nearest, blocking };
      if (blocking) this.#parts.logger.warn(detail, 'the voice model does not know a word');
      else this.#parts.logger.debug(detail, 'the voice model does not know a word that can be left out');
    }
    const blocking = [...new Set(unknown.filter((each) => each.blocking).map((each) => each.word))];
    const figures = { phrases, unknown_words: unknown.length };
    this.#health =
      blocking.length === 0
        ? { status: 'ok', detail: `${phrases} phrases`, figures }
        : {
            status: 'degraded',
            detail: `cannot be heard, the voice model lacks the words: ${blocking.slice(0, NAMED).join(', ')}${blocking.length > NAMED ? ', …' : ''}`,
            figures,
          };
  }
}
