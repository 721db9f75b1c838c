import { procedureTexts } from '../adapters/files/procedure-files.ts';
import { GitProcedures } from '../adapters/git/git-procedures.ts';
import type { Pseudonyms } from '../app/privacy/pseudonyms.ts';
import type { Config } from '../config/config-schema.ts';
import type { ReportNames } from '../domain/memory/report-text.ts';
import type { Runtime } from './runtime.ts';

/** Pseudonyms in place of people: what is in a repository is in all its copies, and only who is behind a pseudonym can be taken back. */
export function pseudonymReports(pseudonyms: Pick<Pseudonyms, 'hide'>): ReportNames {
  const hidden = (key: 'text' | 'person', text: string): string => {
    const found = pseudonyms.hide({ [key]: text })[key];
    return typeof found === 'string' ? found : '';
  };
  return { text: (text) => hidden('text', text), person: (id) => hidden('person', id) };
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
