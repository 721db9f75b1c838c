import { EdgeError } from '../../runtime/edge-error.ts';
import { didYouMean } from '../../runtime/nearest.ts';
import { delimitedRows, guessSeparator } from '../plc/import/delimited-rows.ts';
import { type Person, personSchema } from './person.ts';

const REQUIRED = ['id', 'name_en', 'name_zh', 'role'] as const;
const OPTIONAL = ['also_en', 'also_zh', 'title_en', 'title_zh', 'email', 'badge', 'scope'] as const;
const COLUMNS: readonly string[] = [...REQUIRED, ...OPTIONAL];
/** The people of one site; the directory is kept in memory and every name of it may become a word to recognise. */
const MAX_PEOPLE = 2000;

/**
 * The people in a CSV text with a head row; several names in one cell are separated by "|". `file` names it in errors.
 * Throws EdgeError CONFIG_INVALID with one `file:line column: fault` a line.
 */
export function parsePeople(text: string, file: string): readonly Person[] {
  const read = delimitedRows(text.replace(/^\uFEFF/u, ''), guessSeparator(text));
  if (!read.ok) throw invalid([`${file}:${read.line} ${read.reason}`]);
  const [head, ...rows] = read.rows;
  if (head === undefined) throw invalid([`${file}:1 the file is empty: its first row names the columns`]);
  const columns = head.cells.map((cell) => cell.trim().toLowerCase());
  const faults = [
    ...columns
      .filter((column) => !COLUMNS.includes(column))
      .map((column) => `${file}:${head.line} there is no column "${column}".${didYouMean(column, COLUMNS)}`),
    ...REQUIRED.filter((column) => !columns.includes(column)).map(
      (column) => `${file}:${head.line} the column ${column} is missing`,
    ),
  ];
  if (faults.length > 0) throw invalid(faults);
  if (rows.length > MAX_PEOPLE) throw invalid([`${file}: more than ${MAX_PEOPLE} people`]);

  const people: Person[] = [];
  const taken = new Map<string, number>();
  for (const { line, cells } of rows) {
    const cell = (column: string): string => cells[columns.indexOf(column)]?.trim() ?? '';
    const parsed = personSchema.safeParse(personOf(cell));
    if (parsed.success) {
      for (const key of [
        parsed.data.id,
        ...(parsed.data.badge === undefined ? [] : [`badge ${parsed.data.badge}`]),
      ]) {
        const before = taken.get(key);
        if (before === undefined) taken.set(key, line);
        else faults.push(`${file}:${line} ${key} is already in line ${before}`);
      }
      people.push(parsed.data);
    } else
      faults.push(
        ...parsed.error.issues.map(({ path, message }) => `${file}:${line} ${columnOf(path)}: ${message}`),
      );
  }
  if (faults.length > 0) throw invalid(faults);
  return people;
}

function personOf(cell: (column: string) => string): unknown {
  const optional = (column: string): string | undefined => (cell(column) === '' ? undefined : cell(column));
  const several = (column: string): string[] =>
    cell(column)
      .split('|')
      .map((one) => one.trim())
      .filter((one) => one !== '');
  return {
    id: cell('id'),
    names: { en: cell('name_en'), zh: cell('name_zh') },
    also: { en: several('also_en'), zh: several('also_zh') },
    title: { en: optional('title_en'), zh: optional('title_zh') },
    email: optional('email'),
    role: cell('role'),
    badge: optional('badge'),
    scope: optional('scope') === undefined ? undefined : several('scope'),
  };
}

/** The column that a place in a person came from. */
function columnOf([first, second]: readonly PropertyKey[]): string {
  if (first === 'names') return `name_${String(second)}`;
  return second === undefined || first === 'scope' ? String(first) : `${String(first)}_${String(second)}`;
}

function invalid(faults: readonly string[]): EdgeError {
  return new EdgeError('CONFIG_INVALID', faults.join('\n'), { hint: 'correct the lines above' });
}
