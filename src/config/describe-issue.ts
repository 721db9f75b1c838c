import type { z } from 'zod';
import { didYouMean } from '../runtime/nearest.ts';
import { branchesWith, keysAt, schemasAt, valueAt } from './schema-at.ts';

type Path = readonly PropertyKey[];

/** One fault in a file: which place it is about, and a line for whoever corrects it. */
export interface DescribedFault {
  readonly path: Path;
  /** The fault is about a key and not about its value: the place is the key's. */
  readonly isKey: boolean;
  readonly text: string;
}

export interface IssueContext {
  /** The whole file as plain values. */
  readonly value: unknown;
  /** The JSON Schema of the file. */
  readonly json: unknown;
}

/** What is wrong, where, and what would be right, in words of the file and not of its parser. */
export function describeIssue(issue: z.core.$ZodIssue, context: IssueContext): DescribedFault[] {
  const { path } = issue;
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKey([...path, key], key, path, context));
    case 'invalid_key': {
      const key = String(path.at(-1));
      const rule = issue.issues[0]?.message ?? issue.message;
      return [fault(path, `"${key}" cannot be a name here: ${rule}${suggestedId(key, rule)}`, true)];
    }
    case 'invalid_union':
      return describeUnion(issue, context);
    case 'invalid_value':
      return [chosenFrom(path, issue.values.map(String), context)];
    case 'invalid_type':
      return [wrongType(path, issue.expected, context)];
    case 'too_small':
    case 'too_big':
      return [fault(path, outOfLimits(issue, context))];
    default:
      return [fault(path, issue.message)];
  }
}

function fault(path: Path, text: string, isKey = false): DescribedFault {
  return { path, isKey, text: `${path.length === 0 ? '(whole file)' : path.map(String).join('.')}: ${text}` };
}

function unknownKey(at: Path, key: string, parent: Path, { value, json }: IssueContext): DescribedFault {
  const known = keysAt(json, parent, value);
  const near = keyHint(key, known);
  if (near !== '') return fault(at, `unknown key.${near}`, true);
  const branches = branchesWith(json, parent, value, key);
  if (branches.length > 0) return fault(at, `goes with ${branches.join(' or ')} only`, true);
  // `{ scale: 0,1 }` is the key `scale` with 0, and a key `1` with nothing.
  if (/^\d+$/u.test(key)) return fault(at, 'unknown key; decimals take a point and not a comma: 0.1', true);
  const list = known.length > 0 ? ` Valid here: ${known.join(', ')}.` : '';
  return fault(at, `unknown key.${list}`, true);
}

/** Keys as other tools call them, where no part of them is alike. */
const KEY_SYNONYMS: Readonly<Record<string, string>> = {
  slave: 'unit_id',
  slave_id: 'unit_id',
  slaveid: 'unit_id',
  station: 'unit_id',
  node: 'unit_id',
  ip: 'host',
  ip_address: 'host',
  device: 'serial_path',
  tty: 'serial_path',
  datatype: 'type',
  data_type: 'type',
  factor: 'scale',
  multiplier: 'scale',
  gain: 'scale',
  endian: 'byte_order',
  endianness: 'byte_order',
  word_order: 'byte_order',
  table: 'register',
};

/** `unit` is short for `unit_id`, and `timeout` for `timeout_ms`. */
function keyHint(key: string, known: readonly string[]): string {
  const word = key.toLowerCase();
  const synonym = KEY_SYNONYMS[word];
  if (synonym !== undefined && known.includes(synonym)) return ` Did you mean "${synonym}"?`;
  const near = didYouMean(key, known);
  const longer = known.filter((each) => `_${each}_`.includes(`_${word}_`));
  const [only] = longer;
  return longer.length === 1 && only !== undefined ? ` Did you mean "${only}"?` : near;
}

function describeUnion(issue: z.core.$ZodIssueInvalidUnion, context: IssueContext): DescribedFault[] {
  const { path } = issue;
  const options = 'options' in issue && Array.isArray(issue.options) ? issue.options.map(String) : [];
  if (options.length > 0) return [chosenFrom(path, options, context)];
  const given = valueAt(context.value, path);
  // What was meant is told from what was written: the branch that took the outer form and failed further inside.
  const inner = issue.errors.find(
    (errors) => errors.length > 0 && errors.every((each) => each.path.length > 0),
  );
  if (inner !== undefined)
    return inner.flatMap((each) => describeIssue({ ...each, path: [...path, ...each.path] }, context));
  const same = issue.errors.find((errors) => errors.every((each) => each.code !== 'invalid_type'));
  if (same !== undefined && same.length > 0)
    return same.flatMap((each) => describeIssue({ ...each, path: [...path, ...each.path] }, context));
  const wanted = issue.errors.flatMap((errors) =>
    errors.flatMap((each) => (each.code === 'invalid_type' ? [wordsFor(each.expected, path, context)] : [])),
  );
  return [fault(path, `${[...new Set(wanted)].join(', or ')}, not ${shown(given)}`)];
}

function chosenFrom(path: Path, words: readonly string[], { value, json }: IssueContext): DescribedFault {
  const given = valueAt(value, path);
  const list = words.length === 1 ? `only ${words[0]}` : `one of ${words.join(', ')}`;
  if (given === undefined) return fault(path, `is missing: ${list}`);
  // The words of a union's choice are beside the union, one level up.
  const schemas = [...schemasAt(json, path, value), ...schemasAt(json, path.slice(0, -1), value)];
  const hint =
    synonymHint(String(given), schemas, words) ||
    (typeof given === 'string' ? nearestHint(given, words) : '');
  return fault(path, `${list}, not ${shown(given)}.${hint}`);
}

