import { LANGUAGES } from '../language/language.ts';
import type { Procedure } from '../procedures/procedure.ts';
import { ProcedureLibrary } from '../procedures/procedure-library.ts';
import type { DiagnosisReport } from './diagnosis-report.ts';

/** Confirmed diagnoses, found by machine, code or words. */
export class PastCases {
  readonly reports: readonly DiagnosisReport[];
  readonly #library: ProcedureLibrary;
  readonly #byId: ReadonlyMap<string, DiagnosisReport>;

  constructor(reports: readonly DiagnosisReport[]) {
    this.reports = reports;
    this.#byId = new Map(reports.map((report) => [report.id, report]));
    this.#library = new ProcedureLibrary([...this.#byId.values()].map(documentOf));
  }

  /** The best first. */
  find(words: string, limit: number): readonly DiagnosisReport[] {
    return this.#library.find(words, limit).flatMap(({ id }) => this.#byId.get(id) ?? []);
  }
}

function documentOf({ id, machine, code, texts }: DiagnosisReport): Procedure {
  const keywords = [machine, ...(code === undefined ? [] : [code])];
  const parts = LANGUAGES.flatMap((language) => {
    const text = texts[language];
    if (text === undefined) return [];
    return [[language, { title: text.cause, steps: text.done, keywords }] as const];
  });
  return { id, texts: Object.fromEntries(parts) };
}
