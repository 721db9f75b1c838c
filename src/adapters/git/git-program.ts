import type { Scheduler } from '../../runtime/clocks.ts';
import { EdgeError } from '../../runtime/edge-error.ts';
import { SupervisedChild } from '../../runtime/supervised-child.ts';

/** Whom commits are by. */
export interface GitAuthor {
  readonly name: string;
  readonly email: string;
}

export interface GitOptions {
  /** Of the bare repository. */
  readonly directory: string;
  readonly author: GitAuthor;
  /** Where git looks for programs, ssh among them. */
  readonly path: string;
}

/** How one command is run. */
export interface GitRun {
  readonly input?: string | Uint8Array;
  readonly deadlineMs?: number;
  readonly maxOutputBytes?: number;
  /** Beside the cleaned environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Ends the command with all that it started. */
  readonly signal?: AbortSignal;
}

export interface GitResult {
  /** 128 is git's own "fatal". */
  readonly code: number;
  readonly output: Buffer;
  /** The beginning of what it wrote to stderr, in English. */
  readonly complaint: string;
}

const DEADLINE_MS = 10_000;
const MAX_OUTPUT_BYTES = 4_000_000;

/**
 * Debian's git, one command a child process: its own process group, a deadline, bounded output, no shell, and nothing of the
 * user's configuration. It asks for nothing, runs no hooks, does not tidy up by itself, and syncs each file it writes.
 */
export class GitProgram {
  readonly #options: GitOptions;
  readonly #scheduler: Scheduler;

  constructor(options: GitOptions, scheduler: Scheduler) {
    this.#options = options;
    this.#scheduler = scheduler;
  }

  /** Whatever its exit code. Rejects with EdgeError GIT_FAILED when it cannot be run, hangs or says too much. */
  async run(args: readonly string[], given: GitRun = {}): Promise<GitResult> {
    const { deadlineMs = DEADLINE_MS, maxOutputBytes = MAX_OUTPUT_BYTES } = given;
    const [command = ''] = args;
    const child = new SupervisedChild('git', [...this.#settings(), ...args], this.#environment(given.env));
    let stopped: string | undefined;
    const stop = (why: string): void => {
      stopped ??= why;
      child.kill();
    };
    const cancel = this.#scheduler.after(deadlineMs, () => stop(`no end within ${deadlineMs / 1000} s`));
    const abort = (): void => stop('ended, since the daemon stops');
    given.signal?.addEventListener('abort', abort, { once: true });
    if (given.signal?.aborted === true) abort();
    const chunks: Buffer[] = [];
    let bytes = 0;
    child.output.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxOutputBytes) stop(`more than ${maxOutputBytes} bytes of output`);
      else chunks.push(chunk);
    });
    try {
      child.endInput(given.input);
      const end = await child.ended;
      if (end.startError !== undefined)
        throw new EdgeError('GIT_FAILED', `git could not be started: ${end.startError.message}`, {
          hint: 'sudo apt-get install git',
          cause: end.startError,
        });
      if (stopped !== undefined || end.code === null)
        throw new EdgeError('GIT_FAILED', `git ${command}: ${stopped ?? `ended by ${end.signal}`}`, {
          retry: 'safe',
        });
      return { code: end.code, output: Buffer.concat(chunks), complaint: end.complaint };
    } finally {
      cancel();
      given.signal?.removeEventListener('abort', abort);
    }
  }

  /** What it wrote, without the last line break. Rejects with EdgeError GIT_FAILED for an exit code other than 0 too. */
  async text(args: readonly string[], given: GitRun = {}): Promise<string> {
    return (await this.bytes(args, given)).toString('utf8').replace(/\n$/u, '');
  }

  /** As `text`, for output that is none. */
  async bytes(args: readonly string[], given: GitRun = {}): Promise<Buffer> {
    const { code, output, complaint } = await this.run(args, given);
    if (code !== 0) throw new EdgeError('GIT_FAILED', `git ${args[0] ?? ''}: exit ${code}: ${complaint}`);
    return output;
  }

  #settings(): readonly string[] {
    const { directory } = this.#options;
    const settings = {
      'core.hooksPath': '/dev/null',
      'core.fsync': 'all',
      'core.fsyncMethod': 'fsync',
      'core.logAllRefUpdates': 'true',
      'core.quotePath': 'false',
      'credential.helper': '',
      'fetch.recurseSubmodules': 'false',
      'gc.auto': '0',
      'gc.packRefs': 'false',
      'http.followRedirects': 'false',
      'http.lowSpeedLimit': '100',
      'http.lowSpeedTime': '30',
      'maintenance.auto': 'false',
      'safe.directory': directory,
      'transfer.fsckObjects': 'true',
    };
    return [
      `--git-dir=${directory}`,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ];
  }

  #environment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
    const { author, directory, path } = this.#options;
    return {
      PATH: path,
      // What is not there holds no configuration.
      HOME: `${directory}/no-home`,
      LC_ALL: 'C',
      TZ: 'UTC',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_TERMINAL_PROMPT: '0',
      GIT_ALLOW_PROTOCOL: '',
      GIT_AUTHOR_NAME: author.name,
      GIT_AUTHOR_EMAIL: author.email,
      GIT_COMMITTER_NAME: author.name,
      GIT_COMMITTER_EMAIL: author.email,
      ...more,
    };
  }
}
