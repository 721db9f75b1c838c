import { readFileSync } from 'node:fs';
import {
  type Alias,
  type Document,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from 'yaml';
import { z } from 'zod';
import { EdgeError, messageOf } from '../runtime/edge-error.ts';
import { didYouMean } from '../runtime/nearest.ts';
import { interpolate } from './interpolate.ts';

type Path = readonly PropertyKey[];
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads a YAML file into the type of its schema. `${NAME}` and `${NAME:-default}` are replaced inside scalars.
 * Throws EdgeError CONFIG_UNREADABLE, or CONFIG_INVALID whose message has one `file:line:column key: fault` a line.
 */
export function loadYaml<S extends z.ZodType>(
  file: string,
  schema: S,
  environment: Environment = process.env,
): z.output<S> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new EdgeError('CONFIG_UNREADABLE', `${file}: ${messageOf(error)}`, {
      hint: 'check the path and that this user may read it',
      cause: error,
    });
  }
  return parseYaml(text, file, schema, environment);
}

/** `loadYaml` on a text already read; `file` only names it in errors. */
export function parseYaml<S extends z.ZodType>(
  text: string,
  file: string,
  schema: S,
  environment: Environment = process.env,
): z.output<S> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true });
  const at = (offset: number | undefined): string => {
    if (offset === undefined) return file;
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  if (document.errors.length > 0) {
    // The first fault only: the ones after it are mostly its consequences.
    const [first] = document.errors;
    const quoted = text.split('\n')[lines.linePos(first?.pos[0] ?? 0).line - 1]?.trim() ?? '';
    const fault = first?.message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/u, '') ?? 'not YAML';
    throw invalid([`${at(first?.pos[0])} ${fault}, at: ${quoted}`]);
  }

  const faults: string[] = [];
  const interpolated = new Set<string>();
  visit(document, {
    Scalar(key, node, ancestors) {
      if (key === 'key' || typeof node.value !== 'string' || !node.value.includes('${')) return;
      const result = interpolate(node.value, environment);
      for (const { name } of result.missing) {
        faults.push(
          `${at(node.range?.[0])} the environment has no ${name}; set it, or give a default: \${${name}:-value}`,
        );
      }
      node.value = result.text;
      interpolated.add(pathKey(pathOf(node, ancestors)));
    },
  });
  if (faults.length > 0) throw invalid(faults);

  const value = plainValue(document, at) ?? {};
  const first = schema.safeParse(value);
  if (first.success) return first.data;
  const second = schema.safeParse(withNumbers(value, first.error.issues, interpolated));
  if (second.success) return second.data;

  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const described = second.error.issues.flatMap((issue) => describeIssue(issue, document, json));
  // In the order of the file, which is the order in which a person corrects them.
  described.sort((a, b) => (a.offset ?? 0) - (b.offset ?? 0));
  throw invalid(described.map(({ offset, text: fault }) => `${at(offset)} ${fault}`));
}

/** Aliases are resolved only here: one without an anchor, or so many that they would fill the memory, is a fault. */
function plainValue(document: Document, at: (offset: number | undefined) => string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    let first: Alias | undefined;
    visit(document, {
      Alias(_key, node) {
        const unresolved = node.resolve(document) === undefined;
        if (first === undefined || unresolved) first = node;
        return unresolved ? visit.BREAK : undefined;
      },
    });
    throw invalid([`${at(first?.range?.[0])} ${messageOf(error)}`]);
  }
}

function invalid(faults: readonly string[]): EdgeError {
  return new EdgeError('CONFIG_INVALID', faults.join('\n'), {
    hint: 'correct the lines above; nothing was changed',
  });
}

/** A number or boolean that came out of an environment variable arrives as text: give it the type the schema asks for. */
function withNumbers(
  value: unknown,
  issues: readonly z.core.$ZodIssue[],
  interpolated: ReadonlySet<string>,
): unknown {
  const copy: unknown = structuredClone(value);
  for (const issue of issues) {
    if (issue.code !== 'invalid_type' || !interpolated.has(pathKey(issue.path))) continue;
    const parent = valueAt(copy, issue.path.slice(0, -1));
    const last = issue.path.at(-1);
    if (typeof parent !== 'object' || parent === null || last === undefined) continue;
    const text: unknown = Reflect.get(parent, last);
    if (typeof text !== 'string') continue;
    if (issue.expected === 'boolean' && (text === 'true' || text === 'false'))
      Reflect.set(parent, last, text === 'true');
    else if ((issue.expected === 'number' || issue.expected === 'int') && /^-?\d+(\.\d+)?$/u.test(text)) {
      Reflect.set(parent, last, Number(text));
    }
  }
  return copy;
}

