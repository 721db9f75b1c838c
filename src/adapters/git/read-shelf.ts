import type { ProcedureShelf, ProcedureVersion } from '../../app/ports/procedure-repository.ts';
import { LANGUAGES, type Language } from '../../domain/language/language.ts';
import type { DiagnosisReport } from '../../domain/memory/diagnosis-report.ts';
import { PastCases } from '../../domain/memory/past-cases.ts';
import { parseReport } from '../../domain/memory/report-text.ts';
import { type Procedure, type ProcedureText, parseProcedure } from '../../domain/procedures/procedure.ts';
import { ProcedureLibrary } from '../../domain/procedures/procedure-library.ts';
import type { BareRepository, TreeFile } from './bare-repository.ts';

const HOW_TO = /^how-to\/([\p{L}\p{N}][\p{L}\p{N}_-]{0,80})\.(en|zh)\.md$/u;
const REPORT = /^reports\/\d{4}\/[^/]+\.md$/u;
const MAX_HOW_TOS = 2000;
const MAX_REPORTS = 2000;
const MAX_FILE_BYTES = 200_000;
const MAX_TOTAL_BYTES = 32_000_000;

/** All of one version that can be read as a procedure or a report: the newest reports, where there are very many. */
export async function readShelf(
  repository: BareRepository,
  version: ProcedureVersion,
): Promise<ProcedureShelf> {
  const files = (await repository.tree(version.commit)).filter(({ bytes }) => bytes <= MAX_FILE_BYTES);
  const howTos = files.filter(({ path }) => HOW_TO.test(path)).slice(0, MAX_HOW_TOS);
  const reports = files
    .filter(({ path }) => REPORT.test(path))
    .toReversed()
    .slice(0, MAX_REPORTS);
  const texts = await repository.texts(withinBytes([...howTos, ...reports]));
  return {
    version,
    procedures: new ProcedureLibrary(proceduresIn(texts)),
    cases: new PastCases(reportsIn(texts)),
  };
}

function proceduresIn(texts: ReadonlyMap<string, string>): readonly Procedure[] {
  const found = new Map<string, Partial<Record<Language, ProcedureText>>>();
  for (const [path, text] of texts) {
    const [, id, named] = HOW_TO.exec(path) ?? [];
    const language = LANGUAGES.find((each) => each === named);
    const procedure = parseProcedure(text);
    if (id === undefined || language === undefined || procedure === undefined) continue;
    found.set(id, { ...found.get(id), [language]: procedure });
  }
  return [...found].map(([id, known]) => ({ id, texts: known }));
}

function reportsIn(texts: ReadonlyMap<string, string>): readonly DiagnosisReport[] {
  return [...texts].flatMap(([path, text]) => (REPORT.test(path) ? (parseReport(text) ?? []) : []));
}

function withinBytes(files: readonly TreeFile[]): readonly TreeFile[] {
  let total = 0;
  return files.filter(({ bytes }) => {
    total += bytes;
    return total <= MAX_TOTAL_BYTES;
  });
}
