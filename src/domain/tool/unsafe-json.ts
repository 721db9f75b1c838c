/** Keys by which a careless copy of an object would change what all objects have in common. */
const POLLUTING_KEYS: readonly string[] = ['__proto__', 'constructor', 'prototype'];

const MAX_DEPTH = 8;
const MAX_NODES = 20_000;

/** Why a value must not be handed on as JSON: undefined when it may. Depth, number of parts and names of keys are looked at. */
export function unsafeJson(value: unknown): string | undefined {
  let nodes = 0;
  const visit = (part: unknown, depth: number): string | undefined => {
    nodes += 1;
    if (nodes > MAX_NODES) return `more than ${MAX_NODES} values`;
    if (depth > MAX_DEPTH) return `nested deeper than ${MAX_DEPTH} levels`;
    if (part === null || typeof part === 'string' || typeof part === 'boolean') return undefined;
    if (typeof part === 'number') return Number.isFinite(part) ? undefined : 'a number that is not finite';
    if (typeof part !== 'object') return `a ${typeof part}, which JSON does not have`;
    if (Array.isArray(part)) {
      for (const item of part) {
        const fault = visit(item, depth + 1);
        if (fault !== undefined) return fault;
      }
      return undefined;
    }
    for (const key of Reflect.ownKeys(part)) {
      if (typeof key !== 'string') return 'a key that is no text';
      if (POLLUTING_KEYS.includes(key)) return `the key "${key}" is not allowed`;
      const fault = visit(Reflect.get(part, key), depth + 1);
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
  return visit(value, 0);
}
