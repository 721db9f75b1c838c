import type { JsonObject, JsonValue } from '../../src/domain/json.ts';
import { isObject, isScalar } from './json.ts';

export type Cell = string | number | boolean | null;

/** Rows under a head, and what they are about. */
export interface Table {
  readonly kind: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** Heads in both languages: a report is read by whoever gets it. */
const HEADS: Readonly<Record<string, string>> = {
  machine: 'machine 设备',
  point: 'point 测点',
  value: 'value 数值',
  unit: 'unit 单位',
  meaning: 'meaning 含义',
  quality: 'quality 质量',
  reason: 'reason 原因',
  at: 'time 时间',
  from: 'from 起',
  to: 'to 止',
  samples: 'samples 样本数',
  coverage: 'coverage 覆盖率',
  min: 'minimum 最小值',
  min_at: 'minimum at 最小值时间',
  max: 'maximum 最大值',
  max_at: 'maximum at 最大值时间',
  mean: 'mean 平均值',
  last: 'last 最后值',
  last_at: 'last at 最后值时间',
  changes: 'changes 变化次数',
  true_s: 'seconds on 开启秒数',
  log: 'log 日志',
  code: 'code 代码',
  en: 'event',
  zh: '事件',
  lost: 'records lost 丢失条数',
  finding: 'finding 发现',
};

interface Shape {
  readonly kind: string;
  readonly field: string;
  readonly columns: readonly string[];
}

/** The results that can be made into rows, by the field that holds them. */
const SHAPES: readonly Shape[] = [
  {
    kind: 'values',
    field: 'readings',
    columns: ['machine', 'point', 'value', 'unit', 'meaning', 'quality', 'reason', 'at'],
  },
  {
    kind: 'history',
    field: 'reports',
    columns: [
      'machine',
      'point',
      'unit',
      'from',
      'to',
      'mean',
      'min',
      'min_at',
      'max',
      'max_at',
      'last',
      'last_at',
      'samples',
      'coverage',
      'changes',
      'true_s',
    ],
  },
  {
    kind: 'compare',
    field: 'sides',
    columns: ['machine', 'point', 'value', 'mean', 'unit', 'min', 'max', 'quality', 'from', 'to', 'at'],
  },
  { kind: 'log', field: 'records', columns: ['at', 'machine', 'log', 'code', 'en', 'zh', 'lost'] },
  {
    kind: 'diagnosis',
    field: 'findings',
    columns: ['machine', 'point', 'finding', 'value', 'unit', 'at', 'en', 'zh'],
  },
];

/** The rows that a result of an earlier call holds; undefined for one that holds none. */
export function tableOf(result: JsonObject): Table | undefined {
  for (const { kind, field, columns } of SHAPES) {
    const entries = result[field];
    if (!Array.isArray(entries)) continue;
    const flat = entries.filter(isObject).map(flattened);
    const used = columns.filter((column) => flat.some((row) => row.has(column)));
    return {
      kind,
      columns: used.map((column) => HEADS[column] ?? column),
      rows: flat.map((row) => used.map((column) => row.get(column) ?? null)),
    };
  }
  return undefined;
}

export function headOf(column: string): string {
  return HEADS[column] ?? column;
}

/** `max: { value, at }` becomes `max` and `max_at`. */
function flattened(entry: JsonObject): ReadonlyMap<string, Cell> {
  const row = new Map<string, Cell>();
  for (const [key, value] of Object.entries(entry)) {
    if (isScalar(value)) row.set(key, value);
    else if (isObject(value)) put(row, key, value);
  }
  return row;
}

function put(row: Map<string, Cell>, key: string, value: JsonObject): void {
  const inner: JsonValue | undefined = value['value'];
  const at = value['at'];
  if (isScalar(inner)) row.set(key, inner);
  if (typeof at === 'string') row.set(`${key}_at`, at);
}
