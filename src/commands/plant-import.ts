import { importPlant, type PlantImport } from '../composition/plant-import.ts';
import type { Separator } from '../domain/plc/import/delimited-rows.ts';
import type { MemoryLayout } from '../domain/plc/import/list-address.ts';
import { COLUMN_ROLES, type ColumnRole } from '../domain/plc/import/list-columns.ts';
import type { ListEncoding } from '../domain/plc/import/text-of-bytes.ts';
import type { RegisterTable } from '../domain/plc/register-address.ts';
import { EdgeError, messageOf } from '../runtime/edge-error.ts';
import { didYouMean } from '../runtime/nearest.ts';
import { aligned } from './aligned.ts';
import { terminalLine, terminalText } from './terminal-text.ts';

interface PlantImportOptions {
  readonly column: readonly string[];
  readonly separator?: 'comma' | 'semicolon' | 'tab';
  readonly encoding?: ListEncoding;
  readonly machine?: string;
  readonly machineFrom?: string;
  readonly base?: '0' | '1';
  readonly register?: RegisterTable;
  readonly memory?: MemoryLayout;
  readonly byteOrder?: string;
  readonly connection: string;
  readonly device: string;
  readonly host?: string;
  readonly port?: number;
  readonly unit?: number;
  readonly out?: string;
  readonly force: boolean;
  readonly json: boolean;
}

const SEPARATOR_CHARACTERS: Readonly<Record<'comma' | 'semicolon' | 'tab', Separator>> = {
  comma: ',',
  semicolon: ';',
  tab: '\t',
};

/** `hermes-edge plant import`: the plant file on stdout or in a file, what was guessed and what was left out on stderr. */
export async function plantImport(file: string, options: PlantImportOptions): Promise<void> {
  const { separator, base, register, memory, encoding, out } = options;
  const result = importPlant(file, {
    columns: columnsOf(options.column),
    machine: {
      ...(options.machineFrom === undefined ? {} : { pattern: patternOf(options.machineFrom) }),
      ...(options.machine === undefined ? {} : { fallback: options.machine }),
    },
    ...(separator === undefined ? {} : { separator: SEPARATOR_CHARACTERS[separator] }),
    ...(base === undefined ? {} : { base: base === '1' ? 1 : 0 }),
    ...(register === undefined ? {} : { table: register }),
    ...(memory === undefined ? {} : { memory }),
    ...(encoding === undefined ? {} : { encoding }),
    ...(out === undefined ? {} : { out }),
    force: options.force,
    head: {
      connection: options.connection,
      device: options.device,
      host: options.host,
      port: options.port,
      unitId: options.unit,
      byteOrder: options.byteOrder,
    },
  });
  if (result.text === undefined) process.exitCode = 1;
  if (options.json) {
    process.stdout.write(`${JSON.stringify(asJson(result, out))}\n`);
    return;
  }
  process.stderr.write(`${reportLines(file, result, out).map(terminalLine).join('\n')}\n`);
  if (out === undefined && result.text !== undefined)
    process.stdout.write(process.stdout.isTTY ? terminalText(result.text) : result.text);
}

function columnsOf(texts: readonly string[]): Partial<Record<ColumnRole, string>> {
  const columns: Partial<Record<ColumnRole, string>> = {};
  for (const text of texts) {
    const [name = '', ...rest] = text.split('=');
    const role = COLUMN_ROLES.find((each) => each === name);
    if (role === undefined)
      throw new EdgeError(
        'USAGE',
        `--column takes ROLE=HEADER, not "${text}".${didYouMean(name, COLUMN_ROLES)}`,
        {
          hint: `roles are ${COLUMN_ROLES.join(', ')}`,
        },
      );
    columns[role] = rest.join('=');
  }
  return columns;
}

function patternOf(text: string): RegExp {
  try {
    return new RegExp(text, 'u');
  } catch (error) {
    throw new EdgeError('USAGE', `--machine-from is no regular expression: ${messageOf(error)}`);
  }
}

function asJson({ list, text, encoding }: PlantImport, out: string | undefined): unknown {
  const { separator, rows, columns, unused, assumptions, points, machines, refused, notes } = list;
  return {
    ok: text !== undefined,
    encoding,
    separator,
    rows,
    columns: columns.map(({ role, header, isGuessed, samples }) => ({
      role,
      header,
      guessed: isGuessed,
      samples,
    })),
    unused_columns: unused,
    assumptions,
    machines: machines.length,
    points: points.length,
    refused,
    notes,
    remarks: points.flatMap(({ listed, machine, key, remarks }) =>
      remarks.map((remark) => ({ row: listed.line, point: `${machine}.${key}`, remark })),
    ),
    ...(text === undefined ? {} : out === undefined ? { plant_file: text } : { out }),
  };
}

const LISTED = 50;

function reportLines(
  file: string,
  { list, encoding, isEncodingGuessed, text }: PlantImport,
  out: string | undefined,
): string[] {
  const { separator, rows, columns, unused, assumptions, points, refused, notes } = list;
  const rowLines = (title: string, some: typeof refused): string[] =>
    some.length === 0
      ? []
      : [
          title,
          ...some.slice(0, LISTED).map(({ row, name, reason }) => `  ${file}:${row} ${name}: ${reason}`),
          ...(some.length > LISTED ? [`  and ${some.length - LISTED} more (--json has all)`] : []),
        ];
  const unnamed = points.filter(({ remarks }) => remarks.length > 0).length;
  return [
    `${file}: ${encoding}${isEncodingGuessed ? ' (guessed)' : ''}, separated by ${separatorWord(separator)}`,
    ...aligned(
      columns.map(({ role, header, isGuessed, samples }) => [
        `  ${role}`,
        `from "${header}"${isGuessed ? ' (guessed)' : ''}`,
        samples.map((sample) => `"${sample}"`).join(', '),
      ]),
    ),
    ...(unused.length === 0 ? [] : [`  not used: ${unused.join(', ')}`]),
    ...assumptions.map((assumption) => `Assumed: ${assumption}.`),
    ...rowLines('Left out of points that were taken over', notes),
    ...rowLines(`Not taken over: ${refused.length} of ${rows} rows`, refused),
    ...(text === undefined
      ? [
          `None of the ${rows} rows could be taken over. Where a guess above is wrong, say what the columns hold, such as: --column address=HEADER --column type=HEADER`,
        ]
      : [
          `${points.length} of ${rows} rows taken over${out === undefined ? '' : ` into ${out}`}; ${unnamed} have remarks on their names (comments in ${out ?? 'the device map'}).`,
        ]),
  ];
}

function separatorWord(separator: Separator): string {
  return separator === ',' ? 'commas' : separator === ';' ? 'semicolons' : 'tabs';
}
