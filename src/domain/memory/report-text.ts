import { LANGUAGES, type Language } from '../language/language.ts';
import { type DiagnosisReport, diagnosisReportSchema, type ReportText } from './diagnosis-report.ts';

/** Puts pseudonymous ids in the place of people: a file that is kept in many copies cannot be taken back. */
export interface ReportNames {
  /** A text with every name of a person replaced. */
  text(text: string, language: Language): string;
  /** The pseudonymous id for the id of a person or a station. */
  person(id: string): string;
}

const HEADINGS = {
  en: { cause: 'Cause', done: 'What was done' },
  zh: { cause: '原因', done: '处理' },
} as const satisfies Record<Language, Readonly<Record<'cause' | 'done', string>>>;

/** Keys of the front matter in their order, and what they are called in the report. */
const FIELDS = {
  id: 'id',
  machine: 'machine',
  code: 'code',
  day: 'day',
  at: 'at',
  session: 'session',
  confirmed_by: 'confirmedBy',
} as const;

/** The name of its file below the repository: `reports/YYYY/YYYY-MM-DD-MACHINE-ID.md`. */
export function reportPath({ day, machine, id }: Pick<DiagnosisReport, 'day' | 'machine' | 'id'>): string {
  return `reports/${day.slice(0, 4)}/${day}-${machine}-${id}.md`;
}

/** The report as Markdown with front matter, without a name of a person in it. */
export function reportMarkdown(report: DiagnosisReport, names: ReportNames): string {
  const matter = Object.entries({
    id: report.id,
    machine: report.machine,
    code: report.code,
    day: report.day,
    at: report.at,
    session: report.session,
    confirmed_by: names.person(report.confirmedBy),
  } satisfies Record<keyof typeof FIELDS, string | undefined>).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}: ${JSON.stringify(value)}`],
  );
  const title = [report.machine, report.code].filter((part) => part !== undefined).join(': ');
  const sections = LANGUAGES.flatMap((language) => {
    const text = report.texts[language];
    if (text === undefined) return [];
    const words = (prose: string): string => escaped(names.text(prose, language));
    return [
      `## ${HEADINGS[language].cause}\n\n${words(text.cause)}`,
      `## ${HEADINGS[language].done}\n\n${text.done.map((step, at) => `${at + 1}. ${words(step)}`).join('\n')}`,
    ];
  });
  return `---\n${matter.join('\n')}\n---\n\n# ${escaped(title)}\n\n${sections.map((part) => part.trim()).join('\n\n')}\n`;
}

/** A report from its file, as a person may have edited it; undefined for a text that is none. */
export function parseReport(markdown: string): DiagnosisReport | undefined {
  const [, matter, body] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/u.exec(markdown.replaceAll('\r\n', '\n')) ?? [];
  if (matter === undefined || body === undefined) return undefined;
  const known = new Map<string, string>(Object.entries(FIELDS));
  const fields = matter.split('\n').flatMap((line) => {
    const [, key = '', value = ''] = /^([a-z_]+):\s*(.*)$/u.exec(line) ?? [];
    const field = known.get(key);
    return field === undefined || value === '' ? [] : [[field, scalar(value.trim())] as const];
  });
  const texts = Object.fromEntries(
    LANGUAGES.flatMap((language) => {
      const text = textIn(body, language);
      return text === undefined ? [] : [[language, text] as const];
    }),
  );
  return diagnosisReportSchema.safeParse({ ...Object.fromEntries(fields), texts }).data;
}

function textIn(body: string, language: Language): ReportText | undefined {
  const cause = sectionOf(body, HEADINGS[language].cause);
  if (cause === undefined) return undefined;
  const done = (sectionOf(body, HEADINGS[language].done) ?? '').split('\n').flatMap((line) => {
    const [, step] = /^\s{0,3}(?:\d{1,3}[.)]|[-*+])\s+(.+)$/u.exec(line) ?? [];
    return step === undefined ? [] : [unescaped(step)];
  });
  return { cause: unescaped(cause), done };
}

/** What stands below a heading, up to the next one. */
function sectionOf(body: string, heading: string): string | undefined {
  const lines = body.split('\n');
  const from = lines.findIndex((line) => line.trim() === `## ${heading}`);
  if (from < 0) return undefined;
  const rest = lines.slice(from + 1);
  const to = rest.findIndex((line) => /^#{1,6}\s/u.test(line));
  return (to < 0 ? rest : rest.slice(0, to)).join('\n').trim();
}

/** One line that no reader of Markdown takes for a heading, an item or a rule. */
function escaped(text: string): string {
  const line = text.replace(/\s+/gu, ' ').trim().replaceAll('\\', '\\\\');
  return line.replace(/^(?=[#>*+\-=`~|])/u, '\\').replace(/^(\d+)(?=[.)])/u, '$1\\');
}

function unescaped(text: string): string {
  return text
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/\\([\\#>*+\-=`~|.)])/gu, '$1');
}

/** A quoted value, or one that was written by hand without quotes. */
function scalar(value: string): string {
  if (!value.startsWith('"')) return value;
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === 'string' ? parsed : value;
  } catch (error) {
    if (error instanceof SyntaxError) return value;
    throw error;
  }
}
