import type { AnchorKind } from '../../domain/memory/mention.ts';

/** Who knows by what name the things and people of the site go now. */
export interface AnchorDirectory {
  /** Ids, with their kind in front (`machine:pump-7`), of everything of this kind with exactly this name; may reject. */
  lookup(kind: AnchorKind, name: string, signal: AbortSignal): Promise<readonly string[]>;
}
