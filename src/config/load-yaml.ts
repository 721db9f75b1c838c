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
import { readFault } from '../runtime/read-fault.ts';
import { describeIssue } from './describe-issue.ts';
import { interpolate } from './interpolate.ts';
import { valueAt } from './schema-at.ts';
import { utf8Text } from './utf8-text.ts';
import { yamlFault } from './yaml-fault.ts';

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
  return loadPlacedYaml(file, schema, environment).value;
}

/** What a file holds, and where in it everything stands. */
export interface PlacedYaml<T> {
  readonly value: T;
  /** `file:line:column` of the value at a path, or of its nearest parent that is there. */
  placeOf(path: readonly PropertyKey[]): string;
}

/** As `loadYaml`, for whoever has more to say about the file than that it is valid. */
export function loadPlacedYaml<S extends z.ZodType>(
  file: string,
  schema: S,
  environment: Environment = process.env,
): PlacedYaml<z.output<S>> {
  const read = utf8Text(bytesOf(file));
  if (!read.ok) throw invalid([`${file}: ${read.reason}`]);
  return parsePlacedYaml(read.text, file, schema, environment);
}

function bytesOf(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new EdgeError('CONFIG_UNREADABLE', `${file}: ${readFault(error)}`, {
      hint: 'check the path and that this user may read it',
      cause: error,
    });
  }
}

/** `loadYaml` on a text already read; `file` only names it in errors. */
export function parseYaml<S extends z.ZodType>(
  text: string,
  file: string,
  schema: S,
  environment: Environment = process.env,
): z.output<S> {
  return parsePlacedYaml(text, file, schema, environment).value;
}

function parsePlacedYaml<S extends z.ZodType>(
  text: string,
  file: string,
  schema: S,
  environment: Environment,
): PlacedYaml<z.output<S>> {
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
    throw invalid([`${at(first?.pos[0])} ${yamlFault(first)}, at: ${quoted}`]);
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
  const placeOf = (path: Path): string => at(offsetOf(document, path));
  if (first.success) return { value: first.data, placeOf };
  const second = schema.safeParse(withNumbers(value, first.error.issues, interpolated));
  if (second.success) return { value: second.data, placeOf };

  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const seen = new Set<string>();
  const described = second.error.issues
    .flatMap((issue) => describeIssue(issue, { value, json }))
    // A second fault of one value is mostly a consequence of the first.
    .filter(({ path }) => !seen.has(pathKey(path)) && seen.add(pathKey(path)))
    .map(({ path, isKey, text: fault }) => ({
      offset: isKey ? keyOffset(document, path) : offsetOf(document, path),
      fault,
    }));
  // In the order of the file, which is the order in which a person corrects them.
  described.sort((a, b) => (a.offset ?? 0) - (b.offset ?? 0));
  throw invalid(described.map(({ offset, fault }) => `${at(offset)} ${fault}`));
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
    hint: 'correct the lines above',
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

/** Where the value at a path stands; where it is missing, its nearest parent that is there. */
function offsetOf(document: Document, path: Path): number | undefined {
  for (let length = path.length; length >= 0; length -= 1) {
    const node: unknown = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return undefined;
}

function keyOffset(document: Document, path: Path): number | undefined {
  const above = path.slice(0, -1);
  const key = String(path.at(-1));
  const parent: unknown = above.length === 0 ? document.contents : document.getIn(above, true);
  if (!isMap(parent)) return offsetOf(document, path);
  const pair = parent.items.find((item) => isScalar(item.key) && String(item.key.value) === key);
  return pair !== undefined && isNode(pair.key) && pair.key.range
    ? pair.key.range[0]
    : offsetOf(document, path);
}
