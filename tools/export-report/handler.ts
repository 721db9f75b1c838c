import type { JsonObject } from '../../src/domain/json.ts';
import type { Handle, HandlerContext } from '../../src/tooling/handler-api.ts';
import { csvOf } from '../_shared/csv.ts';
import { fault } from '../_shared/fault.ts';
import { isObject, isScalar, objectOf, objectsOf, optionalText, textOf } from '../_shared/json.ts';
import { type Cell, headOf, type Table, tableOf } from '../_shared/table.ts';
import { xlsxOf } from '../_shared/xlsx.ts';

const MAX_ROWS = 20_000;
const PAGE = 1000;
/** Of base64: three bytes are four characters. */
const CHUNK_BYTES = 60_000;

export const handle: Handle = async (args, context) => {
  const format = args['format'] === 'csv' ? 'csv' : 'xlsx';
  const table = await tableFor(args, context);
  if (table.rows.length === 0)
    throw fault('INPUT_INVALID', 'there is nothing to export: the result has no rows');
  const title = optionalText(args['title']) ?? titleOf(table);
  context.signal.throwIfAborted();
  const bytes = format === 'csv' ? Buffer.from(csvOf(table)) : await xlsxOf(table);
  const file = await save(context, { kind: table.kind, title, format }, bytes);
  return {
    result: {
      file: textOf(file['file'], 'the name of a file'),
      format,
      kind: table.kind,
      rows: table.rows.length,
    },
    say: [{ phrase: 'exported', values: { count: table.rows.length, format: formatWords(format) } }],
  };
};

function formatWords(format: 'csv' | 'xlsx') {
  return format === 'csv'
    ? ({ kind: 'text', en: 'a C S V file', zh: 'CSV 文件' } as const)
    : ({ kind: 'text', en: 'an Excel file', zh: 'Excel 文件' } as const);
}

async function tableFor(args: JsonObject, context: HandlerContext): Promise<Table> {
  const { results } = args;
  if (isObject(results)) {
    const table = tableOf(results);
    if (table === undefined)
      throw fault('INPUT_INVALID', 'results: this result has no rows', {
        hint: 'export a result of read-value, machine-status, read-history, compare, read-plc-log or diagnose',
      });
    return { ...table, rows: table.rows.slice(0, MAX_ROWS) };
  }
  const machine = optionalText(args['machine']);
  const point = optionalText(args['point']);
  const period = optionalText(args['period']);
  if (machine === undefined || point === undefined || period === undefined)
    throw fault('INPUT_INVALID', 'results: give a result, or machine, point and period');
  return recordedValues(machine, point, period, context);
}

/** Every recorded value of a point over a period, page by page. */
async function recordedValues(
  machine: string,
  point: string,
  period: string,
  { use, signal }: HandlerContext,
): Promise<Table> {
  const rows: Cell[][] = [];
  let after: number | undefined;
  do {
    signal.throwIfAborted();
    const samples = { limit: PAGE, ...(after === undefined ? {} : { after }) };
    const page = objectOf(await use('history.over', { machine, point, period, samples }), 'a page of values');
    const [report] = objectsOf(page['reports'], 'reports');
    for (const sample of objectsOf(page['samples'], 'samples')) {
      const value = sample['value'];
      rows.push([
        textOf(sample['at'], 'the time of a value'),
        textOf(report?.['machine'], 'the machine'),
        textOf(report?.['point'], 'the point'),
        isScalar(value) ? value : null,
        optionalText(report?.['unit']) ?? null,
        optionalText(sample['meaning']) ?? null,
      ]);
    }
    after = typeof page['next'] === 'number' ? page['next'] : undefined;
  } while (after !== undefined && rows.length < MAX_ROWS);
  const columns = ['at', 'machine', 'point', 'value', 'unit', 'meaning'].map(headOf);
  return { kind: 'samples', columns, rows: rows.slice(0, MAX_ROWS) };
}

/** The first machine and point that the rows name. */
function titleOf({ kind, columns, rows }: Table): string {
  const cell = (head: string): Cell | undefined => rows[0]?.[columns.indexOf(headOf(head))];
  return [kind, cell('machine'), cell('point')].filter((word) => typeof word === 'string').join(' ');
}

async function save(
  { use, signal }: HandlerContext,
  begin: JsonObject,
  bytes: Uint8Array,
): Promise<JsonObject> {
  await use('files.save', { begin });
  try {
    for (let from = 0; from < bytes.byteLength; from += CHUNK_BYTES) {
      signal.throwIfAborted();
      const chunk = Buffer.from(bytes.subarray(from, from + CHUNK_BYTES));
      await use('files.save', { append: chunk.toString('base64') });
    }
    signal.throwIfAborted();
    return objectOf(await use('files.save', { commit: true }), 'a saved file');
  } catch (error) {
    // The daemon drops it too when the call is cancelled; whichever comes first.
    if (!signal.aborted) await use('files.save', { discard: true });
    throw error;
  }
}
