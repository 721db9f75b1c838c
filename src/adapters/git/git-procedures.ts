import { chmod, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  ProcedureChange,
  ProcedureRepository,
  ProcedureShelf,
  ProcedureVersion,
  PushState,
} from '../../app/ports/procedure-repository.ts';
import type { DiagnosisReport } from '../../domain/memory/diagnosis-report.ts';
import {
  parseReport,
  type ReportNames,
  reportMarkdown,
  reportPath,
} from '../../domain/memory/report-text.ts';
import type { Cancel, Clocks, Scheduler } from '../../runtime/clocks.ts';
import { EdgeError, isEdgeError, messageOf } from '../../runtime/edge-error.ts';
import { findProgram } from '../../runtime/find-program.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Health, Service } from '../../runtime/service.ts';
import { BareRepository, type TreeFile } from './bare-repository.ts';
import { type GitAuthor, GitProgram } from './git-program.ts';
import type { FileChanges } from './import-stream.ts';
import { openRepository } from './open-repository.ts';
import { ProcedureSync } from './procedure-sync.ts';
import { readShelf } from './read-shelf.ts';
import { knownHosts, type Remote } from './remote-access.ts';
import { reportsAmong } from './salvage-reports.ts';
import { importListPath, siteImport } from './site-import.ts';

export interface GitProceduresOptions {
  /** Holds the repository and what goes with it. */
  readonly stateDirectory: string;
  readonly branch: string;
  readonly author: GitAuthor;
  /** Of this box among all that share the remote: letters, digits, "_" and "-". */
  readonly node: string;
  /** Undefined keeps everything here. */
  readonly remote: Remote | undefined;
  /** Where programs are looked for, as PATH has it. */
  readonly path: string;
}

interface Parts {
  readonly clocks: Clocks;
  readonly scheduler: Scheduler;
  readonly logger: Logger;
  readonly names: ReportNames;
  /** The site's own procedures: texts by the names of their files. Undefined for a site that has none set up. */
  readonly siteFiles: () => ReadonlyMap<string, string> | undefined;
}

const MAX_WAITING = 100;
const OPEN_AGAIN_MS = 60_000;
/** More loose objects than this are put into a pack at the start. */
const MAX_LOOSE = 3000;
const PACK_DEADLINE_MS = 600_000;
const GIT_MISSING =
  'git is not installed: how-tos come from their directory without versions, and reports are not kept';

