import { EdgeError } from '../../runtime/edge-error.ts';
import type { BareRepository } from './bare-repository.ts';

/**
 * Brings what others committed into the branch: `forward` when there was nothing of our own, `merged` when both had gone on
 * and no file contradicts another; `conflict` leaves the branch as it is. Neither side loses a commit.
 */
export async function joinHistories(
  repository: BareRepository,
  theirs: string,
  node: string,
): Promise<'nothing' | 'forward' | 'merged' | 'conflict'> {
  const { git } = repository;
  const ours = (await repository.head())?.commit;
  if (ours === undefined) {
    await repository.advance(theirs, undefined);
    return 'forward';
  }
  if (await isAncestor(repository, theirs, ours)) return 'nothing';
  if (await isAncestor(repository, ours, theirs)) {
    await repository.advance(theirs, ours);
    return 'forward';
  }
  const merge = await git.run(['merge-tree', '--write-tree', '--allow-unrelated-histories', ours, theirs]);
  const [tree = ''] = merge.output.toString('utf8').split('\n');
  if (merge.code === 1) return 'conflict';
  if (merge.code !== 0 || !/^[0-9a-f]{40}$/u.test(tree))
    throw new EdgeError('GIT_FAILED', `git merge-tree: exit ${merge.code}: ${merge.complaint}`, {
      hint: 'git 2.38 or newer is needed to join two histories',
    });
  const message = `Join what others committed with ${node}`;
  const joined = await git.text(['commit-tree', tree, '-p', ours, '-p', theirs, '-m', message]);
  await repository.advance(joined, ours);
  return 'merged';
}

async function isAncestor({ git }: BareRepository, one: string, other: string): Promise<boolean> {
  const { code, complaint } = await git.run(['merge-base', '--is-ancestor', one, other]);
  if (code > 1) throw new EdgeError('GIT_FAILED', `git merge-base: exit ${code}: ${complaint}`);
  return code === 0;
}
