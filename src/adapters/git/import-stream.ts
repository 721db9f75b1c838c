import type { GitAuthor } from './git-program.ts';

/** A file as it is to be; undefined removes it. */
export type FileChanges = ReadonlyMap<string, string | undefined>;

/** What `git fast-import --done` makes one commit of: a stream that breaks off before its end commits nothing. */
export function importStream(commit: {
  readonly ref: string;
  /** Undefined for the first one. */
  readonly parent: string | undefined;
  readonly author: GitAuthor;
  readonly atMs: number;
  readonly message: string;
  readonly changes: FileChanges;
}): Buffer {
  const { ref, parent, author, message, changes } = commit;
  const atS = Math.max(0, Math.floor(commit.atMs / 1000));
  const files = [...changes].flatMap(([path, text]) =>
    text === undefined ? [`D ${quoted(path)}\n`] : [`M 100644 inline ${quoted(path)}\n`, data(text)],
  );
  const parts = [
    `commit ${ref}\n`,
    `committer ${author.name} <${author.email}> ${atS} +0000\n`,
    data(message),
    ...(parent === undefined ? [] : [`from ${parent}\n`]),
    ...files,
    'done\n',
  ];
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}

function data(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from(`data ${bytes.length}\n`), bytes, Buffer.from('\n')]);
}

function quoted(path: string): string {
  return `"${path.replace(/["\\]/gu, '\\$&').replaceAll('\n', '\\n')}"`;
}
