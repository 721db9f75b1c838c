import { Option } from 'commander';
import { LANGUAGES } from '../domain/language/language.ts';
import { EdgeError } from '../runtime/edge-error.ts';

/** Options that several commands share, and the values that options take. A wrong value throws EdgeError USAGE. */

export const configOption = () =>
  new Option('--config <file>', 'configuration file').env('HERMES_EDGE_CONFIG');
export const languageOption = () =>
  new Option('--language <language>', 'of the demo').choices([...LANGUAGES]);
export const jsonOption = () => new Option('--json', 'the result as JSON on stdout').default(false);

export function wholeNumber(option: string, least: number, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d+$/u.test(text) && number >= least && number <= most) return number;
    throw new EdgeError('USAGE', `${option} takes a whole number from ${least} to ${most}, not "${text}"`);
  };
}

/** `1-10,247` as each of them once, in order. */
export function parseUnits(text: string): readonly number[] {
  const units = text.split(',').flatMap((part) => {
    const [, first, last = first] = /^\s*(\d{1,3})\s*(?:-\s*(\d{1,3}))?\s*$/u.exec(part) ?? [];
    const from = Number(first);
    const to = Number(last);
    if (!(from <= to && to <= 255))
      throw new EdgeError('USAGE', `--units takes ids from 0 to 255 such as 1-10,247, not "${text}"`);
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
  return [...new Set(units)].toSorted((one, other) => one - other);
}

export function collect(text: string, before: readonly string[]): readonly string[] {
  return [...before, text];
}

export function parsePort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new EdgeError('USAGE', `--port takes a whole number from 0 to 65535, not "${text}"`);
}

export function parsePositive(text: string): number {
  const number = Number(text);
  if (number > 0 && number <= 1_000) return number;
  throw new EdgeError('USAGE', `--speed takes a number above 0, at most 1000, not "${text}"`);
}

export function parseCount(text: string): number {
  if (/^\d{1,9}$/u.test(text)) return Number(text);
  throw new EdgeError('USAGE', `"${text}" is no whole number`);
}

export function parseShare(text: string): number {
  const share = Number(text);
  if (text !== '' && share >= 0 && share <= 1) return share;
  throw new EdgeError('USAGE', `--share takes a number from 0 to 1, not "${text}"`);
}
