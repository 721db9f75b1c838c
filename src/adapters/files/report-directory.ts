import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  NewReport,
  ReportDraft,
  ReportFile,
  ReportQuery,
  ReportStore,
} from '../../app/ports/report-store.ts';
import { parseReportName, reportName } from '../../domain/reports/report-name.ts';
import type { Clocks } from '../../runtime/clocks.ts';
import { EdgeError, messageOf } from '../../runtime/edge-error.ts';
import type { Logger } from '../../runtime/logger.ts';
import { syncAndClose, syncDirectory } from '../../runtime/sync-directory.ts';

export interface ReportDirectoryOptions {
  readonly directory: string;
  /** Older reports are removed. */
  readonly keepMs: number;
  /** Of all reports together: the oldest are removed first. */
  readonly maxBytes: number;
  /** IANA name of the zone in whose time the files are named. */
  readonly timeZone: string;
}

interface Parts {
  readonly clocks: Pick<Clocks, 'wall' | 'nextSeq'>;
  readonly logger: Logger;
}

const MAX_FILES = 5000;
const DRAFT_SUFFIX = '.draft';

/** Reports as files of one directory, which people may copy from at any time: a file is there whole or not at all. */
export class ReportDirectory implements ReportStore {
  readonly #options: ReportDirectoryOptions;
  readonly #parts: Parts;
  readonly #drafts = new Set<string>();
  #isReady = false;

  constructor(options: ReportDirectoryOptions, parts: Parts) {
    this.#options = options;
    this.#parts = parts;
  }

  async begin(report: NewReport): Promise<ReportDraft> {
    const { directory, maxBytes, timeZone } = this.#options;
    const mark = createHash('sha256').update(report.key).digest('hex').slice(0, 12);
    const draft = join(directory, `${mark}-${this.#parts.clocks.nextSeq()}${DRAFT_SUFFIX}`);
    const handle = await this.#orFail(async () => {
      await this.#prepare();
      return open(draft, 'wx', 0o600);
    });
    this.#drafts.add(draft);
    let bytes = 0;
    const end = async (): Promise<void> => {
      this.#drafts.delete(draft);
      await removeIfThere(draft);
    };
    return {
      append: async (chunk) => {
        bytes += chunk.byteLength;
        if (bytes > maxBytes)
          throw new EdgeError('REPORT_TOO_LARGE', `a report holds at most ${Math.floor(maxBytes / 1e6)} MB`);
        await this.#orFail(() => handle.appendFile(chunk));
      },
      commit: async () => {
        try {
          await this.#orFail(() => syncAndClose(handle));
          const before = (await this.#all()).find(({ name }) => name.includes(`_${mark}.${report.format}`));
          if (before !== undefined) return before.file;
          await this.#makeRoom(bytes);
          const name = reportName({ ...report, mark, atMs: this.#parts.clocks.wall().getTime() }, timeZone);
          await this.#orFail(async () => {
            await rename(draft, join(directory, name));
            await syncDirectory(directory);
          });
          return await this.#known(name);
        } finally {
          await end();
        }
      },
      discard: async () => {
        await handle.close();
        await end();
      },
    };
  }

  async find({ kind, fromMs, toMs, limit }: ReportQuery): Promise<readonly ReportFile[]> {
    const all = await this.#all();
    return all
      .filter(({ atMs, file }) => {
        if (kind !== undefined && file.kind !== kind) return false;
        return (fromMs === undefined || atMs >= fromMs) && (toMs === undefined || atMs < toMs);
      })
      .toReversed()
      .slice(0, limit)
      .map(({ file }) => file);
  }

  async info(file: string): Promise<ReportFile | undefined> {
    if (parseReportName(file, this.#options.timeZone) === undefined) return undefined;
    return (await this.#read(file))?.file;
  }

  async pathOf(file: string): Promise<string | undefined> {
    return (await this.info(file)) === undefined ? undefined : join(this.#options.directory, file);
  }

  async remove(file: string): Promise<boolean> {
    if ((await this.info(file)) === undefined) return false;
    await this.#orFail(async () => {
      await removeIfThere(join(this.#options.directory, file));
      await syncDirectory(this.#options.directory);
    });
    return true;
  }

  /** The directory, without what a crash left half written. */
  async #prepare(): Promise<void> {
    const { directory } = this.#options;
    if (this.#isReady) return;
    await mkdir(directory, { recursive: true, mode: 0o750 });
    for (const name of await readdir(directory)) {
      const path = join(directory, name);
      if (name.endsWith(DRAFT_SUFFIX) && !this.#drafts.has(path)) await removeIfThere(path);
    }
    this.#isReady = true;
  }

  /** The oldest first. */
  async #all(): Promise<readonly StoredReport[]> {
    const names = await readdir(this.#options.directory).catch((error: unknown) => {
      if (isCode(error, 'ENOENT')) return [];
      throw failed(this.#options.directory, error);
    });
    const found = await Promise.all(names.map((name) => this.#read(name)));
    return found
      .filter((stored) => stored !== undefined)
      .toSorted((one, other) => one.writtenMs - other.writtenMs || (one.name < other.name ? -1 : 1));
  }

  async #read(name: string): Promise<StoredReport | undefined> {
    const parsed = parseReportName(name, this.#options.timeZone);
    if (parsed === undefined) return undefined;
    try {
      const { size, mtimeMs } = await stat(join(this.#options.directory, name));
      const { atMs, kind, title, format } = parsed;
      const created_at = new Date(atMs).toISOString();
      return {
        name,
        atMs,
        writtenMs: mtimeMs,
        file: { file: name, kind, title, format, bytes: size, created_at },
      };
    } catch (error) {
      if (isCode(error, 'ENOENT')) return undefined;
      throw failed(name, error);
    }
  }

  async #known(name: string): Promise<ReportFile> {
    const found = await this.#read(name);
    if (found === undefined)
      throw new EdgeError('REPORTS_FAILED', `${name} was removed as soon as it was written`);
    return found.file;
  }

  async #makeRoom(bytes: number): Promise<void> {
    const { keepMs, maxBytes, directory } = this.#options;
    const all = await this.#all();
    const oldestMs = this.#parts.clocks.wall().getTime() - keepMs;
    let total = all.reduce((sum, { file }) => sum + file.bytes, bytes);
    let count = all.length + 1;
    for (const { name, atMs, file } of all) {
      if (atMs >= oldestMs && total <= maxBytes && count <= MAX_FILES) break;
      await this.#orFail(() => removeIfThere(join(directory, name)));
      this.#parts.logger.info({ file: name }, 'an old report was removed to make room');
      total -= file.bytes;
      count -= 1;
    }
  }

  async #orFail<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.#isReady = false;
      throw failed(this.#options.directory, error);
    }
  }
}

interface StoredReport {
  readonly name: string;
  readonly atMs: number;
  readonly writtenMs: number;
  readonly file: ReportFile;
}

async function removeIfThere(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error;
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function failed(what: string, error: unknown): EdgeError {
  return new EdgeError('REPORTS_FAILED', `${what}: ${messageOf(error)}`, {
    hint: 'check that the reports directory can be written and the disk is not full',
    cause: error,
  });
}
