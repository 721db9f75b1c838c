import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LANGUAGES, type Language } from '../../domain/language/language.ts';
import { type Procedure, type ProcedureText, parseProcedure } from '../../domain/procedures/procedure.ts';
import { EdgeError } from '../../runtime/edge-error.ts';
import { readFault } from '../../runtime/read-fault.ts';

const NAME = /^([\p{L}\p{N}][\p{L}\p{N}_-]{0,80})\.(en|zh)\.md$/u;
const MAX_FILES = 2000;
const MAX_BYTES = 200_000;

/**
 * The procedures of a directory: `NAME.en.md` and `NAME.zh.md`; other files are left alone. Throws EdgeError
 * CONFIG_UNREADABLE for a directory that cannot be read, and CONFIG_INVALID naming each file without a heading or steps.
 */
export function readProcedures(directory: string): readonly Procedure[] {
  const texts = new Map<string, Partial<Record<Language, ProcedureText>>>();
  const faults: string[] = [];
  for (const name of namesIn(directory)) {
    const [, id, language] = NAME.exec(name) ?? [];
    const known = LANGUAGES.find((each) => each === language);
    if (id === undefined || known === undefined) continue;
    const file = join(directory, name);
    const read = textOf(file);
    const text = read.ok ? parseProcedure(read.text) : undefined;
    if (text === undefined)
      faults.push(`${file}: ${read.ok ? 'it needs a heading ("# …") and a list of steps' : read.reason}`);
    else texts.set(id, { ...texts.get(id), [known]: text });
  }
  if (faults.length > 0)
    throw new EdgeError('CONFIG_INVALID', faults.join('\n'), { hint: 'correct the files above' });
  return [...texts].map(([id, found]) => ({ id, texts: found }));
}

/** The same files as they are, by name. Throws EdgeError CONFIG_UNREADABLE as above; files that hold no procedure are left out. */
export function procedureTexts(directory: string): ReadonlyMap<string, string> {
  return new Map(
    namesIn(directory).flatMap((name) => {
      const read = NAME.test(name) ? textOf(join(directory, name)) : undefined;
      return read?.ok === true && parseProcedure(read.text) !== undefined ? [[name, read.text]] : [];
    }),
  );
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory).toSorted().slice(0, MAX_FILES);
  } catch (error) {
    throw new EdgeError('CONFIG_UNREADABLE', `procedures: ${directory}: ${readFault(error)}`, {
      hint: 'check the path and that this user may read it',
      cause: error,
    });
  }
}

function textOf(
  file: string,
): { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string } {
  try {
    if (statSync(file).size > MAX_BYTES) return { ok: false, reason: `it is larger than ${MAX_BYTES} bytes` };
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)) };
  } catch (error) {
    return { ok: false, reason: error instanceof TypeError ? 'it is no UTF-8' : readFault(error) };
  }
}
