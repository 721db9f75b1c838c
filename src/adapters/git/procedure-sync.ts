import type { PushState } from '../../app/ports/procedure-repository.ts';
import { backoffMs } from '../../runtime/backoff.ts';
import type { Cancel, Scheduler } from '../../runtime/clocks.ts';
import { EdgeError, messageOf } from '../../runtime/edge-error.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { BareRepository } from './bare-repository.ts';
import { joinHistories } from './join-histories.ts';
import { type Remote, remoteEnvironment } from './remote-access.ts';
import { type RemoteFault, remoteFault } from './remote-fault.ts';

interface Options {
  readonly remote: Remote;
  readonly branch: string;
  /** Of this box, among all that push to the remote. */
  readonly node: string;
  readonly knownHostsFile: string;
}

interface Parts {
  readonly repository: BareRepository;
  readonly scheduler: Scheduler;
  readonly logger: Logger;
  /** Changes of the branch wait for each other. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
}

/** A branch that moves on while we push is fetched again, so often. */
const TRIES = 3;
const NETWORK_DEADLINE_MS = 120_000;
/** So often what others put there is looked for. */
const LOOK_EVERY_MS = 15 * 60_000;
const BACKOFF = { baseMs: 30_000, maxMs: 30 * 60_000 };

/**
 * Keeps the branch and its copy at the remote together: fetches, joins both histories, pushes, and never overwrites what is
 * there. Contradicting changes of one file are left to a person: what is here goes to a branch `conflict/NODE` there.
 */
export class ProcedureSync {
  readonly #options: Options;
  readonly #parts: Parts;
  readonly #env: Readonly<Record<string, string>>;
  readonly #stopping = new AbortController();
  #cancel: Cancel | undefined;
  #running: Promise<void> | undefined;
  #again = false;
  #failures = 0;
  #ahead = 0;
  #pushed = false;
  #fault: RemoteFault | undefined;
  #conflict: string | undefined;

  constructor(options: Options, parts: Parts) {
    this.#options = options;
    this.#parts = parts;
    this.#env = remoteEnvironment(options.remote, options.knownHostsFile);
  }

  state(): PushState {
    return {
      pushed: this.#pushed,
      ahead: this.#ahead,
      fault: this.#fault,
      conflict: this.#conflict,
    };
  }

  /** Something was committed, or the daemon has begun. While the remote is away it waits for its turn. */
  wake(): void {
    this.#pushed = false;
    if (this.#failures > 0) void this.#count();
    else this.#begin();
  }

  async stop(): Promise<void> {
    this.#cancel?.();
    this.#stopping.abort();
    await this.#running;
  }

  #begin(): void {
    if (this.#stopping.signal.aborted) return;
    this.#cancel?.();
    if (this.#running !== undefined) {
      this.#again = true;
      return;
    }
    this.#running = this.#round().finally(() => {
      this.#running = undefined;
      if (this.#stopping.signal.aborted) return;
      const waitMs = this.#failures > 0 ? backoffMs(this.#failures - 1, BACKOFF) : LOOK_EVERY_MS;
      this.#cancel = this.#parts.scheduler.after(this.#again && this.#failures === 0 ? 0 : waitMs, () =>
        this.#begin(),
      );
      this.#again = false;
    });
  }

  /** Never rejects. */
  async #round(): Promise<void> {
    const { logger } = this.#parts;
    const { remote } = this.#options;
    try {
      await this.#count();
      await this.#exchange();
      await this.#count();
      if (this.#failures > 0) logger.info({ remote: remote.url }, 'the procedures are pushed again');
      this.#failures = 0;
      this.#fault = undefined;
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      const fault = remoteFault(messageOf(error), remote, this.#options.knownHostsFile);
      if (fault.message !== this.#fault?.message)
        logger.warn({ remote: remote.url, error: messageOf(error), hint: fault.hint }, 'not pushed');
      this.#failures += 1;
      this.#fault = fault;
      // Something may have been committed meanwhile, and not waited for a round of its own.
      await this.#count();
    }
  }

  async #exchange(): Promise<void> {
    const { repository, alone, logger } = this.#parts;
    const { branch, node } = this.#options;
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const theirs = await this.#fetch();
      const joined =
        theirs === undefined ? 'nothing' : await alone(() => joinHistories(repository, theirs, node));
      const conflict = joined === 'conflict' ? `conflict/${node}` : undefined;
      if (conflict !== undefined && conflict !== this.#conflict)
        logger.warn({ branch: conflict }, 'the procedures contradict those at the remote');
      this.#conflict = conflict;
      const ours = (await repository.head())?.commit;
      if (ours === undefined || ours === theirs) {
        this.#pushed = true;
        return;
      }
      if (await this.#push(ours, conflict ?? branch)) {
        this.#pushed = conflict === undefined;
        if (conflict === undefined) await repository.git.text(['update-ref', this.#tracking(), ours]);
        return;
      }
    }
    throw new EdgeError('GIT_FAILED', 'the branch moved on at each try', { retry: 'safe' });
  }

  /** The commit that the remote is at; undefined for one that has nothing. */
  async #fetch(): Promise<string | undefined> {
    const { git, ref } = this.#parts.repository;
    const to = this.#tracking();
    const { code, complaint } = await this.#ask([
      'fetch',
      '--quiet',
      '--no-tags',
      '--no-write-fetch-head',
      this.#options.remote.url,
      `+${ref}:${to}`,
    ]);
    if (code === 0) return git.text(['rev-parse', '--verify', to]);
    if (/couldn't find remote ref/u.test(complaint)) return undefined;
    throw new EdgeError('GIT_FAILED', complaint);
  }

  /** False when the branch has moved on there. */
  async #push(commit: string, branch: string): Promise<boolean> {
    const { code, output, complaint } = await this.#ask([
      'push',
      '--quiet',
      '--porcelain',
      this.#options.remote.url,
      `${commit}:refs/heads/${branch}`,
    ]);
    if (code === 0) return true;
    const said = `${output.toString('utf8')}\n${complaint}`;
    if (/\[rejected\]|fetch first|non-fast-forward/u.test(said)) return false;
    throw new EdgeError('GIT_FAILED', said);
  }

  #ask(args: readonly string[]) {
    return this.#parts.repository.git.run(args, {
      env: this.#env,
      deadlineMs: NETWORK_DEADLINE_MS,
      signal: this.#stopping.signal,
    });
  }

  /** Never rejects: a number for people. */
  async #count(): Promise<void> {
    const { git, ref } = this.#parts.repository;
    const known = await git
      .run(['rev-list', '--count', ref, '--not', '--remotes=site'])
      .catch(() => undefined);
    if (known?.code === 0) this.#ahead = Number(known.output.toString('latin1'));
  }

  #tracking(): string {
    return `refs/remotes/site/${this.#options.branch}`;
  }
}
