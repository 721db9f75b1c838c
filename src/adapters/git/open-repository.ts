import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EdgeError } from '../../runtime/edge-error.ts';
import type { BareRepository } from './bare-repository.ts';
import { clearLeftovers, hasHeadAndConfig, moveDirectory, setObjectsAside } from './repair-files.ts';

export interface Opened {
  /** What was not as it should be, for the log and the health; empty for a sound repository. */
  readonly repairs: readonly string[];
  /** Where objects may be that the branch no longer reaches; undefined when nothing was lost sight of. */
  readonly salvageFrom: string | undefined;
}

const CHECK_DEADLINE_MS = 120_000;
const MAX_ROUNDS = 20;
const MAX_CANDIDATES = 200;
const MAX_LIST_BYTES = 32_000_000;

/**
 * Makes the repository, or mends it after a crash or a power cut. One without any commit that is whole is set aside as
 * `NAME.damaged-TIME`, and a new one is begun. Rejects with EdgeError GIT_FAILED, or what the file system says.
 */
export async function openRepository(
  directory: string,
  repository: BareRepository,
  nowIso: string,
): Promise<Opened> {
  if (!existsSync(directory)) {
    await create(directory, repository);
    return { repairs: [], salvageFrom: undefined };
  }
  const repairs: string[] = [];
  const torn = await clearLeftovers(directory);
  if (torn.length > 0) repairs.push(`torn, taken away: ${listed(torn)}`);
  if (!(await hasHeadAndConfig(directory, repository.ref))) {
    await rm(`${directory}/HEAD`, { force: true });
    await rm(`${directory}/config`, { force: true });
    await initialise(repository);
    repairs.push('HEAD or config was damaged and is written anew');
  }
  const damaged = await takeDamagedObjectsAway(directory, repository);
  if (damaged === undefined) return setAside(directory, repository, nowIso, repairs);
  if (damaged.length > 0) repairs.push(`damaged objects, set aside: ${listed(damaged)}`);
  const tip = await tipOf(repository);
  if (tip !== undefined && (await isWhole(repository, tip)))
    return { repairs, salvageFrom: torn.length + damaged.length > 0 ? `${directory}/objects` : undefined };
  const objects = `${directory}/objects`;
  const candidates = await candidatesFor(repository);
  // A repository that was made and never committed to has nothing to lose.
  if (tip === undefined && torn.length === 0 && candidates.length === 0)
    return { repairs, salvageFrom: undefined };
  for (const candidate of candidates) {
    if (candidate === tip || !(await isWhole(repository, candidate))) continue;
    await rm(`${directory}/${repository.ref}`, { force: true });
    // What these name may be gone too: the next fetch finds the one anew, and the other begins anew.
    for (const stale of ['refs/remotes', 'logs'])
      await rm(`${directory}/${stale}`, { recursive: true, force: true });
    await repository.advance(candidate, undefined);
    repairs.push(`the branch was damaged and is at ${candidate.slice(0, 7)} again`);
    return { repairs, salvageFrom: objects };
  }
  return setAside(directory, repository, nowIso, repairs);
}

async function create(directory: string, repository: BareRepository): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o750 });
  await initialise(repository);
}

async function initialise(repository: BareRepository): Promise<void> {
  const branch = repository.ref.slice('refs/heads/'.length);
  // An empty template: no sample hooks, no descriptions.
  await repository.git.text(['init', '--quiet', '--bare', '--template=', `--initial-branch=${branch}`]);
}

async function setAside(
  directory: string,
  repository: BareRepository,
  nowIso: string,
  repairs: readonly string[],
): Promise<Opened> {
  const aside = `${directory}.damaged-${nowIso.replace(/[^0-9TZ]/gu, '')}`;
  await moveDirectory(directory, aside);
  await create(directory, repository);
  return {
    repairs: [...repairs, `no whole version was left: set aside as ${aside}, and begun anew`],
    salvageFrom: `${aside}/objects`,
  };
}

/** Undefined when the damage is in what only a whole pack can mend, or git cannot work with the directory at all. */
async function takeDamagedObjectsAway(
  directory: string,
  { git }: BareRepository,
): Promise<readonly string[] | undefined> {
  const all = new Set<string>();
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { code, output, complaint } = await git.run(
      ['fsck', '--full', '--no-dangling', '--no-reflogs', '--no-progress'],
      { deadlineMs: CHECK_DEADLINE_MS },
    );
    if (code === 0) return [...all];
    const said = `${output.toString('utf8')}\n${complaint}`;
    if (/packed [0-9a-f]{40} from|pack .* is corrupt|not a git repository/u.test(said)) return undefined;
    const paths = [...said.matchAll(/objects\/([0-9a-f]{2}\/[0-9a-f]{38})/gu)].flatMap(([, path]) =>
      path !== undefined && existsSync(`${directory}/objects/${path}`) ? [path] : [],
    );
    if (paths.length === 0) return [...all];
    await setObjectsAside(directory, [...new Set(paths)]);
    for (const path of paths) all.add(path);
  }
  throw new EdgeError('GIT_FAILED', `${dirname(directory)}: objects go on being damaged`, {
    hint: 'check the disk: objects are damaged faster than they are set aside',
  });
}

/** Also of a branch whose commit is gone. */
async function tipOf({ git, ref }: BareRepository): Promise<string | undefined> {
  const { code, output } = await git.run(['rev-parse', '--verify', '--quiet', ref]);
  return code === 0 ? output.toString('latin1').trim() : undefined;
}

/** Whether a commit and all that it reaches are there. */
async function isWhole({ git }: BareRepository, commit: string): Promise<boolean> {
  const walk = await git.run(['rev-list', '--objects', '--quiet', commit], { deadlineMs: CHECK_DEADLINE_MS });
  return walk.code === 0;
}

/** Where the branch may have been: by its own log the newest first, then all commits by time. */
async function candidatesFor({ git, ref }: BareRepository): Promise<readonly string[]> {
  const log = await git.run(['reflog', 'show', '--format=%H', ref]);
  const logged = log.code === 0 ? log.output.toString('latin1').split('\n') : [];
  const objects = await git.run(['cat-file', '--batch-all-objects', '--batch-check', '--unordered'], {
    maxOutputBytes: MAX_LIST_BYTES,
  });
  const commits = [...objects.output.toString('latin1').matchAll(/^([0-9a-f]{40}) commit /gmu)].flatMap(
    ([, id]) => id ?? [],
  );
  const dated = await git.run(['log', '--no-walk=sorted', '--stdin', '--format=%H'], {
    input: commits.map((id) => `${id}\n`).join(''),
  });
  const byTime = commits.length === 0 || dated.code !== 0 ? [] : dated.output.toString('latin1').split('\n');
  return [...new Set([...logged, ...byTime])].filter((id) => id !== '').slice(0, MAX_CANDIDATES);
}

function listed(paths: readonly string[]): string {
  const [first = '', ...more] = paths;
  return more.length === 0 ? first : `${first} and ${more.length} more`;
}
