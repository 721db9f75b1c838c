import type { PointSettings } from '../device-map-shape.ts';
import type { RegisterTable } from '../register-address.ts';
import { ACCESS_SYNONYMS, TABLE_SYNONYMS } from '../trade-words.ts';

const CHINESE_TABLES: Readonly<Record<string, RegisterTable>> = {
  保持寄存器: 'holding',
  保持: 'holding',
  输入寄存器: 'input',
  线圈: 'coil',
  离散输入: 'discrete_input',
  离散量输入: 'discrete_input',
};

/** Read functions by number (Modbus Application Protocol V1.1b3, sections 6.1 to 6.4). */
const FUNCTIONS: Readonly<Record<string, RegisterTable>> = {
  '1': 'coil',
  '2': 'discrete_input',
  '3': 'holding',
  '4': 'input',
};

/** `Holding Register`, `4x`, `FC03`, 保持寄存器; undefined where it is none of them. */
export function listTable(text: string): RegisterTable | undefined {
  const word = text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const code = /^(?:fc|function|fn)?0?([1-4])$/u.exec(word)?.[1];
  const exact: Readonly<Record<string, RegisterTable>> = { holding: 'holding', input: 'input', coil: 'coil' };
  return exact[word] ?? TABLE_SYNONYMS[word] ?? CHINESE_TABLES[word] ?? FUNCTIONS[code ?? ''];
}

const OTHER_ACCESS: Readonly<Record<string, PointSettings['access']>> = {
  read: 'read',
  write: 'write',
  lesen: 'read',
  schreiben: 'write',
  lesenschreiben: 'read_write',
  ls: 'read_write',
  只读: 'read',
  读: 'read',
  只写: 'write',
  写: 'write',
  读写: 'read_write',
  可读写: 'read_write',
};

export function listAccess(text: string): PointSettings['access'] | undefined {
  const word = text.toLowerCase().replace(/[^\p{L}]/gu, '');
  const meant = ACCESS_SYNONYMS[word] ?? OTHER_ACCESS[word];
  return meant === 'read' || meant === 'write' || meant === 'read_write' ? meant : undefined;
}
