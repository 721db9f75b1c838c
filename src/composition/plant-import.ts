import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { pinyin } from 'pinyin-pro';
import { parse } from 'yaml';
import { deviceMapSchema } from '../domain/plc/device-map.ts';
import type { DeviceMap } from '../domain/plc/device-map-shape.ts';
import {
  type ImportedList,
  type ImportOptions,
  importList,
  type RefusedRow,
} from '../domain/plc/import/import-list.ts';
import type { NamedPoint } from '../domain/plc/import/named-points.ts';
import { type PlantFileHead, plantFileText } from '../domain/plc/import/plant-file-text.ts';
import { type ListEncoding, type ListText, textOfBytes } from '../domain/plc/import/text-of-bytes.ts';
import { PlantModel } from '../domain/plc/plant-model.ts';
import type { SettingsIssue } from '../domain/plc/point-settings-checks.ts';
import { EdgeError } from '../runtime/edge-error.ts';
import { readFault } from '../runtime/read-fault.ts';
import { spokenNameIssues } from './plant-check.ts';

export interface PlantImportOptions extends ImportOptions {
  readonly encoding?: ListEncoding;
  readonly head: Omit<PlantFileHead, 'base' | 'remarks'>;
  /** Where the plant file goes; it is only returned without. */
  readonly out?: string;
  /** Replaces a file that is there. */
  readonly force: boolean;
}

export interface PlantImport {
  readonly encoding: ListText['encoding'];
  readonly isEncodingGuessed: boolean;
  readonly list: Omit<ImportedList, 'ok'>;
  /** The plant file; it passes `plant check`. Undefined, and nothing written, where no row could be taken over. */
  readonly text: string | undefined;
}

/**
 * Reads a tag list into a plant file. Rows that would not pass the check are refused like those that cannot be understood.
 * Throws EdgeError CONFIG_UNREADABLE, CONFIG_INVALID (no tag list), USAGE (the file to write is there), IMPORT_EMPTY.
 */
export function importPlant(file: string, options: PlantImportOptions): PlantImport {
  if (options.out !== undefined && !options.force && existsSync(options.out))
    throw new EdgeError('USAGE', `${options.out} is there already`, {
      hint: 'give another file, or --force to replace it',
    });
  const { text: listText, encoding, isGuessed } = textOfBytes(bytesOf(file), options.encoding);
  const imported = importList(listText, options, romanise);
  if (!imported.ok) throw new EdgeError('CONFIG_INVALID', `${file}: ${imported.reason}`);
  const list = checked(imported, options.head);
  if (list.points.length === 0) return { encoding, isEncodingGuessed: isGuessed, list, text: undefined };
  const text = plantFileText(headOf(file, list, options.head), list.machines, list.points);
  if (options.out !== undefined) writeFileSync(options.out, text, { flag: options.force ? 'w' : 'wx' });
  return { encoding, isEncodingGuessed: isGuessed, list, text };
}

function bytesOf(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new EdgeError('CONFIG_UNREADABLE', `${file}: ${readFault(error)}`, { cause: error });
  }
}

function romanise(text: string): string {
  return pinyin(text, { toneType: 'none', nonZh: 'consecutive' });
}

function headOf(
  file: string,
  list: ImportedList,
  head: Omit<PlantFileHead, 'base' | 'remarks'>,
  withRefused = true,
): PlantFileHead {
  const name = file.split('/').at(-1) ?? file;
  return {
    ...head,
    base: list.base,
    remarks: [
      `Made from ${name}: ${list.points.length} points.`,
      ...list.assumptions.map((assumption) => `Assumed: ${assumption}.`),
      ...(withRefused && list.refused.length > 0
        ? [
            `Not taken over, ${list.refused.length} rows:`,
            ...list.refused.map(({ row, name: tag, reason }) => `  row ${row} ${tag}: ${reason}`),
          ]
        : []),
      // A line break in a cell would end the remark.
    ].map((line) => line.replace(/\p{Cc}+/gu, ' ')),
  };
}

