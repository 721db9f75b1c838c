import { createHash } from 'node:crypto';
import type { FileChanges } from './import-stream.ts';

/** What an import of a site's directory changes, and how its commit is called. */
export interface SiteImport {
  readonly changes: FileChanges;
  readonly message: string;
}

/** Where the digests of what a box has imported stand. */
export function importListPath(node: string): string {
  return `imported/${node.replace(/[^\p{L}\p{N}_-]/gu, '_')}.txt`;
}

/**
 * What a site's directory brings: files that are new or other than at this box's last import, and the removal of those that
 * are gone from it. What somebody changed elsewhere stays until the directory's own file changes. Undefined when nothing does.
 */
export function siteImport(now: {
  /** Texts by the names of their files. */
  readonly files: ReadonlyMap<string, string>;
  /** Texts at HEAD by path. */
  readonly kept: ReadonlyMap<string, string>;
  readonly node: string;
}): SiteImport | undefined {
  const { files, kept, node } = now;
  const list = importListPath(node);
  const last = digestsIn(kept.get(list) ?? '');
  const changes = new Map<string, string | undefined>();
  const told: string[] = [];
  for (const [name, text] of files) {
    const path = `how-to/${name}`;
    if (last.get(name) === digestOf(text) || kept.get(path) === text) continue;
    changes.set(path, text);
    told.push(`${kept.has(path) ? 'change' : 'add'} ${name}`);
  }
  for (const name of last.keys()) {
    const path = `how-to/${name}`;
    if (files.has(name) || !kept.has(path)) continue;
    changes.set(path, undefined);
    told.push(`remove ${name}`);
  }
  const digests = [...files].map(([name, text]) => `${digestOf(text)} ${name}\n`).join('');
  if (changes.size === 0 && digests === (kept.get(list) ?? '')) return undefined;
  changes.set(list, digests);
  const [first = 'note what was imported', ...more] = told;
  const subject = more.length === 0 ? first : `${first} and ${more.length} more`;
  return { changes, message: `How-tos of ${node}: ${subject}\n\n${told.join('\n')}\n` };
}

function digestsIn(list: string): ReadonlyMap<string, string> {
  return new Map(
    [...list.matchAll(/^([0-9a-f]{64}) (.+)$/gmu)].flatMap(([, digest, name]) =>
      digest === undefined || name === undefined ? [] : [[name, digest] as const],
    ),
  );
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
