import type { Language } from '../../domain/language/language.ts';
import { type FindOptions, MentionFinder } from '../../domain/memory/anchors/mention-finder.ts';
import { compileNames, type NameIndex, type SiteName } from '../../domain/memory/anchors/name-index.ts';
import type { Romanise } from '../../domain/memory/anchors/near-sounds.ts';
import { isAliasName, type ToldAlias } from '../../domain/memory/anchors/told-aliases.ts';
import type { Mention } from '../../domain/memory/mention.ts';
import type { Clocks, Scheduler } from '../../runtime/clocks.ts';
import type { Logger } from '../../runtime/logger.ts';
import { nearest } from '../../runtime/nearest.ts';
import type { AnchorDirectory } from '../ports/anchor-directory.ts';
import { AnchorRefresh } from './anchor-refresh.ts';
import { wholeName } from './site-directory.ts';

/** `stale`: not looked up for 30 days. */
export type Freshness = 'fresh' | 'stale';
export type AnchorSource = 'directory' | 'points' | 'told' | 'asked';

export type ResolvedMention =
  | {
      readonly kind: 'one';
      readonly id: string;
      readonly exact: boolean;
      readonly freshness: Freshness;
      readonly source: AnchorSource;
    }
  /** Somebody has to say which, or that the only one is meant. */
  | { readonly kind: 'ask'; readonly candidates: readonly string[] }
  | { readonly kind: 'none'; readonly nearest: string | undefined };

interface AnchorPoolParts {
  readonly names: readonly SiteName[];
  readonly directory: AnchorDirectory;
  readonly clocks: Pick<Clocks, 'monotonicMs' | 'wall'>;
  readonly scheduler: Scheduler;
  readonly logger: Pick<Logger, 'warn'>;
  readonly romanise?: () => Romanise | undefined;
}

interface Entry {
  readonly ids: readonly string[];
  /** Monotonic. */
  readonly resolvedAtMs: number;
  readonly source: AnchorSource;
}

const FRESH_FOR_MS = 30 * 86_400_000;
const MOST_ENTRIES = 2_000;
const MOST_ALIASES = 500;

/**
 * Names and what they stand for, for all sessions. What was resolved within 30 days is used at once; what is older is used too, says
 * so, and is looked up again beside. A write gets one thing only where the site's own files name it so, exactly, and lately.
 */
export class AnchorPool {
  readonly index: NameIndex;
  readonly #parts: AnchorPoolParts;
  readonly #site: MentionFinder;
  readonly #finder: MentionFinder;
  readonly #refresh: AnchorRefresh;
  /** By name, the longest unused first. */
  readonly #entries = new Map<string, Entry>();
  readonly #aliases = new Map<string, ToldAlias>();

  constructor(parts: AnchorPoolParts) {
    this.#parts = parts;
    this.index = compileNames(parts.names);
    this.#site = new MentionFinder(this.index);
    this.#finder = new MentionFinder(this.index, parts.romanise);
    this.#refresh = new AnchorRefresh(parts);
  }

  /** What a text names, by names of the site and by told ones. */
  find(text: string, language: Language, options?: FindOptions): readonly Mention[] {
    return this.#finder.find(text, language, options);
  }

