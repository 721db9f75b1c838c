import type { ListRow } from './delimited-rows.ts';
import { listTable } from './list-words.ts';

/** What a column of a tag list can hold. */
export const COLUMN_ROLES = [
  'name',
  'address',
  'type',
  'comment',
  'name_en',
  'name_zh',
  'machine',
  'register',
  'bit',
  'length',
  'unit',
  'scale',
  'offset',
  'min',
  'max',
  'access',
] as const;
export type ColumnRole = (typeof COLUMN_ROLES)[number];

/** Header words by role, lower-case and without anything but letters and digits; English, German, Chinese. */
const HEADER_WORDS: Readonly<Record<ColumnRole, readonly string[]>> = {
  name: [
    'name',
    'tag',
    'tagname',
    'symbol',
    'variable',
    'variablename',
    'signal',
    'signalname',
    'variablenname',
    'bezeichner',
    'point',
    'item',
    '变量名',
    '变量名称',
    '变量',
    '名称',
    '标签',
    '标签名',
    '点名',
    '符号',
    '信号名',
    '信号名称',
  ],
  address: [
    'address',
    'adresse',
    'logicaladdress',
    'logischeadresse',
    'modbusaddress',
    'modbusadresse',
    'register',
    'registeraddress',
    'registeradresse',
    'registernumber',
    'offsetaddress',
    'iecaddress',
    'plcaddress',
    '地址',
    '寄存器地址',
    '寄存器',
    'modbus地址',
    '通讯地址',
    '通信地址',
    '变量地址',
  ],
  type: [
    'type',
    'datatype',
    'datentyp',
    'typ',
    'format',
    'dataformat',
    '数据类型',
    '类型',
    '数据格式',
    '变量类型',
  ],
  comment: [
    'comment',
    'kommentar',
    'description',
    'beschreibung',
    'remark',
    'remarks',
    'bemerkung',
    'note',
    '注释',
    '描述',
    '说明',
    '备注',
    '含义',
  ],
  name_en: ['nameen', 'englishname', 'english', 'englisch', 'englischername', '英文', '英文名', '英文名称'],
  name_zh: ['namezh', 'namecn', 'chinesename', 'chinese', 'chinesisch', '中文', '中文名', '中文名称'],
  machine: [
    'machine',
    'maschine',
    'equipment',
    'asset',
    'anlage',
    'aggregat',
    '设备',
    '设备名',
    '设备名称',
    '机器',
    '机台',
  ],
  register: [
    'registertype',
    'table',
    'area',
    'memoryarea',
    'bereich',
    'registerart',
    'modbustable',
    'objecttype',
    '寄存器类型',
    '区域',
    '存储区',
  ],
  bit: ['bit', 'bitnumber', 'bitno', 'bitnummer', '位', '位号'],
  length: [
    'length',
    'länge',
    'laenge',
    'words',
    'registers',
    'numberofregisters',
    'anzahl',
    'size',
    '长度',
    '寄存器数',
    '寄存器数量',
    '字数',
  ],
  unit: ['unit', 'units', 'einheit', 'engineeringunit', 'engunit', 'eu', '单位', '工程单位'],
  scale: [
    'scale',
    'scaling',
    'factor',
    'faktor',
    'skalierung',
    'multiplier',
    'gain',
    '系数',
    '比例',
    '倍率',
    '缩放',
    '缩放系数',
  ],
  offset: ['offset', 'versatz', '偏移', '偏移量'],
  min: ['min', 'minimum', 'low', 'lowlimit', 'minwert', '最小值', '下限', '最小'],
  max: ['max', 'maximum', 'high', 'highlimit', 'maxwert', '最大值', '上限', '最大'],
  access: [
    'access',
    'rw',
    'readwrite',
    'zugriff',
    'accessright',
    'accessrights',
    'clientaccess',
    '读写',
    '读写属性',
    '访问',
    '权限',
    '读写权限',
  ],
};

export interface ListColumn {
  readonly role: ColumnRole;
  readonly header: string;
  readonly index: number;
  readonly isGuessed: boolean;
  /** The first cells that are not empty. */
  readonly samples: readonly string[];
}

export type ListColumns =
  | {
      readonly ok: true;
      readonly columns: readonly ListColumn[];
      readonly rows: readonly ListRow[];
      /** Headers of columns that nothing is taken from. */
      readonly unused: readonly string[];
    }
  | { readonly ok: false; readonly reason: string };

/** Headers of addresses and of kinds of registers alike. */
const VAGUE_WORDS: ReadonlySet<string> = new Set(['register', '寄存器', 'format', 'item', 'point']);
/** `Register` and `Type` head columns of "Holding Register" as well. */
const CAN_BE_TABLES: ReadonlySet<ColumnRole> = new Set(['address', 'type']);

