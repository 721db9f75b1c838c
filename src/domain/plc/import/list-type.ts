import { BYTE_ORDERS, type ByteOrder, POINT_TYPES, type PointType } from '../point-encoding.ts';
import { TYPE_SYNONYMS } from '../trade-words.ts';

export type ListType =
  | {
      readonly ok: true;
      readonly type: PointType;
      /** Registers of a string or bcd. */
      readonly length: number | undefined;
      readonly byteOrder: ByteOrder | undefined;
      /** What the type says of the unit: IEC times count milliseconds. */
      readonly unit: string | undefined;
    }
  | { readonly ok: false; readonly reason: string };

const CHINESE_TYPES: Readonly<Record<string, PointType>> = {
  浮点: 'float32',
  浮点数: 'float32',
  浮点型: 'float32',
  单精度: 'float32',
  单精度浮点: 'float32',
  单精度浮点数: 'float32',
  双精度: 'float64',
  双精度浮点: 'float64',
  双精度浮点数: 'float64',
  整数: 'int16',
  整型: 'int16',
  有符号整数: 'int16',
  无符号整数: 'uint16',
  无符号整型: 'uint16',
  字: 'uint16',
  长整数: 'int32',
  长整型: 'int32',
  双整数: 'int32',
  无符号长整数: 'uint32',
  无符号长整型: 'uint32',
  双字: 'uint32',
  布尔: 'bool',
  布尔型: 'bool',
  布尔量: 'bool',
  开关量: 'bool',
  位: 'bool',
  字符串: 'string',
};

/** Types that cannot be taken as they are, and what to do about it. */
const REFUSED: readonly (readonly [RegExp, string])[] = [
  [/^array\b/u, 'an array: give each element a row of its own'],
  [/^(struct|udt|dtl)\b/u, 'a structure: give each member a row of its own'],
  [
    /^(byte|sint|usint|u?int8|[su]8|char)$/u,
    '8 bits, and which half of the register they are cannot be told: INT or UINT if it has a register alone',
  ],
  [/^(wstring|wchar)\b/u, 'text of 16-bit characters is not supported: use STRING'],
  [/^s5time$/u, 'S5TIME is not supported: convert it to TIME or INT in the PLC'],
  [
    /^(date|tod|time_of_day|dt|date_and_time|ltod|ldt|ldate|ltime)\b/u,
    'dates and times of day are not supported',
  ],
  [/^long$/u, 'LONG has 32 or 64 bits: write DINT or LINT'],
];

/** The type a list means, in the words of IEC 61131-3, of common tools, or Chinese. */
export function listType(text: string): ListType {
  const given = text.trim();
  const refusal = REFUSED.find(([pattern]) => pattern.test(given.toLowerCase()));
  if (refusal !== undefined) return { ok: false, reason: `${given}: ${refusal[1]}` };
  const order = BYTE_ORDERS.find((known) =>
    new RegExp(`(^|[^A-Z])${known}($|[^A-Z])`, 'u').test(given.toUpperCase()),
  );
  const bare = (order === undefined ? given : given.replace(new RegExp(order, 'iu'), '')).trim();
  const sized = /^(.*?)\s*[[(（]\s*(\d+)\s*[\])）]\s*$/u.exec(bare);
  const word = (sized?.[1] ?? bare).toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const size = sized === null ? undefined : Number(sized[2]);
  const found = (type: PointType, length?: number, unit?: string): ListType => ({
    ok: true,
    type,
    length,
    byteOrder: order,
    unit,
  });
  // IEC 61131-3, table 10: a TIME is a duration; both large vendors give it 32 bits and milliseconds.
  if (word === 'time') return found('int32', undefined, 'ms');
  if (word === 'double') return found('float64');
  if (word === 'bcd16') return found('bcd', 1);
  if (word === 'bcd32') return found('bcd', 2);
  if (word === 'bcd') return found('bcd', size === undefined ? 1 : Math.ceil(size / 4));
  const type = TYPE_SYNONYMS[word] ?? CHINESE_TYPES[word] ?? POINT_TYPES.find((known) => known === word);
  if (type === undefined) return { ok: false, reason: `type "${given}" is not known` };
  if (type === 'string') return found(type, size === undefined ? undefined : Math.ceil(size / 2));
  if (size !== undefined) return { ok: false, reason: `type "${given}": a size goes with STRING only` };
  return found(type);
}