  /** Takes aliases over, newer ones in place of older; those that name nothing of the site, or beyond 500, are left out. */
  addAliases(aliases: readonly ToldAlias[]): void {
    for (const alias of aliases) {
      if (!this.index.ids.has(alias.id) || !isAliasName(alias.name, alias.kind)) continue;
      const key = aliasKey(alias);
      if (!this.#aliases.has(key) && this.#aliases.size >= MOST_ALIASES) continue;
      this.#aliases.set(key, alias);
    }
    this.#relearn();
  }

  removeAlias(name: string, id: string): void {
    this.#aliases.delete(aliasKey({ name, id }));
    this.#relearn();
  }

  /** Takes out what was told and what was resolved under these names and ids; returns how many told names went. */
  forget(isGone: (name: string, id: string) => boolean): number {
    const before = this.#aliases.size;
    for (const [key, { name, id }] of this.#aliases) if (isGone(name, id)) this.#aliases.delete(key);
    for (const [key, { ids }] of this.#entries)
      if (ids.some((id) => isGone(key, id))) this.#entries.delete(key);
    this.#relearn();
    return before - this.#aliases.size;
  }

  /** Somebody was asked which one a shared name means. It counts for looking, until the name is resolved otherwise. */
  answered(mention: Mention, id: string): void {
    if (!mention.candidates.includes(id)) return;
    this.#keep(keyOf(mention), { ids: [id], resolvedAtMs: this.#nowMs(), source: 'asked' });
  }

  resolveMention(mention: Mention, { forWrite }: { readonly forWrite: boolean }): ResolvedMention {
    const candidates = mention.candidates.filter((id) => this.index.ids.has(id));
    const [id, ...others] = candidates;
    if (id === undefined) return { kind: 'none', nearest: nearest(mention.text, this.index.written) };
    if (others.length > 0) return this.#shared(mention, candidates, forWrite);
    if (!mention.exact) {
      if (forWrite) return { kind: 'ask', candidates };
      return { kind: 'one', id, exact: false, freshness: 'fresh', source: sourceOf(id) };
    }
    const { ids, source, freshness } = this.#entry(mention, id);
    if (ids.length > 1) return { kind: 'ask', candidates: ids };
    if (forWrite && (source === 'told' || freshness === 'stale')) return { kind: 'ask', candidates: ids };
    return { kind: 'one', id, exact: true, freshness, source };
  }

  #shared(mention: Mention, candidates: readonly string[], forWrite: boolean): ResolvedMention {
    const known = this.#entries.get(keyOf(mention));
    const [id] = known?.source === 'asked' ? known.ids : [];
    if (forWrite || known === undefined || id === undefined || !candidates.includes(id))
      return { kind: 'ask', candidates };
    const isFresh = this.#nowMs() - known.resolvedAtMs < FRESH_FOR_MS;
    if (!isFresh) return { kind: 'ask', candidates };
    return { kind: 'one', id, exact: false, freshness: 'fresh', source: 'asked' };
  }

  /** What the pool holds of a name; what the text itself says is never left out. */
  #entry(mention: Mention, id: string): Entry & { readonly freshness: Freshness } {
    const key = keyOf(mention);
    const known = this.#entries.get(key);
    const entry = known === undefined || known.source === 'asked' ? this.#resolved(mention, id) : known;
    this.#keep(key, entry);
    const ids = entry.ids.includes(id) ? entry.ids : [id, ...entry.ids];
    const freshness = this.#nowMs() - entry.resolvedAtMs < FRESH_FOR_MS ? 'fresh' : 'stale';
    if (freshness === 'stale' && entry.source !== 'told')
      this.#refresh.begin(key, mention.kind, mention.text, (found) =>
        this.#keep(key, { ...entry, ids: found, resolvedAtMs: this.#nowMs() }),
      );
    return { ...entry, ids, freshness };
  }

  /** Told, unless the site's own files call it so as well. */
  #resolved(mention: Mention, id: string): Entry {
    const nowMs = this.#nowMs();
    if (wholeName(this.#site, mention.text).includes(id))
      return { ids: [id], resolvedAtMs: nowMs, source: sourceOf(id) };
    const told = [...this.#aliases.values()].filter((alias) => alias.id === id);
    const confirmedAtMs = Math.min(...told.map((alias) => alias.confirmedAtMs));
    const wallMs = this.#parts.clocks.wall().getTime();
    const ageMs = told.length === 0 ? 0 : Math.max(0, wallMs - confirmedAtMs);
    return { ids: [id], resolvedAtMs: nowMs - ageMs, source: 'told' };
  }

  #keep(key: string, entry: Entry): void {
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= MOST_ENTRIES) break;
      this.#entries.delete(oldest);
    }
  }

  /** What was told of a name is looked at anew, since it may have been taken back. */
  #relearn(): void {
    const aliases = [...this.#aliases.values()];
    this.#finder.learn(
      compileNames(aliases.map(({ name, id, kind }) => ({ id, kind, names: { en: [name], zh: [] } }))),
    );
    for (const [key, { source }] of this.#entries) if (source === 'told') this.#entries.delete(key);
  }

  #nowMs(): number {
    return this.#parts.clocks.monotonicMs();
  }
}

function keyOf({ kind, text }: Mention): string {
  return `${kind} ${text.toLowerCase()}`;
}

function aliasKey({ name, id }: Pick<ToldAlias, 'name' | 'id'>): string {
  return `${id} ${name.toLowerCase()}`;
}

function sourceOf(id: string): AnchorSource {
  return id.startsWith('person:') ? 'directory' : 'points';
}