const HEADER_WITHIN_ROWS = 20;
const SAMPLES = 3;

/**
 * Finds the header row among the first rows, and what each column holds: as `named` says (role to header text), the others
 * by the words of their headers.
 */
export function listColumns(
  rows: readonly ListRow[],
  named: Readonly<Partial<Record<ColumnRole, string>>>,
): ListColumns {
  const wanted = Object.values(named).map(headerWord);
  let best: { index: number; score: number } = { index: -1, score: 0 };
  for (const [index, { cells }] of rows.slice(0, HEADER_WITHIN_ROWS).entries()) {
    const words = cells.map(headerWord);
    const hits = wanted.filter((word) => words.includes(word)).length;
    const score = hits * 10 + new Set(words.flatMap((word) => roleOf(word) ?? [])).size;
    if (score > best.score) best = { index, score };
  }
  const header = rows[best.index];
  if (header === undefined)
    return {
      ok: false,
      reason:
        'no header row: none of the first rows has words such as name and address; name the columns with --column',
    };
  const words = header.cells.map(headerWord);
  const columns = new Map<ColumnRole, { index: number; isGuessed: boolean }>();
  for (const [role, text] of entriesOf(named)) {
    const index = words.indexOf(headerWord(text));
    if (index === -1)
      return {
        ok: false,
        reason: `no column is headed "${text}" (for ${role}); the headers are: ${header.cells.join(', ')}`,
      };
    columns.set(role, { index, isGuessed: false });
  }
  const taken = new Set([...columns.values()].map(({ index }) => index));
  const below = rows.slice(best.index + 1);
  const guesses = words.flatMap((word, index) => {
    const role = roleOf(word);
    if (role === undefined) return [];
    const isTables = CAN_BE_TABLES.has(role) && holdsTables(samplesOf(below, index));
    return [{ index, role: isTables ? 'register' : role, isVague: VAGUE_WORDS.has(word) } as const];
  });
  // A header that can mean several things waits for those that say it clearly.
  for (const { role, index } of guesses.toSorted(
    (one, other) => Number(one.isVague) - Number(other.isVague),
  )) {
    if (columns.has(role) || taken.has(index)) continue;
    columns.set(role, { index, isGuessed: true });
    taken.add(index);
  }
  for (const role of ['name', 'address'] as const)
    if (!columns.has(role))
      return {
        ok: false,
        reason: `${below.length} rows, and no column for the ${role}${takenText(columns, header.cells)}; name it with --column ${role}=HEADER, one of: ${header.cells.filter((cell) => cell.trim() !== '').join(', ')}`,
      };
  return {
    ok: true,
    rows: below,
    unused: header.cells.filter((cell, index) => cell.trim() !== '' && !taken.has(index)),
    columns: [...columns]
      .toSorted(([one], [other]) => COLUMN_ROLES.indexOf(one) - COLUMN_ROLES.indexOf(other))
      .map(([role, { index, isGuessed }]) => ({
        role,
        index,
        isGuessed,
        header: header.cells[index]?.trim() ?? '',
        samples: samplesOf(below, index),
      })),
  };
}

function takenText(columns: ReadonlyMap<ColumnRole, { index: number }>, headers: readonly string[]): string {
  const taken = [...columns].map(([role, { index }]) => `${role} from "${headers[index]?.trim() ?? ''}"`);
  return taken.length === 0 ? '' : ` (taken so far: ${taken.join(', ')})`;
}

/** Names of tables; bare numbers are read functions in one list and addresses in the other. */
function holdsTables(samples: readonly string[]): boolean {
  return samples.length > 0 && samples.every((text) => /\p{L}/u.test(text) && listTable(text) !== undefined);
}

function samplesOf(rows: readonly ListRow[], index: number): string[] {
  const samples: string[] = [];
  for (const { cells } of rows) {
    const cell = cells[index]?.trim() ?? '';
    if (cell !== '' && !samples.includes(cell)) samples.push(cell);
    if (samples.length === SAMPLES) break;
  }
  return samples;
}

function roleOf(word: string): ColumnRole | undefined {
  return COLUMN_ROLES.find((role) => HEADER_WORDS[role].includes(word));
}

/** `Logical Address [hex]` and `logical_address` are one word. */
function headerWord(text: string): string {
  return text
    .toLowerCase()
    .replace(/[([{（【].*$/u, '')
    .replace(/[^\p{L}\p{N}]/gu, '');
}

function entriesOf(named: Readonly<Partial<Record<ColumnRole, string>>>): [ColumnRole, string][] {
  return COLUMN_ROLES.flatMap((role) => {
    const text = named[role];
    return text === undefined ? [] : [[role, text] as [ColumnRole, string]];
  });
}
