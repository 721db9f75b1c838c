import { z } from 'zod';
import type { JsonObject } from '../../domain/json.ts';
import { LANGUAGES } from '../../domain/language/language.ts';
import type { DiagnosisReport } from '../../domain/memory/diagnosis-report.ts';
import type { Procedure, ProcedureText } from '../../domain/procedures/procedure.ts';
import type { ProcedureLibrary } from '../../domain/procedures/procedure-library.ts';
import type { Capability } from '../../tooling/capability.ts';
import type { ProcedureRepository } from '../ports/procedure-repository.ts';

const argsSchema = z.strictObject({
  words: z.string().trim().min(1).max(200),
  limit: z.int().min(1).max(5).default(3),
  /** How many confirmed diagnoses of the same words are wanted too. */
  reports: z.int().min(0).max(5).default(0),
});

/**
 * Procedures by id, title or words, the best first: `{ procedures, version, reports }`, each procedure with its texts by
 * language. `version` is the one commit that all of it was read at; null where the files of `library` have to do.
 */
export function proceduresFind(parts: {
  readonly library: ProcedureLibrary;
  readonly repository: Pick<ProcedureRepository, 'read'>;
}): Capability<z.infer<typeof argsSchema>> {
  return {
    name: 'procedures.find',
    args: argsSchema,
    run: async ({ words, limit, reports }) => {
      const shelf = await parts.repository.read();
      const library = shelf?.procedures ?? parts.library;
      return {
        procedures: library.find(words, limit).map(jsonOf),
        version:
          shelf === undefined
            ? null
            : { commit: shelf.version.commit, at: new Date(shelf.version.atMs).toISOString() },
        reports: reports === 0 ? [] : (shelf?.cases.find(words, reports) ?? []).map(reportJson),
      };
    },
  };
}

function jsonOf({ id, texts }: Procedure): JsonObject {
  const text = (found: ProcedureText | undefined): JsonObject | null =>
    found === undefined ? null : { title: found.title, steps: found.steps };
  return { id, en: text(texts.en), zh: text(texts.zh) };
}

function reportJson({ id, machine, code, day, texts }: DiagnosisReport): JsonObject {
  const known = LANGUAGES.map((language) => {
    const text = texts[language];
    return [language, text === undefined ? null : { cause: text.cause, done: text.done }] as const;
  });
  return { id, machine, code: code ?? null, day, ...Object.fromEntries(known) };
}
