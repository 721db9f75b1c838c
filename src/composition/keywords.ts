import type { KeywordMatch } from '../app/engine/engine-parts.ts';
import { LANGUAGES, type Language } from '../domain/language/language.ts';
import { KeywordMatcher } from '../domain/planning/keyword-match.ts';
import type { RuleFile } from '../domain/planning/rule-file.ts';
import type { Site } from './site.ts';

/** The likeness of words at a site, by the examples of the rules that are in force. */
export class SiteKeywords {
  readonly #site: Pick<Site, 'sentences' | 'lists'>;
  readonly #isPeriod: (words: string) => boolean;
  #examples: RuleFile['examples'] = {};
  readonly #matchers = new Map<Language, KeywordMatcher>();

  constructor(site: Pick<Site, 'sentences' | 'lists'>, isPeriod: (words: string) => boolean) {
    this.#site = site;
    this.#isPeriod = isPeriod;
  }

  readonly match: KeywordMatch = (text, language) => this.#matcher(language).match(text);

  /** Takes over the examples of other rules. */
  use(examples: RuleFile['examples']): void {
    this.#examples = examples;
    this.#matchers.clear();
  }

  /** Builds what the first match would have to wait for: tens of milliseconds a language. */
  prepare(): void {
    for (const language of LANGUAGES) this.#matcher(language);
  }

  #matcher(language: Language): KeywordMatcher {
    const known = this.#matchers.get(language);
    if (known !== undefined) return known;
    const matcher = new KeywordMatcher({
      file: this.#site.sentences[language],
      siteLists: this.#site.lists[language],
      examples: this.#examples,
      isPeriod: this.#isPeriod,
    });
    this.#matchers.set(language, matcher);
    return matcher;
  }
}
