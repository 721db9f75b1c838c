import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { ArchiveDay, ArchiveLine, MemoryArchive } from '../../app/ports/memory-archive.ts';
import type { Clocks } from '../../runtime/clocks.ts';
import { EdgeError, messageOf } from '../../runtime/edge-error.ts';
import type { Logger } from '../../runtime/logger.ts';
import { syncAndClose, syncDirectory } from '../../runtime/sync-directory.ts';
import { gunzipMembers, gzipMember, type Members } from './gzip-members.ts';

interface Options {
  readonly directory: string;
  /** Of all files together: the oldest days go first. */
  readonly maxBytes: number;
}

interface Parts {
  readonly clocks: Clocks;
  readonly logger: Logger;
}

const NAME = /^(\d{4}-\d{2}-\d{2})\.jsonl\.gz$/u;
const DAY = /^\d{4}-\d{2}-\d{2}$/u;
const lineSchema = z.strictObject({ id: z.string(), text: z.string() });
const DRAFT_SUFFIX = '.new';
const DAY_MS = 86_400_000;
const MAX_LINES = 10_000;
const MAX_MEMBER_BYTES = 8_000_000;

/**
 * A file a day, `YYYY-MM-DD.jsonl.gz`: each append is a gzip member of its own, synced before it counts. A member that a
 * crash has torn is cut off by the next append; a repeat, known by the ids of its lines, adds nothing.
 */
