import { procedureTexts } from '../adapters/files/procedure-files.ts';
import { GitProcedures } from '../adapters/git/git-procedures.ts';
import type { Config } from '../config/config-schema.ts';
import type { ReportNames } from '../domain/memory/report-text.ts';
import type { PeopleDirectory } from '../domain/people/directory.ts';
import type { Runtime } from './runtime.ts';

/** Leaves out whoever the directory knows: what is in a repository is in all its copies, and cannot be taken back. */
export function namelessReports(people: PeopleDirectory): ReportNames {
  const forms = people
    .spokenList()
    .flatMap(({ spoken }) => [...spoken.en, ...spoken.zh])
    .toSorted((one, other) => other.length - one.length);
  return {
    text: (text) => forms.reduce((left, form) => left.replace(new RegExp(escaped(form), 'giu'), '[…]'), text),
    person: () => 'person',
  };
}

/** How-tos and confirmed diagnoses with their versions; a service that nothing waits for. */
export function composeProcedures(config: Config, names: ReportNames, runtime: Runtime): GitProcedures {
  const { site, node, procedures: directory, state_dir: stateDirectory } = config;
  const { remote, host_key: hostKey, key_file: keyFile, token, branch, author } = config.memory.procedures;
  const box = `${site}-${node}`.replace(/[^\p{L}\p{N}_-]/gu, '_');
  const [, name = node, email = `${box}@localhost`] = /^(.+) <(.+)>$/u.exec(author ?? '') ?? [];
  return new GitProcedures(
    {
      stateDirectory,
      branch,
      author: { name: name.replace(/[<>]/gu, ''), email },
      node: box,
      remote: remote === undefined ? undefined : { url: remote, hostKey, keyFile, token },
      path: process.env['PATH'] ?? '',
    },
    {
      ...runtime,
      names,
      siteFiles: () => (directory === undefined ? undefined : procedureTexts(directory)),
    },
  );
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&');
}
