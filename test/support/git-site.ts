import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GitProcedures, type GitProceduresOptions } from '../../src/adapters/git/git-procedures.ts';
import type { DiagnosisReport } from '../../src/domain/memory/diagnosis-report.ts';
import type { ReportNames } from '../../src/domain/memory/report-text.ts';
import { systemClocks, systemScheduler } from '../../src/runtime/clocks.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { eventually } from './eventually.ts';

export const NAMES_AS_THEY_ARE: ReportNames = { text: (text) => text, person: (id) => id };

/** A directory of its own, to be removed by the caller. */
export function temporaryDirectory(): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'git-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** What git itself says, by a command line of our own. */
export function git(directory: string, ...args: readonly string[]): string {
  return execFileSync('git', ['--git-dir', directory, ...args], { encoding: 'utf8' }).trim();
}

export function proceduresAt(
  stateDirectory: string,
  more: Partial<GitProceduresOptions> & {
    readonly files?: ReadonlyMap<string, string>;
    readonly names?: ReportNames;
  } = {},
): GitProcedures {
  const { files, names = NAMES_AS_THEY_ARE, ...options } = more;
  return new GitProcedures(
    {
      stateDirectory,
      branch: 'main',
      author: { name: 'edge-1', email: 'edge-1@example.com' },
      node: 'edge-1',
      remote: undefined,
      path: process.env['PATH'] ?? '',
      ...options,
    },
    {
      clocks: systemClocks(),
      scheduler: systemScheduler,
      logger: silentLogger(),
      names,
      siteFiles: () => files,
    },
  );
}

/** Started, and past its look at the repository. */
export async function opened(procedures: GitProcedures): Promise<GitProcedures> {
  await procedures.start();
  await eventually(
    'the repository is open',
    () => !/cannot be opened|being checked|not installed/u.test(procedures.health().detail),
  );
  return procedures;
}

export function reportOf(id: string, more: Partial<DiagnosisReport> = {}): DiagnosisReport {
  return {
    id,
    machine: 'pump-7',
    code: 'E-203',
    day: '2026-11-30',
    at: '2026-11-30T08:15:00+08:00',
    session: 's-1',
    confirmedBy: 'zhang-wei@maintenance',
    texts: { en: { cause: 'The bearing ran dry.', done: ['Stopped the pump.', 'Greased the bearing.'] } },
    ...more,
  };
}