/** Procedures and reports in `procedures.git`, a repository without a working tree below the state directory. */
export class GitProcedures implements ProcedureRepository, Service {
  readonly name = 'procedures';
  readonly #options: GitProceduresOptions;
  readonly #parts: Parts;
  readonly #directory: string;
  readonly #git: GitProgram;
  readonly #repository: BareRepository;
  readonly #sync: ProcedureSync | undefined;
  #opening: Promise<boolean> | undefined;
  #isOpen = false;
  #isStopped = false;
  #trouble: string | undefined;
  #repairs: readonly string[] = [];
  #shelf: ProcedureShelf | undefined;
  #cancel: Cancel | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(options: GitProceduresOptions, parts: Parts) {
    this.#options = options;
    this.#parts = parts;
    const { branch, author, path, remote, node, stateDirectory } = options;
    this.#directory = join(stateDirectory, 'procedures.git');
    this.#git = new GitProgram({ directory: this.#directory, author, path }, parts.scheduler);
    this.#repository = new BareRepository(
      { directory: this.#directory, branch, author },
      this.#git,
      parts.clocks,
    );
    this.#sync =
      remote === undefined
        ? undefined
        : new ProcedureSync(
            { remote, branch, node, knownHostsFile: this.#knownHostsFile() },
            { ...parts, repository: this.#repository, alone: (work) => this.#alone(work) },
          );
  }

  /** Nothing waits for it: until it is open, how-tos come from their directory. */
  async start(): Promise<void> {
    this.#open();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel?.();
    await this.#sync?.stop();
    await this.#opening;
    await this.#last;
  }

  health(): Health {
    if (this.#trouble !== undefined) return { status: 'degraded', detail: this.#trouble };
    if (!this.#isOpen) return { status: 'starting', detail: 'the repository is being checked' };
    const { pushed, ahead, fault, conflict } = this.pushState();
    const known = this.#shelf;
    const figures = {
      procedures: known?.procedures.procedures.length ?? 0,
      reports: known?.cases.reports.length ?? 0,
      ahead,
    };
    const hint = fault?.hint === undefined ? '' : `; ${fault.hint}`;
    const wait = `${ahead} commits wait to be pushed`;
    if (fault !== undefined)
      return { status: 'degraded', detail: `${wait}: ${fault.message}${hint}`, figures };
    if (conflict !== undefined) {
      const detail = `what is here contradicts the remote and is its branch ${conflict}: merge that into ${this.#options.branch}`;
      return { status: 'degraded', detail, figures };
    }
    if (this.#repairs.length > 0)
      return { status: 'degraded', detail: `mended at the start: ${this.#repairs.join('; ')}`, figures };
    const at = known === undefined ? 'empty' : `at ${known.version.commit.slice(0, 7)}`;
    const copy = pushed === undefined ? 'kept here' : pushed ? 'pushed' : wait;
    return { status: 'ok', detail: `${at}, ${copy}`, figures };
  }

  async read(): Promise<ProcedureShelf | undefined> {
    if (!this.#isOpen) return undefined;
    try {
      const head = await this.#repository.head();
      if (head === undefined) return undefined;
      if (this.#shelf?.version.commit === head.commit) return this.#shelf;
      const shelf = await readShelf(this.#repository, head);
      this.#shelf = shelf;
      return shelf;
    } catch (error) {
      this.#parts.logger.error({ error: messageOf(error) }, 'the procedures could not be read');
      return this.#shelf;
    }
  }

  async commitReport(
    report: DiagnosisReport,
  ): Promise<{ readonly outcome: 'written' | 'repeated'; readonly version: ProcedureVersion }> {
    const { machine, code, id } = report;
    await this.#needOpen();
    const done = await this.#alone(async () => {
      const head = await this.#repository.head();
      const files = head === undefined ? [] : await this.#repository.tree(head.commit);
      if (head !== undefined && (await this.#isKept(report, files)))
        return { outcome: 'repeated', version: head } as const;
      const about = code === undefined ? machine : `${machine}, ${code}`;
      const text = reportMarkdown(report, this.#parts.names);
      const version = await this.#repository.commit(
        head,
        `Diagnosis of ${about}\n\nReport ${id}.\n`,
        new Map([[reportPath(report), text]]),
      );
      return { outcome: 'written', version } as const;
    });
    if (done.outcome === 'written') this.#sync?.wake();
    return done;
  }

  async history(id: string, limit: number): Promise<readonly ProcedureChange[]> {
    await this.#needOpen();
    try {
      return await this.#repository.history([`how-to/${id}.en.md`, `how-to/${id}.zh.md`], limit);
    } catch (error) {
      throw failed(error);
    }
  }

  pushState(): PushState {
    const alone = { pushed: undefined, ahead: 0, fault: undefined, conflict: undefined };
    return this.#sync?.state() ?? alone;
  }

  #open(): void {
    if (this.#isStopped) return;
    this.#opening = this.#prepare().catch((error: unknown) => {
      this.#trouble = `the repository of the procedures cannot be opened: ${messageOf(error)}`;
      this.#parts.logger.error(
        { error: messageOf(error) },
        'the repository of the procedures cannot be opened',
      );
      this.#cancel = this.#parts.scheduler.after(OPEN_AGAIN_MS, () => this.#open());
      return false;
    });
  }

  async #prepare(): Promise<boolean> {
    const { clocks, logger, scheduler } = this.#parts;
    if ((await findProgram('git', { PATH: this.#options.path })) === undefined) {
      if (this.#trouble !== GIT_MISSING) logger.warn({ hint: 'sudo apt-get install git' }, GIT_MISSING);
      this.#trouble = `${GIT_MISSING}; sudo apt-get install git`;
      this.#cancel = scheduler.after(OPEN_AGAIN_MS, () => this.#open());
      return false;
    }
    const nowIso = clocks.wall().toISOString();
    const { repairs, salvageFrom } = await openRepository(this.#directory, this.#repository, nowIso);
    this.#repairs = repairs;
    if (repairs.length > 0) logger.warn({ repairs }, 'the repository of the procedures was mended');
    await this.#writeKnownHosts();
    if (salvageFrom !== undefined) await this.#salvage(salvageFrom);
    await this.#importSite();
    this.#isOpen = true;
    this.#trouble = undefined;
    await this.read();
    this.#sync?.wake();
    await this.#pack();
    return true;
  }

  /** Whatever day it was first written on. Rejects when another report has its file. */
  async #isKept(report: DiagnosisReport, files: readonly TreeFile[]): Promise<boolean> {
    const { id, machine } = report;
    const alike = files.filter(({ path }) => path.endsWith(`-${machine}-${id}.md`));
    const texts = await this.#repository.texts(alike);
    const others = [...texts].filter(([, text]) => {
      const known = parseReport(text);
      return known !== undefined && (known.id !== id || known.machine !== machine);
    });
    if (others.some(([path]) => path === reportPath(report)))
      throw new EdgeError('PROCEDURES_FAILED', `${reportPath(report)} is another report's file`);
    return alike.length > others.length;
  }

  async #importSite(): Promise<void> {
    const { node } = this.#options;
    const files = this.#parts.siteFiles();
    if (files === undefined) return;
    await this.#change((kept) => siteImport({ files, kept, node }), [importListPath(node)]);
  }

  async #salvage(objectsDirectory: string): Promise<void> {
    const found = await reportsAmong(objectsDirectory, this.#git);
    await this.#change((kept) => {
      const lost = new Map([...found].filter(([path]) => !kept.has(path)));
      if (lost.size === 0) return undefined;
      return { changes: lost, message: `Reports found again after damage: ${lost.size}\n` };
    }, []);
  }

  /** One commit of what differs from the files at HEAD: how-tos, reports and those named. */
  async #change(
    plan: (
      kept: ReadonlyMap<string, string>,
    ) => { readonly changes: FileChanges; readonly message: string } | undefined,
    alsoRead: readonly string[],
  ): Promise<void> {
    const head = await this.#repository.head();
    const files = head === undefined ? [] : await this.#repository.tree(head.commit);
    const kept = await this.#repository.texts(
      files.filter(({ path }) => /^(how-to|reports)\//u.test(path) || alsoRead.includes(path)),
    );
    const planned = plan(kept);
    if (planned !== undefined) await this.#repository.commit(head, planned.message, planned.changes);
  }

  async #pack(): Promise<void> {
    const loose = Number(/^\d+/u.exec(await this.#git.text(['count-objects']))?.[0] ?? 0);
    if (loose > MAX_LOOSE)
      await this.#alone(() =>
        this.#git.text(['repack', '-d', '-l', '--quiet'], { deadlineMs: PACK_DEADLINE_MS }),
      );
  }

  async #needOpen(): Promise<void> {
    await this.#opening;
    if (!this.#isOpen || this.#isStopped)
      throw new EdgeError('PROCEDURES_FAILED', this.#trouble ?? 'the repository is not open', {
        retry: 'safe',
        hint: 'hermes-edge doctor',
      });
  }

  /** One after another: each change builds on the one before. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= MAX_WAITING)
      return Promise.reject(
        new EdgeError('PROCEDURES_BUSY', `${MAX_WAITING} changes wait to be committed`, { retry: 'safe' }),
      );
    this.#waiting += 1;
    const done = this.#last.then(work).finally(() => {
      this.#waiting -= 1;
    });
    // Whoever asked for it is told of a failure; those behind go on.
    this.#last = done.catch(() => undefined);
    return done.catch((error: unknown) => {
      throw failed(error);
    });
  }

  async #writeKnownHosts(): Promise<void> {
    const hostKey = this.#options.remote?.hostKey;
    if (hostKey === undefined) return;
    const draft = `${this.#knownHostsFile()}.new`;
    await writeFile(draft, knownHosts(hostKey), { mode: 0o600, flush: true });
    await chmod(draft, 0o600);
    await rename(draft, this.#knownHostsFile());
  }

  #knownHostsFile(): string {
    return join(this.#options.stateDirectory, 'procedures.known-hosts');
  }
}

function failed(error: unknown): EdgeError {
  if (isEdgeError(error, 'PROCEDURES_BUSY')) return error;
  return new EdgeError('PROCEDURES_FAILED', messageOf(error), {
    hint: 'check that the state directory can be written and the disk is not full',
    retry: 'safe',
    cause: error,
  });
}