export class ArchiveDirectory implements MemoryArchive {
  readonly #options: Options;
  readonly #parts: Parts;
  #isReady = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: Options, parts: Parts) {
    this.#options = options;
    this.#parts = parts;
  }

  append(day: string, lines: readonly ArchiveLine[]): Promise<void> {
    return this.#alone(async () => {
      if (!DAY.test(day)) throw new EdgeError('ARCHIVE_FAILED', `"${day}" is no day such as 2026-11-30`);
      const members = await this.#members(day);
      const known = new Set(linesIn(members).map(({ id }) => id));
      const added = new Map<string, ArchiveLine>();
      for (const { id, text } of lines) if (!known.has(id) && !added.has(id)) added.set(id, { id, text });
      if (added.size === 0) return;
      const text = [...added.values()].map((line) => `${JSON.stringify(line)}\n`).join('');
      if (added.size > MAX_LINES || text.length > MAX_MEMBER_BYTES)
        throw new EdgeError('ARCHIVE_FAILED', `${day}: too much at once: ${added.size} lines`, {
          hint: `at most ${MAX_LINES} lines of ${MAX_MEMBER_BYTES} bytes together`,
        });
      await this.#extend(day, await gzipMember(text), members.wholeBytes);
      await this.#makeRoom(day);
    });
  }

  days(): Promise<readonly string[]> {
    return this.#alone(() => this.#days());
  }

  read(day: string): Promise<ArchiveDay> {
    return this.#alone(async () => {
      const members = await this.#members(day);
      return { lines: linesIn(members), damagedBytes: members.damagedBytes };
    });
  }

  bytes(): Promise<number> {
    return this.#alone(async () => {
      const sizes = await this.#sizes();
      return sizes.reduce((sum, { size }) => sum + size, 0);
    });
  }

  prune(olderThanDays: number): Promise<number> {
    return this.#alone(async () => {
      const oldest = new Date(this.#parts.clocks.wall().getTime() - olderThanDays * DAY_MS)
        .toISOString()
        .slice(0, 10);
      const old = (await this.#days()).filter((day) => day < oldest);
      for (const day of old) await rm(this.#file(day), { force: true });
      if (old.length > 0) await syncDirectory(this.#options.directory);
      return old.length;
    });
  }

  rewrite(
    keep: (line: ArchiveLine) => ArchiveLine | undefined,
  ): Promise<{ readonly changed: number; readonly damagedBytes: number }> {
    return this.#alone(async () => {
      let changed = 0;
      let damagedBytes = 0;
      for (const day of await this.#days()) {
        const members = await this.#members(day);
        const before = linesIn(members);
        const after = before.flatMap((line) => keep(line) ?? []);
        const kept = new Set(after.map((line) => JSON.stringify(line)));
        const gone = before.filter((line) => !kept.has(JSON.stringify(line))).length;
        if (gone === 0 && members.damagedBytes === 0) continue;
        await this.#replace(day, after);
        changed += gone;
        damagedBytes += members.damagedBytes;
      }
      return { changed, damagedBytes };
    });
  }

  async #days(): Promise<readonly string[]> {
    const names = await readdir(this.#options.directory);
    return names.flatMap((name) => NAME.exec(name)?.[1] ?? []).toSorted();
  }

  async #members(day: string): Promise<Members> {
    try {
      return await gunzipMembers(await readFile(this.#file(day)));
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
        return { texts: [], wholeBytes: 0, damagedBytes: 0 };
      throw error;
    }
  }

  /** What stands behind the last whole member was never acknowledged, and goes. */
  async #extend(day: string, member: Buffer, wholeBytes: number): Promise<void> {
    const file = await open(this.#file(day), 'a', 0o640);
    try {
      const { size } = await file.stat();
      if (size > wholeBytes) {
        await file.truncate(wholeBytes);
        this.#parts.logger.warn({ day, bytes: size - wholeBytes }, 'a torn end of the archive was cut off');
      }
      try {
        await file.appendFile(member);
        await file.sync();
      } catch (error) {
        await file.truncate(wholeBytes);
        throw error;
      }
    } finally {
      await file.close();
    }
    if (wholeBytes === 0) await syncDirectory(this.#options.directory);
  }

  async #replace(day: string, lines: readonly ArchiveLine[]): Promise<void> {
    if (lines.length === 0) {
      await rm(this.#file(day), { force: true });
    } else {
      const draft = `${this.#file(day)}${DRAFT_SUFFIX}`;
      const handle = await open(draft, 'w', 0o640);
      for (const text of batches(lines)) await handle.appendFile(await gzipMember(text));
      await syncAndClose(handle);
      await rename(draft, this.#file(day));
    }
    await syncDirectory(this.#options.directory);
  }

  async #makeRoom(newest: string): Promise<void> {
    const sizes = await this.#sizes();
    let total = sizes.reduce((sum, { size }) => sum + size, 0);
    for (const { day, size } of sizes) {
      if (total <= this.#options.maxBytes) return;
      if (day === newest) continue;
      await rm(this.#file(day), { force: true });
      this.#parts.logger.info({ day }, 'an old day of the archive was removed to make room');
      total -= size;
    }
  }

  async #sizes(): Promise<readonly { readonly day: string; readonly size: number }[]> {
    const days = await this.#days();
    return Promise.all(days.map(async (day) => ({ day, size: (await stat(this.#file(day))).size })));
  }

  /** One after another: an append must not fall between the two halves of a rewrite. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(async () => {
      try {
        await this.#prepare();
        return await work();
      } catch (error) {
        throw failed(this.#options.directory, error);
      }
    });
    // Whoever asked for it is told of a failure; those behind go on.
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** The directory, without what a crash left half written. */
  async #prepare(): Promise<void> {
    if (this.#isReady) return;
    const { directory } = this.#options;
    await mkdir(directory, { recursive: true, mode: 0o750 });
    for (const name of await readdir(directory))
      if (name.endsWith(DRAFT_SUFFIX)) await rm(join(directory, name), { force: true });
    this.#isReady = true;
  }

  #file(day: string): string {
    return join(this.#options.directory, `${day}.jsonl.gz`);
  }
}

function linesIn({ texts }: Members): readonly ArchiveLine[] {
  return texts.flatMap((text) =>
    text.split('\n').flatMap((line) => {
      if (line === '') return [];
      return [lineSchema.parse(JSON.parse(line))];
    }),
  );
}

function batches(lines: readonly ArchiveLine[]): readonly string[] {
  const texts = lines.map((line) => `${JSON.stringify(line)}\n`);
  const count = Math.ceil(texts.length / MAX_LINES);
  return Array.from({ length: count }, (_, at) => texts.slice(at * MAX_LINES, (at + 1) * MAX_LINES).join(''));
}

function failed(directory: string, error: unknown): EdgeError {
  if (error instanceof EdgeError) return error;
  return new EdgeError('ARCHIVE_FAILED', `${directory}: ${messageOf(error)}`, {
    hint: 'check that the archive directory can be written and the disk is not full',
    retry: 'safe',
    cause: error,
  });
}