/** A word of another vendor or of IEC 61131-3 has its meaning written beside the schema. */
function synonymHint(given: string, schemas: readonly object[], words: readonly string[]): string {
  const word = given.toLowerCase().replace(/[^a-z0-9]/gu, '');
  const beside = (section: string): unknown =>
    schemas.map((schema) => valueAt(schema, [section, word])).find((found) => found !== undefined);
  const meant = beside('synonyms');
  // A synonym may be more than this place takes, such as a coil where a log cannot be.
  if (meant !== undefined) return words.includes(String(meant)) ? ` That is "${String(meant)}" here.` : '';
  const explained = beside('explained');
  return explained === undefined ? '' : ` ${String(explained)}.`;
}

function nearestHint(given: string, words: readonly string[]): string {
  return didYouMean(given.toLowerCase(), words) || didYouMean(given.toUpperCase(), words);
}

function wrongType(path: Path, expected: string, context: IssueContext): DescribedFault {
  const given = valueAt(context.value, path);
  const wanted = wordsFor(expected, path, context);
  if (given === undefined) return fault(path, `is missing: ${wanted}`);
  if (given === null) return fault(path, `is empty: ${wanted}`);
  return fault(path, `${wanted}, not ${shown(given)}${mend(given, expected)}`);
}

/** What a type is called by somebody who writes such a file. */
function wordsFor(expected: string, path: Path, { value, json }: IssueContext): string {
  switch (expected) {
    case 'int':
      return 'a whole number';
    case 'number':
      return schemasAt(json, path, value).some((node) => valueAt(node, ['type']) === 'integer')
        ? 'a whole number'
        : 'a number';
    case 'string':
      return 'a text';
    case 'boolean':
      return 'true or false';
    case 'array':
      return 'a list in brackets';
    case 'object':
    case 'record': {
      const keys = keysAt(json, path, value);
      return keys.length > 0 && keys.length <= 4
        ? `a section with ${keys.join(', ')}`
        : 'a section of "key: value" lines';
    }
    default:
      return expected;
  }
}

/** How the very thing that was written would be right, where that can be told. */
function mend(given: unknown, expected: string): string {
  if (expected === 'string' && (typeof given === 'number' || typeof given === 'boolean'))
    return `; put it in quotes: "${given}"`;
  if (expected === 'array' && typeof given !== 'object') return `; write [${String(given)}]`;
  if (typeof given !== 'string') return '';
  if (expected === 'number' || expected === 'int') {
    const point = given.trim().replace(',', '.');
    if (given.includes(',') && point !== '' && Number.isFinite(Number(point)))
      return `; decimals take a point: ${Number(point)}`;
    if (given.trim() !== '' && Number.isFinite(Number(given)))
      return `; leave the quotes out: ${Number(given)}`;
  }
  if (expected === 'boolean' && /^(yes|on|1|true)$/iu.test(given)) return '; write true';
  if (expected === 'boolean' && /^(no|off|0|false)$/iu.test(given)) return '; write false';
  return '';
}

function outOfLimits(
  issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig,
  { value, json }: IssueContext,
): string {
  const given = valueAt(value, issue.path);
  const nodes = schemasAt(json, issue.path, value);
  const limit = (word: string): number | undefined =>
    nodes.map((node) => valueAt(node, [word])).find((found) => typeof found === 'number');
  if (issue.origin === 'string') {
    if (issue.code === 'too_small') return 'is empty: a text';
    return `${issue.maximum} characters at most, not ${String(given).length}`;
  }
  if (issue.origin === 'array') {
    if (issue.code === 'too_small') return `is empty: at least ${issue.minimum} in the list`;
    return `${issue.maximum} at most in the list, not ${Array.isArray(given) ? given.length : 'more'}`;
  }
  const least = limit('minimum');
  // zod marks a whole number without a limit of its own by the largest that is exact.
  const most = limit('maximum') === Number.MAX_SAFE_INTEGER ? undefined : limit('maximum');
  const above = limit('exclusiveMinimum');
  const kind = nodes.some((node) => valueAt(node, ['type']) === 'integer') ? 'a whole number' : 'a number';
  if (least !== undefined && most !== undefined)
    return `${kind} from ${least} to ${most}, not ${shown(given)}`;
  if (above !== undefined)
    return `${kind} above ${above}${most === undefined ? '' : ` and up to ${most}`}, not ${shown(given)}`;
  if (least !== undefined) return `${kind} from ${least} on, not ${shown(given)}`;
  return most === undefined ? issue.message : `${kind} up to ${most}, not ${shown(given)}`;
}

const SHOWN_CHARACTERS = 40;

function shown(given: unknown): string {
  if (Array.isArray(given)) return 'a list';
  if (typeof given === 'object' && given !== null) return 'a section';
  if (typeof given !== 'string') return given === undefined ? 'nothing' : String(given);
  return given.length > SHOWN_CHARACTERS ? `"${given.slice(0, SHOWN_CHARACTERS)}…"` : `"${given}"`;
}

/** An id close to what was meant, where the rule is that of ids. */
function suggestedId(key: string, rule: string): string {
  if (!rule.startsWith('use lower-case')) return '';
  const id = key
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/gu, '-')
    .replace(/^[-_]+|-+$/gu, '')
    .slice(0, 63);
  return id === '' ? '' : `, such as ${id}`;
}
