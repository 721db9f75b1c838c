import type { DiagnosisReport } from '../../domain/memory/diagnosis-report.ts';
import { parseReport, reportPath } from '../../domain/memory/report-text.ts';
import type { GitProgram } from './git-program.ts';

const MAX_BLOBS = 5000;
const MAX_BLOB_BYTES = 200_000;
const MAX_LIST_BYTES = 32_000_000;

/** Reports among the readable objects of a damaged repository, as files by their paths: each carries its own name. */
export async function reportsAmong(
  objectsDirectory: string,
  git: GitProgram,
): Promise<ReadonlyMap<string, string>> {
  const env = { GIT_ALTERNATE_OBJECT_DIRECTORIES: objectsDirectory };
  const list = await git.run(['cat-file', '--batch-all-objects', '--batch-check', '--unordered'], {
    env,
    maxOutputBytes: MAX_LIST_BYTES,
  });
  const blobs = [...list.output.toString('latin1').matchAll(/^([0-9a-f]{40}) blob (\d+)$/gmu)]
    .flatMap(([, id, bytes]) => (id === undefined || Number(bytes) > MAX_BLOB_BYTES ? [] : [id]))
    .slice(0, MAX_BLOBS);
  const found = new Map<string, string>();
  for (const blob of blobs) {
    // One at a time: a single damaged object ends a batch.
    const { code, output } = await git.run(['cat-file', 'blob', blob], { env });
    const text = output.toString('utf8');
    const report: DiagnosisReport | undefined = code === 0 ? parseReport(text) : undefined;
    if (report !== undefined) found.set(reportPath(report), text);
  }
  return found;
}
