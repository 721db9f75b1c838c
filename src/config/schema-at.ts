type Path = readonly PropertyKey[];

/** The member of a plain value at a path, or undefined where there is none. */
export function valueAt(value: unknown, path: Path): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = Reflect.get(at, key);
  }
  return at;
}

/**
 * The JSON Schemas that apply at a path. Of the branches of a union only those count that the value itself chose, by the
 * constants in them: of a connection with `transport: tcp` the keys of the serial one are not valid.
 */
export function schemasAt(root: unknown, path: Path, value: unknown): object[] {
  let nodes = expand(root, root, value);
  let at = value;
  for (const key of path) {
    at = valueAt(at, [key]);
    nodes = nodes.flatMap((node) => expand(childOf(node, key), root, at));
  }
  return nodes;
}

/** The keys that a schema allows in the object at a path. */
export function keysAt(root: unknown, path: Path, value: unknown): string[] {
  return keysOf(schemasAt(root, path, value));
}

/** In which branches of the union at a path a key would be valid, as `transport: rtu`; empty where there is no union. */
export function branchesWith(root: unknown, path: Path, value: unknown, key: string): string[] {
  const parent = schemasAt(root, path.slice(0, -1), value);
  const last = path.at(-1);
  if (last === undefined) return [];
  return parent.flatMap((node) =>
    listsOf(childOf(node, last)).flatMap((branch) => {
      const properties = valueAt(branch, ['properties']);
      const constant = constantsOf(branch)[0];
      return constant !== undefined && valueAt(properties, [key]) !== undefined
        ? [`${constant[0]}: ${String(constant[1])}`]
        : [];
    }),
  );
}

function keysOf(nodes: readonly object[]): string[] {
  return [
    ...new Set(
      nodes.flatMap((node) => {
        // Of a record over a few words they are listed apart.
        const words = valueAt(node, ['propertyNames', 'enum']);
        return [
          ...Object.keys(valueAt(node, ['properties']) ?? {}),
          ...(Array.isArray(words) ? words.map(String) : []),
        ];
      }),
    ),
  ];
}

function childOf(node: object, key: PropertyKey): unknown {
  if (typeof key === 'number') return Reflect.get(node, 'items');
  return valueAt(node, ['properties', String(key)]) ?? Reflect.get(node, 'additionalProperties');
}

function expand(node: unknown, root: unknown, value: unknown): object[] {
  if (typeof node !== 'object' || node === null) return [];
  const reference: unknown = Reflect.get(node, '$ref');
  if (typeof reference === 'string' && reference.startsWith('#/'))
    return expand(valueAt(root, reference.slice(2).split('/')), root, value);
  const branches = listsOf(node);
  const chosen = branches.filter((branch) => isChosen(branch, value));
  return [node, ...(chosen.length > 0 ? chosen : branches).flatMap((branch) => expand(branch, root, value))];
}

function listsOf(node: unknown): unknown[] {
  if (typeof node !== 'object' || node === null) return [];
  return ['anyOf', 'oneOf', 'allOf'].flatMap((word) => {
    const list: unknown = Reflect.get(node, word);
    return Array.isArray(list) ? list : [];
  });
}

function isChosen(branch: unknown, value: unknown): boolean {
  return constantsOf(branch).every(([key, constant]) => valueAt(value, [key]) === constant);
}

function constantsOf(branch: unknown): (readonly [string, unknown])[] {
  return Object.entries(valueAt(branch, ['properties']) ?? {}).flatMap(([key, schema]) => {
    const constant = valueAt(schema, ['const']);
    return constant === undefined ? [] : [[key, constant] as const];
  });
}