interface Fault {
  readonly offset: number | undefined;
  readonly text: string;
}

function describeIssue(issue: z.core.$ZodIssue, document: Document, json: unknown): Fault[] {
  const path = issue.path;
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(json, path);
    const list = known.length > 0 ? ` Valid here: ${known.join(', ')}.` : '';
    return issue.keys.map((key) => ({
      offset: keyOffset(document, path, key),
      text: `${join([...path, key])}: unknown key.${didYouMean(key, known) || list}`,
    }));
  }
  const offset = offsetOf(document, path);
  if (issue.code === 'invalid_value') {
    const given: unknown = document.getIn([...path]);
    const words = issue.values.map(String);
    const hint = typeof given === 'string' ? didYouMean(given, words) : '';
    return [{ offset, text: `${join(path)}: one of ${words.join(', ')}.${hint}` }];
  }
  return [{ offset, text: `${join(path)}: ${issue.message}` }];
}

function join(path: Path): string {
  return path.length === 0 ? '(whole file)' : path.map(String).join('.');
}

function pathKey(path: Path): string {
  return path.map(String).join('\u0000');
}

/** The path of a scalar from the nodes above it. */
function pathOf(node: Node, ancestors: readonly unknown[]): PropertyKey[] {
  const path: PropertyKey[] = [];
  let child: unknown = node;
  for (let i = ancestors.length - 1; i >= 0; i -= 1) {
    const parent = ancestors[i];
    if (typeof parent === 'object' && parent !== null && 'key' in parent && 'value' in parent) {
      path.unshift(isScalar(parent.key) ? String(parent.key.value) : String(parent.key));
    } else if (
      typeof parent === 'object' &&
      parent !== null &&
      'items' in parent &&
      Array.isArray(parent.items) &&
      !isMap(parent)
    ) {
      path.unshift(parent.items.indexOf(child));
    }
    child = parent;
  }
  return path;
}

function valueAt(value: unknown, path: Path): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = Reflect.get(at, key);
  }
  return at;
}

/** Where the value at a path stands; where it is missing, its nearest parent that is there. */
function offsetOf(document: Document, path: Path): number | undefined {
  for (let length = path.length; length >= 0; length -= 1) {
    const node: unknown = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return undefined;
}

function keyOffset(document: Document, path: Path, key: string): number | undefined {
  const parent: unknown = path.length === 0 ? document.contents : document.getIn([...path], true);
  if (!isMap(parent)) return offsetOf(document, path);
  const pair = parent.items.find((item) => isScalar(item.key) && String(item.key.value) === key);
  return pair !== undefined && isNode(pair.key) && pair.key.range
    ? pair.key.range[0]
    : offsetOf(document, path);
}

/** The keys that the schema allows in the object at a path, by walking its JSON Schema. */
function keysAt(json: unknown, path: Path): string[] {
  let nodes = expand(json, json);
  for (const key of path) {
    nodes = nodes.flatMap((node) => {
      const child =
        typeof key === 'number'
          ? Reflect.get(node, 'items')
          : (valueAt(node, ['properties', String(key)]) ?? Reflect.get(node, 'additionalProperties'));
      return expand(child, json);
    });
  }
  return [...new Set(nodes.flatMap((node) => Object.keys(valueAt(node, ['properties']) ?? {})))];
}

function expand(node: unknown, root: unknown): object[] {
  if (typeof node !== 'object' || node === null) return [];
  const reference: unknown = Reflect.get(node, '$ref');
  if (typeof reference === 'string' && reference.startsWith('#/')) {
    return expand(valueAt(root, reference.slice(2).split('/')), root);
  }
  const branches = ['anyOf', 'oneOf', 'allOf'].flatMap((word) => {
    const list: unknown = Reflect.get(node, word);
    return Array.isArray(list) ? list : [];
  });
  return [node, ...branches.flatMap((branch: unknown) => expand(branch, root))];
}
