import { languageOf } from '../../domain/language/language.ts';
import type { MentionFinder } from '../../domain/memory/anchors/mention-finder.ts';
import type { AnchorKind } from '../../domain/memory/mention.ts';
import type { AnchorDirectory } from '../ports/anchor-directory.ts';

/** The people and the plant that are in memory already: what goes by a name in the files that were read last. */
export class SiteDirectory implements AnchorDirectory {
  readonly #finder: () => MentionFinder;

  /** `finder` gives the one over the names as they are now; it knows no aliases. */
  constructor(finder: () => MentionFinder) {
    this.#finder = finder;
  }

  async lookup(kind: AnchorKind, name: string): Promise<readonly string[]> {
    return wholeName(this.#finder(), name).filter((id) => id.startsWith(`${kind}:`));
  }
}

/** Everything that is called exactly so; nothing where the text says more than a name. */
export function wholeName(finder: MentionFinder, text: string): readonly string[] {
  const [only, ...others] = finder.find(text, languageOf(text));
  const isWhole = only !== undefined && others.length === 0 && only.exact && only.text === text.trim();
  return isWhole ? only.candidates : [];
}