/** Each round refuses what the rounds before had hidden, or first gives up the further names of a point. */
const CHECK_ROUNDS = 8;

function checked(imported: ImportedList, head: Omit<PlantFileHead, 'base' | 'remarks'>): ImportedList {
  let list = imported;
  for (let round = 0; round < CHECK_ROUNDS; round += 1) {
    const issues = issuesOf(list, head);
    if (issues.length === 0) return list;
    list = withoutFaulty(list, issues);
  }
  throw new EdgeError('IMPORT_EMPTY', 'the points contradict each other over and over');
}

function issuesOf(
  list: ImportedList,
  head: Omit<PlantFileHead, 'base' | 'remarks'>,
): readonly SettingsIssue[] {
  if (list.points.length === 0) return [];
  const text = plantFileText({ ...head, base: list.base, remarks: [] }, list.machines, list.points);
  const result = deviceMapSchema.safeParse(parse(text));
  if (result.success) return spokenNameIssues(new PlantModel([result.data satisfies DeviceMap]));
  return result.error.issues.map(({ path, message }) => ({
    path: path.map((part) => (typeof part === 'symbol' ? String(part) : part)),
    message,
  }));
}

function withoutFaulty(list: ImportedList, issues: readonly SettingsIssue[]): ImportedList {
  const byPoint = new Map(list.points.map((point) => [`${point.machine} ${point.key}`, point] as const));
  const reasons = new Map<NamedPoint, string>();
  for (const { path, message } of issues) {
    const [, machine, , key] = path;
    const point = byPoint.get(`${machine} ${key}`);
    const hit = point === undefined ? list.points.filter((each) => each.machine === machine) : [point];
    // What is wrong with neither a point nor a machine is wrong with what was asked for.
    if (hit.length === 0) throw new EdgeError('USAGE', `${path.join('.')}: ${message}`);
    for (const each of hit) if (!reasons.has(each)) reasons.set(each, withRows(message, byPoint));
  }
  // One name that cannot be said is no reason to lose the row while there is another.
  const fewer = new Map(
    [...reasons].flatMap(([point, reason]) => {
      const renamed = withFewerNames(point, reason);
      return renamed === undefined ? [] : [[point, renamed] as const];
    }),
  );
  if (fewer.size > 0) return { ...list, points: list.points.map((point) => fewer.get(point) ?? point) };
  const refused: RefusedRow[] = [...reasons].map(([{ listed }, reason]) => ({
    row: listed.line,
    name: listed.texts.name,
    reason,
  }));
  return {
    ...list,
    points: list.points.filter((point) => !reasons.has(point)),
    refused: [...list.refused, ...refused].toSorted((one, other) => one.row - other.row),
    notes: list.notes.filter(({ row }) => !refused.some((each) => each.row === row)),
  };
}

/** Without the name that a fault is about, where it says so, else with the first alone; undefined where that is no change. */
function withFewerNames(point: NamedPoint, reason: string): NamedPoint | undefined {
  const { en, zh } = point.names;
  if (en.length + zh.length <= 2) return undefined;
  const bad = /another name than "(.+)"$/u.exec(reason)?.[1];
  const left = (names: readonly string[]): readonly string[] =>
    bad === undefined ? names.slice(0, 1) : names.filter((name) => name !== bad);
  const names = { en: left(en), zh: left(zh) };
  if (names.en.length === 0 || names.zh.length === 0) return undefined;
  const isFewer = names.en.length + names.zh.length < en.length + zh.length;
  const remarks = bad === undefined ? point.remarks : [...point.remarks, `"${bad}" cannot be its name`];
  return isFewer ? { ...point, names, remarks } : undefined;
}

/** `already part of KEY of MACHINE` names the row of that point as well. */
function withRows(message: string, points: ReadonlyMap<string, NamedPoint>): string {
  return message.replace(/already part of (\S+) of (\S+)/u, (whole, key: string, machine: string) => {
    const other = points.get(`${machine} ${key}`);
    return other === undefined
      ? whole
      : `already part of row ${other.listed.line}, ${other.listed.texts.name}`;
  });
}
