import type { JsonValue } from '../../domain/json.ts';
import { faultOf, isList, MAX_DEPTH } from './plain-json.ts';

/**
 * A large value as a sequence of small JSON texts, so that neither side ever parses more than one of them at a time:
 * `["open", KEY, "list" | "object"]`, `["items", [VALUE, …]]`, `["fields", {KEY: VALUE, …}]`, `["text", KEY, PIECE]`,
 * `["close"]`. KEY is the name in the object around it, null in a list and at the root. The pieces of a text follow one
 * another until `close`.
 */

/** Taken when the module loads: in a worker, a handler can replace them. */
const { stringify } = JSON;

/** Characters; a part may be longer by one value that is no longer than this. */
const PART_CHARACTERS = 16_384;

export function* partsOf(value: JsonValue): Generator<string, void, undefined> {
  yield* placed(value, null, 0);
}

function* placed(value: JsonValue, key: string | null, depth: number): Generator<string, void, undefined> {
  if (depth >= MAX_DEPTH) throw new RangeError(`nested more than ${MAX_DEPTH} deep`);
  const name = stringify(key);
  if (typeof value === 'string') {
    yield `["open",${name},"text"]`;
    for (let at = 0; at < value.length; at += PART_CHARACTERS)
      yield `["text",${stringify(value.slice(at, at + PART_CHARACTERS))}]`;
    yield '["close"]';
    return;
  }
  if (typeof value !== 'object' || value === null) {
    // Only a root is this small and comes here: everything else of its size is part of a batch.
    yield `["whole",${stringify(value)}]`;
    return;
  }
  const list = isList(value);
  yield `["open",${name},"${list ? 'list' : 'object'}"]`;
  let batch: string[] = [];
  let characters = 0;
  const flushed = function* (): Generator<string, void, undefined> {
    if (batch.length > 0) yield list ? `["items",[${batch.join()}]]` : `["fields",{${batch.join()}}]`;
    batch = [];
    characters = 0;
  };
  for (const [field, item] of list ? entriesOf(value) : Object.entries(value)) {
    const text = stringify(item);
    if (text.length > PART_CHARACTERS) {
      yield* flushed();
      yield* placed(item, field, depth + 1);
      continue;
    }
    const entry = field === null ? text : `${stringify(field)}:${text}`;
    batch.push(entry);
    characters += entry.length;
    if (characters >= PART_CHARACTERS) yield* flushed();
  }
  yield* flushed();
  yield '["close"]';
}

function* entriesOf(list: readonly JsonValue[]): Generator<[null, JsonValue], void, undefined> {
  for (const item of list) yield [null, item];
}

type Container =
  | { readonly kind: 'list'; readonly key: string | null; readonly value: JsonValue[] }
  | { readonly kind: 'object'; readonly key: string | null; readonly value: Record<string, JsonValue> }
  | { readonly kind: 'text'; readonly key: string | null; readonly value: string[] };

/** Puts the parts of one value together again. What comes in is untrusted. */
export class PartsAssembler {
  readonly #open: Container[] = [];
  #whole: JsonValue | undefined;

  /** Throws TypeError when the part does not fit. */
  take(part: JsonValue): void {
    if (!isList(part) || this.#whole !== undefined) throw misfit();
    const [kind, first, second] = part;
    if (kind === 'open') this.#begin(first, second);
    else if (kind === 'close') this.#finish();
    else if (kind === 'whole') this.#put(null, checked(first));
    else this.#fill(kind, first);
  }

  /** The value, once all of it is here; the next part begins another. Throws TypeError when some is missing. */
  done(): JsonValue {
    const whole = this.#whole;
    if (whole === undefined) throw new TypeError('a value ended before all its parts had come');
    this.#whole = undefined;
    return whole;
  }

  #begin(key: JsonValue | undefined, kind: JsonValue | undefined): void {
    if (this.#open.length >= MAX_DEPTH || key === '__proto__') throw misfit();
    if (key !== null && typeof key !== 'string') throw misfit();
    if (kind === 'list' || kind === 'text') this.#open.push({ kind, key, value: [] });
    else if (kind === 'object') this.#open.push({ kind, key, value: {} });
    else throw misfit();
  }

  #fill(kind: JsonValue | undefined, content: JsonValue | undefined): void {
    const top = this.#open.at(-1);
    if (kind === 'text' && top?.kind === 'text' && typeof content === 'string') top.value.push(content);
    else if (kind === 'items' && top?.kind === 'list' && content !== undefined && isList(content)) {
      for (const item of content) top.value.push(this.#shallow(item));
    } else if (kind === 'fields' && top?.kind === 'object' && typeof content === 'object') {
      for (const [key, item] of Object.entries(checked(content) ?? misfit()))
        top.value[key] = this.#shallow(item);
    } else throw misfit();
  }

  #finish(): void {
    const ended = this.#open.pop();
    if (ended === undefined) throw misfit();
    this.#put(ended.key, ended.kind === 'text' ? ended.value.join('') : ended.value);
  }

  #put(key: string | null, value: JsonValue): void {
    const around = this.#open.at(-1);
    if (around === undefined && key === null) this.#whole = value;
    else if (around?.kind === 'list' && key === null) around.value.push(value);
    else if (around?.kind === 'object' && key !== null) around.value[key] = value;
    else throw misfit();
  }

  #shallow(value: JsonValue): JsonValue {
    const fault = faultOf(value, this.#open.length);
    if (fault !== undefined) throw new TypeError(fault);
    return value;
  }
}

function checked(value: JsonValue | undefined): JsonValue {
  if (value === undefined) throw misfit();
  const fault = faultOf(value);
  if (fault !== undefined) throw new TypeError(fault);
  return value;
}

function misfit(): TypeError {
  return new TypeError('a part of a value does not fit where it came');
}
