import { z } from 'zod';
import type { JsonObject } from '../../domain/json.ts';
import type { Procedure, ProcedureText } from '../../domain/procedures/procedure.ts';
import type { ProcedureLibrary } from '../../domain/procedures/procedure-library.ts';
import type { Capability } from '../../tooling/capability.ts';

const argsSchema = z.strictObject({
  words: z.string().trim().min(1).max(200),
  limit: z.int().min(1).max(5).default(3),
});

/** Procedures by id, title or words, the best first: `{ procedures }`, each with its texts by language. */
export function proceduresFind(parts: {
  readonly library: ProcedureLibrary;
}): Capability<z.infer<typeof argsSchema>> {
  return {
    name: 'procedures.find',
    args: argsSchema,
    run: async ({ words, limit }) => ({ procedures: parts.library.find(words, limit).map(jsonOf) }),
  };
}

function jsonOf({ id, texts }: Procedure): JsonObject {
  const text = (found: ProcedureText | undefined): JsonObject | null =>
    found === undefined ? null : { title: found.title, steps: found.steps };
  return { id, en: text(texts.en), zh: text(texts.zh) };
}
