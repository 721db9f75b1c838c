import type { AddressBase } from '../register-address.ts';
import { writtenAddress } from '../register-address.ts';
import type { PointFields } from './listed-point.ts';
import type { NamedMachine, NamedPoint, SpokenNames } from './named-points.ts';

export interface PlantFileHead {
  readonly connection: string;
  readonly host: string | undefined;
  readonly port: number | undefined;
  readonly device: string;
  readonly unitId: number | undefined;
  readonly base: AddressBase;
  readonly byteOrder: string | undefined;
  /** Written above everything, a line each. */
  readonly remarks: readonly string[];
}

/** An address that reaches nobody (RFC 5737): it is to be replaced. */
export const PLACEHOLDER_HOST = '192.0.2.1';

/** A plant file with what a list says and remarks on what it does not. Points keep the order of the list. */
export function plantFileText(
  head: PlantFileHead,
  machines: readonly NamedMachine[],
  points: readonly NamedPoint[],
): string {
  const sixDigits = points.some(({ listed }) => listed.wire > 9_998);
  const remark = (isGiven: boolean, text: string): string => (isGiven ? '' : ` # ${text}`);
  const lines = [
    ...head.remarks.map((line) => `# ${line}`),
    'connections:',
    `  ${head.connection}:`,
    '    transport: tcp',
    `    host: ${quoted(head.host ?? PLACEHOLDER_HOST)}${remark(head.host !== undefined, "put in the PLC's address")}`,
    ...(head.port === undefined ? [] : [`    port: ${head.port}`]),
    '',
    'devices:',
    `  ${head.device}:`,
    `    connection: ${head.connection}`,
    `    unit_id: ${head.unitId ?? 1}${remark(head.unitId !== undefined, 'check: the list does not say')}`,
    `    address_base: ${head.base}`,
    `    byte_order: ${head.byteOrder ?? 'ABCD'}${remark(head.byteOrder !== undefined, 'check one value of two registers: ABCD or CDAB')}`,
    '',
    'machines:',
  ];
  const byMachine = new Map<string, NamedPoint[]>();
  for (const point of points) {
    const own = byMachine.get(point.machine);
    if (own === undefined) byMachine.set(point.machine, [point]);
    else own.push(point);
  }
  for (const machine of machines) {
    const own = byMachine.get(machine.id) ?? [];
    if (own.length === 0) continue;
    lines.push(
      `  ${machine.id}:`,
      `    names: ${namesText(machine.names)}${remarksText(machine.remarks)}`,
      `    device: ${head.device}`,
      '    points:',
    );
    for (const point of own) lines.push(...pointLines(point, head.base, sixDigits));
  }
  return `${lines.join('\n')}\n`;
}

function pointLines(
  { key, names, listed, remarks }: NamedPoint,
  base: AddressBase,
  sixDigits: boolean,
): string[] {
  const address = writtenAddress(listed.register, listed.wire, base, sixDigits);
  return [
    `      ${quotedKey(key)}:`,
    `        names: ${namesText(names)}${remarksText(remarks)}`,
    `        register: ${listed.register}`,
    `        address: ${address}`,
    ...fieldLines(listed.settings),
  ];
}

const FIELDS = [
  'bit',
  'type',
  'length',
  'byte_order',
  'scale',
  'offset',
  'unit',
  'access',
  'write_min',
  'write_max',
] as const;

function fieldLines(settings: PointFields): string[] {
  return FIELDS.flatMap((field) => {
    const value = settings[field];
    if (value === undefined || (field === 'access' && value === 'read')) return [];
    return [`        ${field}: ${typeof value === 'string' ? quoted(value) : value}`];
  });
}

function namesText({ en, zh }: SpokenNames): string {
  return `{ en: [${en.map(quoted).join(', ')}], zh: [${zh.map(quoted).join(', ')}] }`;
}

function remarksText(remarks: readonly string[]): string {
  return remarks.length === 0 ? '' : ` # ${remarks.join('; ').replace(/\p{Cc}/gu, ' ')}`;
}

/** Plain where YAML reads it back as the same text, also within brackets; quoted otherwise. */
function quoted(text: string): string {
  const isPlain =
    /^[\p{L}_][\p{L}\p{N}\p{M}_ .-]*$/u.test(text) &&
    !/^(true|false|null|yes|no|on|off|y|n)$/iu.test(text) &&
    !text.endsWith(' ');
  return isPlain ? text : JSON.stringify(text);
}

function quotedKey(key: string): string {
  return /^[a-z]/u.test(key) && !/^(true|false|null|yes|no|on|off|y|n)$/u.test(key)
    ? key
    : JSON.stringify(key);
}
